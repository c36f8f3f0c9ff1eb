#include "image/font.h"

#include <algorithm>

namespace tessera::image_internal {
namespace {

constexpr char kFirst = ' ', kLast = '~';

// In ASCII order. Designed for this project: straight strokes with cut corners, plain forms, no two alike.
constexpr std::string_view kStrokes[] = {
    "",                                                // space
    "1018 1b1c",                                       // !
    "0003 3033",                                       // "
    "212b 616b 0484 0888",                             // #
    "8261210304266688896b2b0a 404c",                   // $
    "103041433414030110 800c 5878898b7c5c4b4958",      // %
    "8c2513123050616317091b3c5c88",                    // &
    "0003",                                            // '
    "301205081b3d",                                    // (
    "002235382b0d",                                    // )
    "3137 0266 6206",                                  // *
    "434b 0787",                                       // +
    "1b1c0e",                                          // ,
    "0757",                                            // -
    "0b0c",                                            // .
    "600d",                                            // /
    "2050727a5c2c0a0220",                              // 0
    "03303c 0c6c",                                     // 1
    "02205072740c7c",                                  // 2
    "02205072745626 56787a5c2c0a",                     // 3
    "5c500878",                                        // 4
    "7010052454767a5c2c0a",                            // 5
    "603113060a2c5c7a78562608",                        // 6
    "00702c",                                          // 7
    "260402205072745626080a2c5c7a7856",                // 8
    "1c4b69767250200204265674",                        // 9
    "0506 0b0c",                                       // :
    "1516 1b1c0e",                                     // ;
    "72077c",                                          // <
    "0575 0979",                                       // =
    "02770c",                                          // >
    "02205072733738 3b3c",                             // ?
    "66543426283959676468798997947150402104092c4d7d",  // @
    "0c408c 1979",                                     // A
    "0656747250000c6c8a886656",                        // B
    "82603003093c6c8a",                                // C
    "005083895c0c00",                                  // D
    "70000c7c 0656",                                   // E
    "70000c 0656",                                     // F
    "82603003093c6c8a8757",                            // G
    "000c 808c 0686",                                  // H
    "0040 202c 0c4c",                                  // I
    "606a4c2c0a",                                      // J
    "000c 8007 348c",                                  // K
    "000c7c",                                          // L
    "0c0047808c",                                      // M
    "0c008c80",                                        // N
    "306093996c3c090330",                              // O
    "0c006082856707",                                  // P
    "306093996c3c090330 699d",                         // Q
    "0c006082856707 478c",                             // R
    "82602002042666888a6c2c0a",                        // S
    "0080 404c",                                       // T
    "00093c5c8980",                                    // U
    "004c80",                                          // V
    "002c538ca0",                                      // W
    "008c 800c",                                       // X
    "004680 464c",                                     // Y
    "00800c8c",                                        // Z
    "30000d3d",                                        // [
    "006d",                                            // backslash
    "00303d0d",                                        // ]
    "043064",                                          // ^
    "0d7d",                                            // _
    "0022",                                            // `
    "664424060a2c4c6a 646c",                           // a
    "000c 062444666a4c2c0a",                           // b
    "664424060a2c4c6a",                                // c
    "606c 664424060a2c4c6a",                           // d
    "0868664424060a2c4c6b",                            // e
    "5040222c 0454",                                   // f
    "664424060a2c4c6a 646e4g2g0f",                     // g
    "000c 062444666c",                                 // h
    "040c 0001",                                       // i
    "242e0g 2021",                                     // j
    "000c 6409 276c",                                  // k
    "000a2c",                                          // l
    "040c 062434565c 567484a6ac",                      // m
    "040c 062444666c",                                 // n
    "2444666a4c2c0a0624",                              // o
    "040g 062444666a4c2c0a",                           // p
    "646g 664424060a2c4c6a",                           // q
    "040c 062444",                                     // r
    "654424050628486a6b4c2c0b",                        // s
    "212a4c5c 0454",                                   // t
    "040a2c4c6a 646c",                                 // u
    "043c64",                                          // v
    "042c568ca4",                                      // w
    "046c 640c",                                       // x
    "043c 643c2f0g",                                   // y
    "04640c6c",                                        // z
    "40212506272c4d",                                  // {
    "000e",                                            // |
    "00212546272c0d",                                  // }
    "08265876",                                        // ~
};
static_assert(std::size(kStrokes) == kLast - kFirst + 1);

int coordinate(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

}  // namespace

std::string_view glyph_strokes(char c) noexcept { return kStrokes[(c >= kFirst && c <= kLast ? c : '?') - kFirst]; }

int glyph_columns(char c) noexcept {
  if (c == ' ') return 2;
  int columns = 0;
  const std::string_view strokes = glyph_strokes(c);
  for (std::size_t i = 0; i < strokes.size(); i += strokes[i] == ' ' ? 1 : 2) {
    if (strokes[i] != ' ') columns = std::max(columns, coordinate(strokes[i]));
  }
  return columns;
}

std::vector<Segment> glyph_segments(char c) {
  std::vector<Segment> segments;
  const std::string_view strokes = glyph_strokes(c);
  bool pen_down = false;
  float x = 0, y = 0;
  for (std::size_t i = 0; i < strokes.size();) {
    if (strokes[i] == ' ') {
      pen_down = false;
      ++i;
      continue;
    }
    const auto to_x = static_cast<float>(coordinate(strokes[i])), to_y = static_cast<float>(coordinate(strokes[i + 1]));
    if (pen_down) segments.push_back({x, y, to_x, to_y});
    x = to_x;
    y = to_y;
    pen_down = true;
    i += 2;
  }
  return segments;
}

bool GlyphCursor::next(char& c) noexcept {
  if (rest_.empty()) return false;
  const auto lead = static_cast<unsigned char>(rest_[0]);
  c = lead >= static_cast<unsigned char>(kFirst) && lead <= static_cast<unsigned char>(kLast) ? rest_[0] : '?';
  std::size_t taken = 1;
  if (lead >= 0xC0) {  // a longer sequence: its continuation bytes, at most three, belong to the same '?'
    while (taken < 4 && taken < rest_.size() && (static_cast<unsigned char>(rest_[taken]) & 0xC0) == 0x80) ++taken;
  }
  rest_.remove_prefix(taken);
  return true;
}

}  // namespace tessera::image_internal
