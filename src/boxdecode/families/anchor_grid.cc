// Scales, offsets and anchors of the combined families, P3 P4 P5, from the authors' published configurations.

#include "boxdecode/families/anchor_grid.h"

namespace tessera::boxdecode {
namespace {
constexpr auto kExp = AnchorLevel::Formula::Exp;
constexpr auto kSquare = AnchorLevel::Formula::Square;
}  // namespace

const FixedLevel kYoloV3Levels[3] = {
    {kExp, 1.0f, 0.0f, {{10, 13}, {16, 30}, {33, 23}}},
    {kExp, 1.0f, 0.0f, {{30, 61}, {62, 45}, {59, 119}}},
    {kExp, 1.0f, 0.0f, {{116, 90}, {156, 198}, {373, 326}}},
};
// The offset is the rounded decimal (s - 1) / 2, not computed from the float s.
const FixedLevel kYoloV4Levels[3] = {
    {kExp, 1.2f, 0.1f, {{12, 16}, {19, 36}, {40, 28}}},
    {kExp, 1.1f, 0.05f, {{36, 75}, {76, 55}, {72, 146}}},
    {kExp, 1.05f, 0.025f, {{142, 110}, {192, 243}, {459, 401}}},
};
const FixedLevel kYoloV5Levels[3] = {
    {kSquare, 2.0f, 0.5f, {{10, 13}, {16, 30}, {33, 23}}},
    {kSquare, 2.0f, 0.5f, {{30, 61}, {62, 45}, {59, 119}}},
    {kSquare, 2.0f, 0.5f, {{116, 90}, {156, 198}, {373, 326}}},
};
const FixedLevel kYoloV7Levels[3] = {
    {kSquare, 2.0f, 0.5f, {{12, 16}, {19, 36}, {40, 28}}},
    {kSquare, 2.0f, 0.5f, {{36, 75}, {76, 55}, {72, 146}}},
    {kSquare, 2.0f, 0.5f, {{142, 110}, {192, 243}, {459, 401}}},
};
const FixedLevel kYoloV7TinyLevels[3] = {
    {kSquare, 2.0f, 0.5f, {{10, 13}, {16, 30}, {33, 23}}},
    {kSquare, 2.0f, 0.5f, {{30, 61}, {62, 45}, {59, 119}}},
    {kSquare, 2.0f, 0.5f, {{116, 90}, {156, 198}, {373, 326}}},
};

}  // namespace tessera::boxdecode
