#pragma once
// Folders of one annotation file per photo, made into one dataset.

#include <tessera/result.h>

#include <filesystem>
#include <string>
#include <vector>

#include "eval/dataset.h"
#include "eval/read/readers.h"

namespace tessera::eval {

struct FolderPhoto {
  std::string file;
  std::vector<NamedObject> objects;  ///< class_id an index into the names
};
/// Numbers photos and categories as read_annotations says.
Result<Dataset> make_dataset(std::vector<FolderPhoto> photos, const std::vector<std::string>& names);

/// The files with these extensions (".xml"), natural order.
Result<std::vector<std::filesystem::path>> files_with(const std::filesystem::path& folder, std::string_view extension);

Result<Dataset> read_voc_folder(const std::vector<std::filesystem::path>& files, const AnnotationOptions& options);
Result<Dataset> read_yolo_folder(const std::vector<std::filesystem::path>& files, const AnnotationOptions& options);

}  // namespace tessera::eval
