#pragma once
// BoxDecode: raw detector heads -> boxes in original-image pixels, exactly as docs/boxdecode.md defines them.
// check_inference -> Plan -> Context -> execute. Links alone (tessera::boxdecode): usable behind any engine.

#include <tessera/boxdecode/error.h>
#include <tessera/boxdecode/params.h>
#include <tessera/boxdecode/result.h>
#include <tessera/tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace tessera::boxdecode {

/// How a head is scanned; chosen at preparation. All routes give the same bits as the reference.
enum class Route : std::uint8_t {
  CombinedDense,
  CombinedPacked,
  DenseFloat,
  DenseGeneric,
  DenseSingleBF16,
  MultiLabelGeneric,
  ObjectnessDense,
  ObjectnessPacked,
  PackedFullInt8,
  PackedPartialInt8,
  PackedPartialInt8Singleton,
  PackedSingleBF16,
  PackedStripeBF16,
};
const char* to_string(Route route) noexcept;

/// Lowest admitted raw value of a head. Int8: the byte, -128 (admit all) ... 128 (reject all). BFloat16 and Float32:
/// the sortable key (docs/boxdecode.md, "keys").
struct Cutoffs {
  std::int64_t score = 0;
  std::int64_t objectness = 0;
};

/// What is to be prepared; nothing in it is kept by the plan.
struct Request {
  std::span<const TensorSpec> inputs;   ///< batch one, HxWxC on the last three axes
  std::span<const TensorSpec> outputs;  ///< boxes {K,4} Int32 or Float32, scores {K} Float32, classes {K} Int32,
                                        ///< count {1} Int32; a mosaic of N > 1 images: one more leading axis N
  Params params;
  std::string_view scanner = {};  ///< "": the best this processor runs; "scalar", "avx2", "avx512", "neon" force one
};

struct PlanData;

/// A checked, immutable recipe. Cheap to copy; many threads may use one at once.
class Plan {
 public:
  /// Sizes and alignments in bytes. An index that does not exist has size 0.
  std::size_t input_bytes(std::size_t input) const noexcept;
  std::size_t input_alignment(std::size_t input) const noexcept;
  std::size_t output_bytes(std::size_t output) const noexcept;
  std::size_t output_alignment(std::size_t output) const noexcept;
  std::size_t workspace_bytes() const noexcept;
  std::size_t workspace_alignment() const noexcept;  ///< 64

  std::size_t head_count() const noexcept;
  std::size_t image_count() const noexcept;  ///< rows * cols of the mosaic
  /// For a head below head_count().
  Route route(std::size_t head) const noexcept;
  Cutoffs cutoffs(std::size_t head) const noexcept;
  std::string_view scanner() const noexcept;  ///< "scalar", "avx2", "avx512", "neon"

  /// For the library's own use.
  explicit Plan(std::shared_ptr<const PlanData> data) : data_(std::move(data)) {}
  const std::shared_ptr<const PlanData>& data() const noexcept { return data_; }

 private:
  std::shared_ptr<const PlanData> data_;
};

/// Checks everything that does not depend on data; reports the first violation in the documented order. May allocate.
[[nodiscard]] Result<Plan> check_inference(const Request& request);

/// Memory for one call. Contents of inputs are only read during the call.
struct Bindings {
  std::span<const std::span<const std::byte>> inputs;
  std::span<const std::span<std::byte>> outputs;
  std::span<const ImageSize> original_sizes = {};  ///< empty, or one per image: overrides original_image_size
};

struct ExecStats {
  std::uint64_t candidates_seen = 0;  ///< admitted, with a proper box; summed over images
  std::uint64_t candidates_kept = 0;  ///< of those, left by the candidate limit
  bool candidate_limit_hit = false;
};

/// One plan bound to one workspace, which must outlive it. Runs one execution at a time.
class Context {
 public:
  /// workspace: plan.workspace_bytes() bytes at plan.workspace_alignment(); contents do not matter. Allocates a little.
  static Result<Context> create(const Plan& plan, std::span<std::byte> workspace);
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  struct State;
  State& state() noexcept { return *state_; }  ///< for the library's own use

 private:
  explicit Context(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Decodes one set of heads. The result is a function of the plan, the input bytes and original_sizes alone. Allocates
/// nothing, locks nothing, keeps nothing. Every byte of every output is written: `count` rows, then zeros.
/// Errors (nothing is written): ContextBusy when the context is in use, Binding*, InvalidOriginalSize.
/// Threads: any number of contexts at once.
[[nodiscard]] Status execute(Context& context, const Bindings& bindings, ExecStats* stats = nullptr) noexcept;

}  // namespace tessera::boxdecode
