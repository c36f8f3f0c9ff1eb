#include "pull/known_models.h"

#include <algorithm>

// Where sums come from: the authors publish none. Those here were computed from the authors' files and agree between
// independent users of them; a file without one is checked for completeness only, and `pull` says so.
namespace tessera::cli {
namespace {

constexpr std::string_view kFastestBase =
    "https://raw.githubusercontent.com/dog-qiuqiu/Yolo-Fastest/96a2900d163196c396e73f3fdab04ca4dd9a2f70/ModelZoo/";
constexpr std::string_view kMobilenetBase =
    "https://raw.githubusercontent.com/dog-qiuqiu/MobileNet-Yolo/86c05bfc4e508d54a459a469faecc35a113454c1/";
constexpr std::string_view kDarknetBase = "https://raw.githubusercontent.com/AlexeyAB/darknet/master/";
constexpr std::string_view kDarknetPinned =
    "https://raw.githubusercontent.com/AlexeyAB/darknet/59596d7880f6504768df41d6daa586f5cb2b932f/";
constexpr std::string_view kDarknetReleases = "https://github.com/AlexeyAB/darknet/releases/download/";
constexpr std::string_view kPjreddieBase = "https://raw.githubusercontent.com/pjreddie/darknet/master/";
constexpr std::string_view kPjreddieFiles = "https://data.pjreddie.com/files/";

constexpr std::string_view kYoloLicense = "YOLO LICENSE v2 (public domain)";

constexpr std::string_view kDarknetLicense = "https://github.com/AlexeyAB/darknet/blob/master/LICENSE";
constexpr std::string_view kFastestLicense = "https://github.com/dog-qiuqiu/Yolo-Fastest/blob/master/LICENSE";
constexpr std::string_view kPjreddieLicense = "https://github.com/pjreddie/darknet/blob/master/LICENSE";
constexpr std::string_view kCocoNames80 = "634a1132eb33f8091d60f2c346ababe8b905ae08387037aed883953b7329af84";

constexpr KnownFile kDarknetNames{FileRole::names, "coco.names", kDarknetBase, "data/coco.names", kCocoNames80};
constexpr KnownFile kFastestNames{FileRole::names, "coco.names", kFastestBase, "yolo-fastest-1.1_coco/coco.names",
                                  kCocoNames80};

constexpr KnownFile kMobilenet[] = {
    {FileRole::model, "mobilenetv2-yolov3-nano.cfg", kMobilenetBase,
     "MobileNetV2-YOLOv3-Nano/COCO/MobileNetV2-YOLOv3-Nano-coco.cfg",
     "f9c93b9167275c94975984c8b1d8adbff990f2e3a983adc79d02e748d6ed763b"},
    {FileRole::weights, "mobilenetv2-yolov3-nano.weights", kMobilenetBase,
     "MobileNetV2-YOLOv3-Nano/COCO/MobileNetV2-YOLOv3-Nano-coco.weights",
     "60a6c2a86735fd39ff54d61f9a16f3ac3fe24a8b2e0d7740585bf2b54a5db81a"},
    kFastestNames,
};
constexpr KnownFile kFastest[] = {
    {FileRole::model, "yolo-fastest-1.1.cfg", kFastestBase, "yolo-fastest-1.1_coco/yolo-fastest-1.1.cfg",
     "f6df5775c1e862998cf69046eba9265be3ae84dfe8b2caab7529823f0795bf70"},
    {FileRole::weights, "yolo-fastest-1.1.weights", kFastestBase, "yolo-fastest-1.1_coco/yolo-fastest-1.1.weights",
     "1c445c42bbd6df63edea2cc69f99667b5650d663ca11e34b116240740cd42890"},
    kFastestNames,
};
constexpr KnownFile kFastestXl[] = {
    {FileRole::model, "yolo-fastest-1.1-xl.cfg", kFastestBase, "yolo-fastest-1.1_coco/yolo-fastest-1.1-xl.cfg",
     "c458427acc4fbeabceff4528ef7b65b066c0308ce599460f8ba299eba63abad3"},
    {FileRole::weights, "yolo-fastest-1.1-xl.weights", kFastestBase,
     "yolo-fastest-1.1_coco/yolo-fastest-1.1-xl.weights",
     "fac5fb41786c1f38f04972a658443b189f48720d7d117f9a044100e98a35b0c5"},
    kFastestNames,
};
constexpr KnownFile kYolov3[] = {
    {FileRole::model, "yolov3.cfg", kPjreddieBase, "cfg/yolov3.cfg",
     "22489ea38575dfa36c67a90048e8759576416a79d32dc11e15d2217777b9a953"},
    {FileRole::weights, "yolov3.weights", kPjreddieFiles, "yolov3.weights",
     "523e4e69e1d015393a1b0a441cef1d9c7659e3eb2d7e15f793f060a21b32f297"},
    kDarknetNames,
};
constexpr KnownFile kYolov3Tiny[] = {
    {FileRole::model, "yolov3-tiny.cfg", kPjreddieBase, "cfg/yolov3-tiny.cfg",
     "84eb7a675ef87c906019ff5a6e0effe275d175adb75100dcb47f0727917dc2c7"},
    {FileRole::weights, "yolov3-tiny.weights", kPjreddieFiles, "yolov3-tiny.weights",
     "dccea06f59b781ec1234ddf8d1e94b9519a97f4245748a7d4db75d5b7080a42c"},
    kDarknetNames,
};
constexpr KnownFile kYolov4[] = {
    {FileRole::model, "yolov4.cfg", kDarknetPinned, "cfg/yolov4.cfg",
     "a6d0f8e5c62cc8378384f75a8159b95fa2964d4162e33351b00ac82e0fc46a34"},
    {FileRole::weights, "yolov4.weights", kDarknetReleases, "darknet_yolo_v3_optimal/yolov4.weights",
     "e8a4f6c62188738d86dc6898d82724ec0964d0eb9d2ae0f0a9d53d65d108d562"},
    kDarknetNames,
};
constexpr KnownFile kYolov4Csp[] = {
    {FileRole::model, "yolov4-csp.cfg", kDarknetBase, "cfg/yolov4-csp.cfg", ""},
    {FileRole::weights, "yolov4-csp.weights", kDarknetReleases, "darknet_yolo_v4_pre/yolov4-csp.weights", ""},
    kDarknetNames,
};
constexpr KnownFile kYolov4Tiny[] = {
    {FileRole::model, "yolov4-tiny.cfg", kDarknetBase, "cfg/yolov4-tiny.cfg",
     "f858e3724962eedf3ac44e3b6cb3f0c3d9ed067c306bb831f539c578b924c90e"},
    {FileRole::weights, "yolov4-tiny.weights", kDarknetReleases, "yolov4/yolov4-tiny.weights",
     "cf9fbfd0f6d4869b35762f56100f50ed05268084078805f0e7989efe5bb8ca87"},
    kDarknetNames,
};
constexpr KnownFile kYolov7Tiny[] = {
    {FileRole::model, "yolov7-tiny.cfg", kDarknetBase, "cfg/yolov7-tiny.cfg", ""},
    {FileRole::weights, "yolov7-tiny.weights", kDarknetReleases, "yolov4/yolov7-tiny.weights", ""},
    kDarknetNames,
};
constexpr KnownFile kYoloxNano[] = {
    {FileRole::model, "yolox-nano.onnx", "https://github.com/Megvii-BaseDetection/YOLOX/releases/download/",
     "0.1.1rc0/yolox_nano.onnx", "c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d"},
    kDarknetNames,
};

constexpr KnownModel kModels[] = {
    {"mobilenetv2-yolov3-nano", "COCO-80, 320x320, 0.9 M parameters, 30.1 % mAP@50", kYoloLicense,
     "https://github.com/dog-qiuqiu/MobileNet-Yolo/blob/master/LICENSE", kMobilenet},
    {"yolo-fastest-1.1", "COCO-80, 320x320, 0.35 M parameters, 24.4 % mAP@50", kYoloLicense, kFastestLicense, kFastest},
    {"yolo-fastest-1.1-xl", "COCO-80, 320x320, 0.92 M parameters, 34.3 % mAP@50", kYoloLicense, kFastestLicense,
     kFastestXl},
    {"yolov3", "COCO-80, 416x416, 62 M parameters, 55.3 % mAP@50", kYoloLicense, kPjreddieLicense, kYolov3},
    {"yolov3-tiny", "COCO-80, 416x416, 8.9 M parameters, 33.1 % mAP@50", kYoloLicense, kPjreddieLicense, kYolov3Tiny},
    {"yolov4", "COCO-80, 608x608, 64 M parameters, 65.7 % mAP@50", kYoloLicense, kDarknetLicense, kYolov4},
    {"yolov4-csp", "COCO-80, 512x512, 53 M parameters, 64.8 % mAP@50", kYoloLicense, kDarknetLicense, kYolov4Csp},
    {"yolov4-tiny", "COCO-80, 416x416, 6.1 M parameters, 40.2 % mAP@50", kYoloLicense, kDarknetLicense, kYolov4Tiny},
    {"yolov7-tiny", "COCO-80, 416x416, 6.2 M parameters, 55.2 % mAP@50 at 640", kYoloLicense, kDarknetLicense,
     kYolov7Tiny},
    {"yolox-nano", "COCO-80, 416x416, 0.91 M parameters, 25.8 % mAP@50:95, ONNX", "Apache-2.0",
     "https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE", kYoloxNano, false},
};
static_assert(std::ranges::is_sorted(kModels, std::ranges::less{}, &KnownModel::name));

}  // namespace

std::span<const KnownModel> known_models() { return kModels; }

const KnownModel* find_known_model(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kModels, name, std::ranges::less{}, &KnownModel::name);
  return found != std::end(kModels) && found->name == name ? found : nullptr;
}

}  // namespace tessera::cli
