#include "verbs.h"

namespace tessera::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"detect", "Find objects in photos: pictures with boxes, JSON, COCO, CSV, YOLO text", add_detect},
    {"eval", "Measure accuracy (mAP) and speed together, or score a results file", add_eval},
    {"tune", "Measure speed and accuracy of many settings together, and choose one", add_tune},
    {"pull", "Fetch a known model from its authors", add_pull},
    {"inspect", "Show a model: layers, shapes, cost, preprocessing, memory plan", add_inspect},
    {"bench", "Measure a model on this machine", add_bench},
    {"compare", "Find the layer where two runs of a model part", add_compare},
    {"run", "Run any model on .npy tensors", add_run},

    {"convert", "Write a model as one native .tessera file", add_convert},
    {"version", "Show the version and what this machine can do", add_version},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace tessera::cli
