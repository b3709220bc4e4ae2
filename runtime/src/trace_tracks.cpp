#include "trace_tracks.hpp"

#include <fmt/format.h>
#include <string>

#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

std::vector<std::string> track_names(const configuration& shape, const std::vector<place>& places,
                                     const gpu_units& gpus) {
  std::vector<std::string> names;
  for (int unit = 0; unit < shape.units(); ++unit) {
    const int gpu = unit - shape.cpu_units;
    const std::string cpus = places_text({places[static_cast<std::size_t>(unit)]});
    names.push_back(gpu < 0 ? fmt::format("CU {} (CPUs {})", unit, cpus)
                            : fmt::format("CU {} (CPU {}, {})", unit, cpus,
                                          gpus.of_unit[static_cast<std::size_t>(gpu)]->info().name));
  }
  names.emplace_back("outside of compute units");
  for (int unit = 0; unit < shape.units(); ++unit)
    names.push_back(fmt::format("CU {}: shares of batches by weight", unit));
  for (const auto* const some : {&gpus.devices, &gpus.slices})
    for (const auto& dev : *some) names.push_back("kernels on " + dev->info().name);
  return names;
}

}  // namespace

trace_tracks::trace_tracks(const configuration& shape, const std::vector<place>& places,
                           const gpu_units& gpus)
    : n_cus_{shape.units()}, recorder_{track_names(shape, places, gpus)} {}

void trace_tracks::by_caller(const char* category, std::string_view name, ticks from, ticks to,
                             const trace_arguments& arguments) {
  const bool on_unit = openmp::level() == 1 && openmp::outer_thread() < n_cus_;
  recorder_.span(on_unit ? openmp::outer_thread() : n_cus_, category, name, from, to, arguments);
}

current_slot<trace_tracks>& current_trace() noexcept {
  static current_slot<trace_tracks> slot;
  return slot;
}

}  // namespace yoke::detail
