#pragma once
// Annotations and results of other people's programs, read from untrusted bytes. Every error names the file, the place
// in it and the fact.

#include <tessera/result.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/dataset.h"

namespace tessera::eval {

inline constexpr double kMaxCoordinate = 1e9;  ///< pixels; areas stay far from overflow

/// COCO annotations: {"images":[{"id","file_name"}],"categories":[{"id","name"}],"annotations":[{"id","image_id",
/// "category_id","bbox":[x,y,w,h],"area","iscrowd"}]}, in any order. Without "area" that of the box, without "iscrowd"
/// 0. "ignore" is read over, as pycocotools does. Annotations of unlisted images or categories are counted and left
/// out. Errors  corrupt: no such file, an id twice, a wrong or missing member.
Result<Dataset> parse_coco_annotations(std::span<const std::byte> json, std::string_view label);

/// COCO results: [{"image_id","category_id","bbox":[x,y,w,h],"score"}], or a saved run (saved_run.h), which is an
/// object with them under "detections" and the ids of the photos it saw under "photos". Errors  corrupt: a wrong or
/// missing member, a photo that the dataset lacks.
Result<Detections> parse_coco_results(std::span<const std::byte> json, std::string_view label, const Dataset& dataset);

/// One object of a VOC or YOLO file, its category not yet looked up.
struct NamedObject {
  std::string name;  ///< VOC
  int class_id = 0;  ///< YOLO
  Box box;
  bool difficult = false;
};

/// One photo's VOC annotations.
struct VocPhoto {
  std::string file;  ///< "filename"; may be empty
  std::vector<NamedObject> objects;
};
/// <annotation><filename/><object><name/><difficult/><bndbox><xmin/><ymin/><xmax/><ymax/></bndbox></object></annotation>.
/// The box is taken as written: x = xmin, w = xmax - xmin, as converters to COCO do; score_voc adds its pixel.
/// Errors  corrupt, with the number of the object; limit_exceeded above 16 MiB.
Result<VocPhoto> parse_voc_xml(std::span<const std::byte> xml, std::string_view label);

/// One photo's YOLO text: "class cx cy w h" a line, 0..1 of the photo of width x height pixels. Empty: no objects.
/// Errors  corrupt, with the line: not five numbers, a class that is no whole number >= 0, a box far outside.
Result<std::vector<NamedObject>> parse_yolo_text(std::string_view text, std::string_view label, int width, int height);

struct AnnotationOptions {
  std::filesystem::path images;          ///< folder of photos; YOLO text needs it for their sizes
  std::vector<std::string> names;        ///< the classes of the annotations in order; may be empty
  std::vector<std::string> model_names;  ///< the classes that YOLO numbers mean when nothing else names them
};
/// A COCO .json file, a folder of VOC .xml files, or a folder of YOLO .txt files.
///   VOC   classes in the order of `names`, else sorted by name.
///   YOLO  all photos of `images`, each with the objects of the .txt file of its name, if any; labels without a photo
///         are counted and left out. Class names: `names`, else classes.txt among the labels, else `model_names`, else
///         "class 0" ...
/// Photos of a folder get the number that ends their name as id, when these are distinct (so that results of
/// `tessera detect --coco` fit), else 1, 2 ... in natural order; categories get COCO's ids when the names are its 80,
/// else 1, 2 ...
/// Errors  not_found, io, corrupt; invalid_argument: a folder with both kinds or neither, YOLO text without `images`,
///         a class that has no name.
Result<Dataset> read_annotations(const std::filesystem::path& path, const AnnotationOptions& options);
/// The file of results, parsed.
Result<Detections> read_detections(const std::filesystem::path& path, const Dataset& dataset);

}  // namespace tessera::eval
