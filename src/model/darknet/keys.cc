#include "model/darknet/keys.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::darknet {
namespace {

using enum KeyUse;

// What the training program reads for every layer, whatever its kind.
constexpr Key kLayerKeys[] = {
    {"burnin_update", training},
    {"clip", training},
    {"dont_update", training},
    {"dontload", only, "0"},  // such a layer has no numbers in the weights file
    {"dontloadscales", only, "0"},
    {"dontsave", training},
    {"learning_rate", training},
    {"onlyforward", training},
    {"receptive_field_scale", training},
    {"stopbackward", training},
    {"stream", training},
    {"train_only_bn", training},
    {"wait_stream", training},
    {"wait_stream_id", training},
};

constexpr Key kNetKeys[] = {
    {"B1", training},
    {"B2", training},
    {"adam", training},
    {"adversarial_lr", training},
    {"angle", training},
    {"aspect", training},
    {"attention", training},
    {"augment_speed", training},
    {"badlabels_rejection_percentage", training},
    {"batch", training},
    {"batches_cycle_mult", training},
    {"batches_per_cycle", training},
    {"blur", training},
    {"burn_in", training},
    {"center", training},
    {"channels"},
    {"clip", training},
    {"contrastive", training},
    {"contrastive_color", training},
    {"contrastive_jit_flip", training},
    {"cutmix", training},
    {"decay", training},
    {"dynamic_minibatch", training},
    {"ema_alpha", training},
    {"eps", training},
    {"equidistant_point", training},
    {"exposure", training},
    {"flip", training},
    {"gamma", training},
    {"gaussian_noise", training},
    {"height"},
    {"hue", training},
    {"init_sequential_subdivisions", training},
    {"inputs", training},
    {"label_smooth_eps", training},
    {"learning_rate", training},
    {"learning_rate_min", training},
    {"letter_box"},
    {"loss_scale", training},
    {"max_batches", training},
    {"max_chart_loss", training},
    {"max_crop", training},
    {"max_ratio", training},
    {"min_crop", training},
    {"min_ratio", training},
    {"mixup", training},
    {"momentum", training},
    {"mosaic", training},
    {"mosaic_bound", training},
    {"num_sigmas_reject_badlabels", training},
    {"optimized_memory", training},
    {"policy", training},
    {"power", training},
    {"random", training},
    {"resize_step", training},
    {"saturation", training},
    {"scale", training},
    {"scales", training},
    {"seq_scales", training},
    {"sequential_subdivisions", training},
    {"show_receptive_field", training},
    {"step", training},
    {"steps", training},
    {"subdivisions", training},
    {"time_steps", training},
    {"track", training},
    {"try_fix_nan", training},
    {"unsupervised", training},
    {"use_cuda_graph", training},
    {"weights_reject_freq", training},
    {"width"},
    {"workspace_size_limit_MB", training},
};

static_assert(std::ranges::is_sorted(kLayerKeys, {}, &Key::name));
static_assert(std::ranges::is_sorted(kNetKeys, {}, &Key::name));

const Key* find_key(std::span<const Key> keys, std::string_view name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

Error unknown_key(const SectionReader& reader, const CfgEntry& entry, std::span<const Key> own,
                  std::span<const Key> common) {
  std::vector<Key> known(own.begin(), own.end());
  known.insert(known.end(), common.begin(), common.end());
  return reader.fail(Code::invalid_argument, entry.key,
                     text("key ", quoted(entry.key), " is not known here", did_you_mean(entry.key, known, &Key::name)));
}

}  // namespace

std::span<const Key> layer_keys() { return kLayerKeys; }
std::span<const Key> net_keys() { return kNetKeys; }

Status check_keys(const SectionReader& reader, std::span<const Key> own) {
  const auto common = reader.section().index < 0 ? std::span<const Key>() : layer_keys();
  for (const CfgEntry& entry : reader.section().entries) {
    const Key* key = find_key(own, entry.key);
    if (key == nullptr) key = find_key(common, entry.key);
    if (key == nullptr) return unknown_key(reader, entry, own, common);
    if (key->use == only && entry.value != key->value) {
      const auto wish =
          key->value.empty() ? std::string("it is not supported") : text("only '", key->value, "' is supported");
      return reader.fail(Code::unsupported, entry.key,
                         text("key '", key->name, "' is ", quoted(entry.value), "; ", wish));
    }
  }
  return {};
}

}  // namespace tessera::darknet
