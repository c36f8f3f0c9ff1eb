#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Runs where the planner could not see the input as other pixels.
class ReshapeReference final : public reference::ElementImpl {
 public:
  explicit ReshapeReference(const ImplContext& context) : ElementImpl(context) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    return reference::element(args.inputs[0], index);
  }
};

}  // namespace

std::unique_ptr<NodeImpl> make_reshape_reference(const ImplContext& context) {
  return std::make_unique<ReshapeReference>(context);
}

}  // namespace tessera
