#pragma once
// Where detections go. One file per format; each writes a photo's result at once and keeps no photo, so memory stays
// flat over any number of them.

#include <tessera/detector.h>
#include <tessera/result.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "pipeline/category_ids.h"
#include "pipeline/frames.h"
#include "pipeline/text_out.h"

namespace tessera {

struct PhotoResult {
  std::string_view name;                  ///< as the source calls it
  ImageView photo;                        ///< fewer pixels than the photo after a scaled decode
  std::span<const Detection> detections;  ///< best first, in pixels of the full photo
  int full_width = 0, full_height = 0;    ///< of the photo; 0: as the pixels
  const FrameInfo* frame = nullptr;       ///< of a video; null for a photo
  std::optional<double> age_ms;           ///< live sources: from the frame's coming to this result
  int width() const noexcept { return full_width > 0 ? full_width : photo.width; }
  int height() const noexcept { return full_height > 0 ? full_height : photo.height; }
};

class Sink {
 public:
  virtual ~Sink() = default;
  /// Asked of every sink before the first one is given the photo: an error makes it a failure, and no sink takes it.
  virtual Status check(const PhotoResult&) const { return {}; }
  /// Code::io ends the run (the place is full or gone); any other error is this photo's alone. Sinks before this one
  /// have taken the photo by then: those that may yet refuse (a file per photo) are given it first.
  virtual Status photo(const PhotoResult& result) = 0;
  /// A photo that gave no result.
  virtual Status failed(std::string_view, const Error&) { return {}; }
  /// Once, after the last photo, also when the run was stopped: what is finished stays.
  virtual Status finish() { return {}; }
};

/// Class names by id; "class 7" where there is none.
std::string class_label(std::span<const std::string> names, std::int32_t class_id);

/// One line per photo for people: "dog.jpg  768x576  3: dog 0.94, bicycle 0.88, truck 0.61".
std::unique_ptr<Sink> make_text_sink(TextOut out, std::vector<std::string> names);

/// {"photos":[{"file":"dog.jpg","width":768,"height":576,"detections":[{"class":"dog","class_id":16,"score":0.94,
///  "box":[x1,y1,x2,y2]}]}],"failed":[{"file":"bad.jpg","error":"..."}]}: one photo per line, box xyxy in pixels.
/// A video's frame has "frame" and "time" (seconds) after "file"; from a live source also "dropped" and "age_ms".
/// Bytes of a file name that are not UTF-8 become U+FFFD.
std::unique_ptr<Sink> make_json_sink(TextOut out, std::vector<std::string> names);

/// COCO results; a frame's image id is its index: [{"image_id":139,"category_id":18,"bbox":[x,y,w,h],"score":0.94}],
/// boxes xywh in pixels.
std::unique_ptr<Sink> make_coco_sink(TextOut out, CategoryIds categories, ImageIds images);

/// file,width,height,class_id,class,score,x1,y1,x2,y2 with a header line; RFC 4180 quoting, one line per detection.
std::unique_ptr<Sink> make_csv_sink(TextOut out, std::vector<std::string> names);

/// NAME.txt per photo in `folder`: "class cx cy w h" or "class cx cy w h score", 0..1 of the photo; an empty file when
/// nothing is found. Makes the folder.
Result<std::unique_ptr<Sink>> make_yolo_sink(const std::filesystem::path& folder, bool scores);

enum class PictureFormat { jpeg, png };
struct PictureOptions {
  PictureFormat format = PictureFormat::jpeg;
  int quality = 90;    ///< JPEG
  bool labels = true;  ///< class and score beside each box
};
/// NAME.jpg or NAME.png per photo in `folder`, boxes drawn in. Makes the folder. A picture is never written into the
/// folder its photo lies in: invalid_argument.
Result<std::unique_ptr<Sink>> make_picture_sink(const std::filesystem::path& folder, std::vector<std::string> names,
                                                const PictureOptions& options);

}  // namespace tessera
