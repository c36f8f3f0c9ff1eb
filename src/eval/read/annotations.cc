#include <system_error>

#include "base/text.h"
#include "eval/read/folder_dataset.h"
#include "eval/read/readers.h"
#include "image/image.h"

namespace tessera::eval {
namespace {

Result<Dataset> read_folder(const std::filesystem::path& path, const AnnotationOptions& options) {
  const auto xml = files_with(path, ".xml"), txt = files_with(path, ".txt");
  if (!xml) return xml.error();
  if (!txt) return txt.error();
  if (!xml->empty() && !txt->empty()) {
    return Error{Code::invalid_argument,
                 text(path.string(), ": holds .xml and .txt files: want VOC or YOLO annotations alone")};
  }
  if (!xml->empty()) return read_voc_folder(*xml, options);
  if (!txt->empty()) return read_yolo_folder(*txt, options);
  return Error{Code::invalid_argument, text(path.string(),
                                            ": holds no .xml and no .txt file: want VOC or YOLO "
                                            "annotations, or name a COCO .json file")};
}

}  // namespace

Result<Dataset> read_annotations(const std::filesystem::path& path, const AnnotationOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return read_folder(path, options);
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return parse_coco_annotations(*bytes, path.string());
}

Result<Detections> read_detections(const std::filesystem::path& path, const Dataset& dataset) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return parse_coco_results(*bytes, path.string(), dataset);
}

}  // namespace tessera::eval
