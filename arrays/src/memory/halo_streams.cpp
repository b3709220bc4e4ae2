#include "halo_streams.hpp"

#include <utility>

namespace yoke::detail {

std::shared_ptr<halo_streams> halo_streams::of(const std::shared_ptr<array_context>& context) {
  return shared_by_arrays(context->beside, context);
}

halo_streams::halo_streams(std::shared_ptr<array_context> context) : context_{std::move(context)} {
  all_.reserve(context_->gpus.size());
  try {
    for (gpu_unit gpu : context_->gpus) {
      gpu.stream = gpu.dev->create_urgent_stream();
      all_.push_back(gpu);
    }
  } catch (...) {
    destroy();
    throw;
  }
}

halo_streams::~halo_streams() { destroy(); }

/// Streams of a runtime that has ended are gone with its devices.
void halo_streams::destroy() noexcept {
  if (!context_->is_alive()) return;
  drain(all_);
  for (const gpu_unit& each : all_) each.dev->destroy_stream(each.stream);
}

}  // namespace yoke::detail
