#include "eval/saved_run.h"

#include "base/text.h"

namespace tessera::eval {

Status write_run(TextOut& out, const Dataset& dataset, const Detections& detections) {
  std::string line = "{\"photos\":[";
  bool begun = false;
  for (std::size_t i = 0; i < dataset.photos.size(); ++i) {
    if (!has_seen(detections, i)) continue;
    append_text(line, text(begun ? "," : "", dataset.photos[i].id));
    begun = true;
  }
  TESSERA_TRY(out.write(line + "],\n\"detections\":["));
  begun = false;
  for (const Scored& d : detections.boxes) {
    const auto photo = static_cast<std::size_t>(d.photo), category = static_cast<std::size_t>(d.category);
    TESSERA_TRY(out.write(text(begun ? ",\n" : "\n", "{\"image_id\":", dataset.photos[photo].id,
                               ",\"category_id\":", dataset.categories[category].id, ",\"bbox\":[", d.box.x, ',',
                               d.box.y, ',', d.box.w, ',', d.box.h, "],\"score\":", d.score, '}')));
    begun = true;
  }
  return out.write(begun ? "\n]}\n" : "]}\n");
}

}  // namespace tessera::eval
