// Published answers of other programs, met to the digits they were published with: the COCO API's own example,
// pycocotools 2.0.11, review_object_detection_metrics and Cartucho/mAP (TESSERA_DATA/eval-fixtures).

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "eval/coco.h"
#include "eval/test_data.h"
#include "eval/voc.h"

namespace tessera::eval {
namespace {

using Json = nlohmann::json;
using test::data;
using test::slurp;

constexpr double kCoco = 1e-9;

void expect_stats(const CocoScore& score, const Json& want) {
  ASSERT_EQ(want.size(), 12u);
  double worst = 0;
  for (const NamedStat& stat : named(score.stats)) {
    const double expected = want.at(std::string(stat.name)).get<double>();
    EXPECT_NEAR(stat.value, expected, kCoco) << stat.name;
    worst = std::max(worst, std::abs(stat.value - expected));
  }
  std::cout << "largest difference of the twelve figures: " << worst << "\n";
}

/// Categories that the file lists have objects; the others must have none.
void expect_categories(const Dataset& dataset, const CocoScore& score, const Json& want) {
  std::size_t compared = 0;
  for (std::size_t k = 0; k < dataset.categories.size(); ++k) {
    const std::string id = std::to_string(dataset.categories[k].id);
    if (!want.contains(id)) {
      EXPECT_EQ(score.categories[k].ap, -1) << id;
      continue;
    }
    EXPECT_EQ(want[id]["name"], dataset.categories[k].name);
    EXPECT_NEAR(score.categories[k].ap, want[id]["AP"].get<double>(), kCoco) << id;
    EXPECT_NEAR(score.categories[k].ap50, want[id]["AP50"].get<double>(), kCoco) << id;
    ++compared;
  }
  EXPECT_EQ(compared, want.size());
}

void expect_coco(const std::filesystem::path& annotations, const std::filesystem::path& results, const Json& want) {
  const auto dataset = read_annotations(annotations, {});
  ASSERT_TRUE(dataset.has_value()) << dataset.error().message;
  const auto detections = read_detections(results, *dataset);
  ASSERT_TRUE(detections.has_value()) << detections.error().message;
  const CocoScore score = score_coco(*dataset, *detections);
  expect_stats(score, want["stats"]);
  expect_categories(*dataset, score, want["per_class"]);
}

TEST(Published, CocoApiExample) {
  TESSERA_WANT_DATA("eval-fixtures");
  const auto folder = data() / "eval-fixtures/cocoapi-fakebbox100";
  expect_coco(folder / "instances_val2014_100.json", folder / "instances_val2014_fakebbox100_results.json",
              Json::parse(slurp(folder / "expected.json")));
}

TEST(Published, RealDetectors) {
  TESSERA_WANT_DATA("eval-fixtures");
  const auto folder = data() / "eval-fixtures/practice-real-detections";
  const Json want = Json::parse(slurp(folder / "expected.json"));
  ASSERT_EQ(want["models"].size(), 2u);
  for (const auto& [name, model] : want["models"].items()) {
    SCOPED_TRACE(name);
    expect_coco(data() / want["gt"].get<std::string>(), folder / model["results"].get<std::string>(), model);
  }
}

TEST(Published, VocPhotosByCocoRules) {
  TESSERA_WANT_DATA("eval-fixtures");
  const auto folder = data() / "eval-fixtures/voc2012-100";
  const Json want = Json::parse(slurp(folder / "expected.json"));
  expect_coco(data() / want["gt"].get<std::string>(), folder / "results.json", want);
}

/// Percent with two digits.
constexpr double kPercent = 0.005 + 1e-9;

TEST(Published, VocPhotosByVocRules) {
  TESSERA_WANT_DATA("eval-fixtures");
  const auto folder = data() / "eval-fixtures/voc2012-100";
  const Json want = Json::parse(slurp(folder / "expected.json"));
  const auto dataset = read_annotations(data() / want["gt"].get<std::string>(), {});
  const auto detections = read_detections(folder / "results.json", *dataset);
  const VocScore score = score_voc(*dataset, *detections);
  EXPECT_NEAR(score.every_point * 100, want["voc_map50_percent"].get<double>(), kPercent);
  ASSERT_EQ(want["voc_ap50_percent"].size(), 20u);
  for (std::size_t k = 0; k < dataset->categories.size(); ++k) {
    const std::string& name = dataset->categories[k].name;
    EXPECT_NEAR(score.categories[k].every_point * 100, want["voc_ap50_percent"][name].get<double>(), kPercent) << name;
  }
}

TEST(Published, VocXmlIsWhatItsCocoExportsSay) {
  TESSERA_WANT_DATA("groundtruth");
  const auto folder = data() / "groundtruth/voc2012";
  const auto xml = read_annotations(folder / "Annotations", {});
  ASSERT_TRUE(xml.has_value()) << xml.error().message;
  const auto key = [](const Dataset& d, const Object& o) {
    const auto& p = d.photos[static_cast<std::size_t>(o.photo)].file;
    return std::tuple(p, d.categories[static_cast<std::size_t>(o.category)].name, o.box.x, o.box.y, o.box.w, o.box.h);
  };
  for (const char* name : {"coco_format_v1.json", "coco_format_v2.json"}) {
    const auto json = read_annotations(folder / name, {});
    ASSERT_TRUE(json.has_value()) << json.error().message;
    std::multiset<decltype(key(*xml, xml->objects[0]))> a, b;
    for (const Object& o : xml->objects) a.insert(key(*xml, o));
    for (const Object& o : json->objects) b.insert(key(*json, o));
    EXPECT_EQ(a.size(), 273u);
    EXPECT_EQ(a, b) << name;
  }
  EXPECT_EQ(std::ranges::count(xml->objects, true, &Object::difficult), 38);  // grep -c '<difficult>1'
}

/// One photo's lines of words.
std::vector<std::vector<std::string>> lines(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> out;
  std::istringstream in(slurp(file));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    out.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    if (out.back().empty()) out.pop_back();
  }
  return out;
}

/// The two text formats differ in the order of their words only: "class box" and "class score box".
struct TextCase {
  Dataset dataset;
  Detections detections;
};
TextCase read_text_case(const std::filesystem::path& truth, const std::filesystem::path& found, bool corners) {
  TextCase out;
  std::map<std::string, std::int32_t> categories;
  const auto category = [&](const std::string& name) {
    const auto [at, added] = categories.emplace(name, static_cast<std::int32_t>(categories.size()));
    if (added) out.dataset.categories.push_back({at->second + 1, name});
    return at->second;
  };
  const auto box = [&](const std::vector<std::string>& w, std::size_t i) {
    Box b{std::stod(w[i]), std::stod(w[i + 1]), std::stod(w[i + 2]), std::stod(w[i + 3])};
    if (corners) b.w -= b.x, b.h -= b.y;
    return b;
  };
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(truth)) files.insert(entry.path().filename());
  for (const auto& file : files) {
    const auto photo = static_cast<std::int32_t>(out.dataset.photos.size());
    out.dataset.photos.push_back({photo + 1, file.string()});
    for (const auto& w : lines(truth / file)) {
      out.dataset.objects.push_back(test::object(photo, category(w[0]), box(w, 1)));
      out.dataset.objects.back().difficult = w.size() == 6 && w[5] == "difficult";
    }
    for (const auto& w : lines(found / file)) {
      out.detections.boxes.push_back(test::scored(photo, category(w[0]), box(w, 2), std::stod(w[1])));
    }
  }
  return out;
}

TEST(Published, PascalSevenImages) {
  TESSERA_WANT_DATA("eval-fixtures");
  const auto folder = data() / "eval-fixtures/pascal-7-images";
  const auto [dataset, detections] = read_text_case(folder / "gts", folder / "dets", false);
  ASSERT_EQ(detections.boxes.size(), 24u);
  const Json want = Json::parse(slurp(folder / "expected.json"));
  ASSERT_EQ(want["eleven_point"].size(), 4u);
  for (const auto& [iou, value] : want["eleven_point"].items()) {  // ten digits
    EXPECT_NEAR(score_voc(dataset, detections, std::stod(iou)).eleven_point, value.get<double>(), 1e-9) << iou;
  }
  for (const auto& [iou, value] : want["every_point"].items()) {
    EXPECT_NEAR(score_voc(dataset, detections, std::stod(iou)).every_point, value.get<double>(), 1e-9) << iou;
  }
}

TEST(Published, CartuchoMap) {
  TESSERA_WANT_DATA("eval-fixtures");
  const auto folder = data() / "eval-fixtures/cartucho-map";
  const auto [dataset, detections] = read_text_case(folder / "ground-truth", folder / "detection-results", true);
  const VocScore score = score_voc(dataset, detections);
  std::istringstream output(slurp(folder / "output.txt"));
  int compared = 0;
  for (std::string line; std::getline(output, line);) {  // "22.73% = backpack AP " ... "mAP = 31.05%"
    if (line.starts_with("mAP = ")) {
      EXPECT_NEAR(score.every_point * 100, std::stod(line.substr(6)), kPercent);
      ++compared;
    }
    const auto equals = line.find("% = ");
    if (equals == std::string::npos) continue;
    const std::string name = line.substr(equals + 4, line.find(" AP") - equals - 4);
    for (std::size_t k = 0; k < dataset.categories.size(); ++k) {
      if (dataset.categories[k].name != name) continue;
      EXPECT_NEAR(score.categories[k].every_point * 100, std::stod(line), kPercent) << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 1 + std::ranges::count_if(score.categories, [](const VocCategory& c) { return c.objects > 0; }));
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace tessera::eval
