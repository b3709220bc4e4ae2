#include "green_contexts.hpp"
#include "slices.hpp"

#include <fmt/format.h>
#include <optional>
#include <utility>

#include <yoke/device_slice.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::gpu {

namespace {

/// What is launched on its streams, and what graphs captured from them launch there, runs on its SMs: a
/// kernel's node keeps the context of the stream that it was captured from (tests/gpu/gpu_slice_test.cpp).
class gpu_slice final : public device_slice {
 public:
  gpu_slice(device& whole, const device_request& request, std::unique_ptr<green_context> context)
      : device_slice{whole, request, context->sms(),
                     static_cast<double>(context->sms()) / whole.info().processors},
        context_{std::move(context)} {}

  ~gpu_slice() override {
    if (detail::is_forked_child()) detail::abandon(context_.release());
  }

  stream_handle make_stream(stream_kind kind) override {
    detail::refuse_in_forked_child();
    int least = 0, greatest = 0;
    const auto intent = [&] {
      return fmt::format("asking for the priorities of streams on {}", info().name);
    };
    check(set_device(info().ordinal), intent);
    check(device_get_stream_priority_range(&least, &greatest), intent);
    return {context_->make_stream(kind == stream_kind::urgent ? greatest : 0)};
  }

 private:
  std::unique_ptr<green_context> context_;
};

/// The groups of SMs that a slice takes.
struct group_range {
  int first = 0;
  int n = 0;
};

[[noreturn]] void refuse(const device_request& request, const device& whole, const sm_groups& groups) {
  const int n = groups.size(), sms = groups.sms_in_group();
  throw config_error{
      fmt::format("{}: {} deals its {} SMs out in {} groups of {}: it can have up to {} equal slices, or "
                  "slices of {} SMs "
                  "in all, each a multiple of {}",
                  name_of(request), whole.info().name, whole.info().processors, n, sms, n, n * sms, sms)};
}

/// Nothing where there are not so many.
std::optional<group_range> groups_of(const device_request& request, int taken, const sm_groups& groups) {
  if (groups.size() == 0) return std::nullopt;
  if (request.parts > 0) {
    const int each = groups.size() / request.parts;
    return each == 0 ? std::nullopt : std::optional{group_range{request.part * each, each}};
  }
  const int n = (request.sms + groups.sms_in_group() - 1) / groups.sms_in_group();
  return taken + n > groups.size() ? std::nullopt : std::optional{group_range{taken, n}};
}

}  // namespace

std::vector<std::unique_ptr<device>> split_device(device& whole, std::span<const device_request> requests) {
  const sm_groups groups{whole.info().ordinal, whole.info().name, requests.front().parts};
  std::vector<std::unique_ptr<device>> slices;
  int taken = 0;
  for (const device_request& request : requests) {
    const std::optional<group_range> mine = groups_of(request, taken, groups);
    if (!mine) refuse(request, whole, groups);
    taken += mine->n;
    slices.push_back(std::make_unique<gpu_slice>(
        whole, request, std::make_unique<green_context>(groups, mine->first, mine->n)));
  }
  return slices;
}

}  // namespace yoke::gpu
