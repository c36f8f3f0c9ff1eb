#include "device/choose.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "graph/passes/passes.h"

namespace tessera {
namespace {

// Calls use(attrs) with a default-made object of each operator.
template <class Use, std::size_t... I>
void for_each_op(const Use& use, std::index_sequence<I...>) {
  (use(Attrs(std::in_place_index<I>)), ...);
}
template <class Use>
void for_each_op(const Use& use) {
  for_each_op(use, std::make_index_sequence<std::variant_size_v<Attrs>>());
}

void append_name(std::string& list, std::string_view name) { list += text(list.empty() ? "" : ", ", name); }

std::set<std::string> all_impls(const DeviceInfo& device) {
  std::set<std::string> names;
  for_each_op([&](const Attrs& op) {
    for (const NodeImplInfo& impl : device.impls(op)) names.insert(impl.name);
  });
  return names;
}

/// "winograd" names conv_winograd_avx512 and all others with that word.
std::set<std::string> impls_named(const std::set<std::string>& all, const std::string& name) {
  std::set<std::string> out;
  for (const std::string& impl : all) {
    if (impl == name || impl.find(text("_", name, "_")) != std::string::npos) out.insert(impl);
  }
  return out;
}

Error unknown_switch(const DeviceInfo& device, std::string_view name) {
  std::string known;
  for (const Pass& pass : passes()) append_name(known, pass.name);
  known += ", reuse, zero-copy, chains";
  for (const std::string& impl : all_impls(device)) append_name(known, impl);
  return {Code::invalid_argument, text("cannot disable '", name, "': device '", device.name, "' knows ", known)};
}

}  // namespace

std::string impl_names(std::span<const NodeImplInfo> impls) {
  std::string names;
  for (const NodeImplInfo& impl : impls) append_name(names, impl.name);
  return names;
}

Result<Disabled> sort_disabled(const DeviceInfo& device, std::span<const std::string> names) {
  Disabled out;
  const std::set<std::string> impls = all_impls(device);
  for (const std::string& name : names) {
    const std::set<std::string> named = impls_named(impls, name);
    if (name == "reuse") {
      out.memory.reuse = false;
    } else if (name == "zero-copy") {
      out.memory.zero_copy = false;
    } else if (name == "chains") {
      out.memory.chains = false;
    } else if (std::ranges::any_of(passes(), [&name](const Pass& pass) { return name == pass.name; })) {
      out.passes.push_back(name);
    } else if (!named.empty()) {
      out.impls.insert(named.begin(), named.end());
    } else {
      return unknown_switch(device, name);
    }
  }
  return out;
}

Result<std::map<std::string, const NodeImplInfo*>> find_forced(const DeviceInfo& device, const CpuInfo& cpu,
                                                               const std::map<std::string, std::string>& names) {
  std::map<std::string, std::span<const NodeImplInfo>> by_op;
  for_each_op([&](const Attrs& op) {
    if (!device.impls(op).empty()) by_op[op_name(op)] = device.impls(op);
  });
  std::map<std::string, const NodeImplInfo*> out;
  for (const auto& [op, name] : names) {
    const auto found = by_op.find(op);
    if (found == by_op.end()) {
      std::string known;
      for (const auto& [other, impls] : by_op) append_name(known, other);
      return Error{Code::invalid_argument, text("kernel ", op, "=", name, ": device '", device.name,
                                                "' has no operator '", op, "'; there are ", known)};
    }
    const auto impls = found->second;
    const auto impl = name == "naive" ? impls.end() - 1
                                      : std::ranges::find(impls, std::string_view(name), [](const NodeImplInfo& info) {
                                          return std::string_view(info.name);
                                        });
    if (impl == impls.end()) {
      return Error{Code::invalid_argument, text("kernel ", op, "=", name, ": device '", device.name,
                                                "' has none of that name; there are naive, ", impl_names(impls))};
    }
    if (!cpu.supports(impl->isa)) {
      return Error{Code::unsupported, text("kernel ", op, "=", name, ": needs ", to_string(impl->isa),
                                           ", allowed here is ", to_string(cpu.best()))};
    }
    out[op] = &*impl;
  }
  return out;
}

std::optional<std::string> Chooser::reason_against(const NodeImplInfo& impl, const ImplContext& context) const {
  if (disabled.contains(impl.name)) return "disabled";
  if (!context.cpu.supports(impl.isa)) return text("needs ", to_string(impl.isa));
  if (exact && !impl.exact) return "not exact";
  return impl.rejects(context);
}

std::vector<const NodeImplInfo*> Chooser::contenders(const ImplContext& context) const {
  const auto impls = device->impls(context.node->attrs);
  std::vector<const NodeImplInfo*> out;
  for (const NodeImplInfo& impl : impls) {
    if (reason_against(impl, context)) continue;
    if (!out.empty() && (impl.isa != out.front()->isa || &impl == &impls.back())) continue;
    out.push_back(&impl);
  }
  return out;
}

Result<const NodeImplInfo*> Chooser::choose(const ImplContext& context, NodeChoice& choice) const {
  const char* op = op_name(context.node->attrs);
  choice = {context.node->name, "", {}};
  const auto wanted = forced.find(op);
  if (wanted != forced.end()) {
    const auto why = exact && !wanted->second->exact ? "not exact" : wanted->second->rejects(context);
    if (!why) {
      choice.impl = wanted->second->name;
      return wanted->second;
    }
    choice.skipped.push_back(text(wanted->second->name, ": forced, but ", *why));
  }
  for (const NodeImplInfo& impl : device->impls(context.node->attrs)) {
    auto why = reason_against(impl, context);
    if (!why && impl.slower) why = impl.slower(context);
    if (why) {
      choice.skipped.push_back(text(impl.name, ": ", *why));
      continue;
    }
    choice.impl = impl.name;
    return &impl;
  }
  std::string reasons;
  for (const std::string& reason : choice.skipped) append_name(reasons, reason);
  return Error{Code::unsupported,
               text(op, " '", context.node->name, "': device '", device->name, "' has nothing that takes it",
                    reasons.empty() ? "" : " (", reasons, reasons.empty() ? "" : ")")};
}

}  // namespace tessera
