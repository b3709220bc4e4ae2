#include <fmt/format.h>

#include <yoke/compute_units.hpp>
#include <yoke/error.hpp>
#include <yoke/numbers_below.hpp>

namespace yoke {

namespace {

void destroy_streams(std::span<const compute_unit> units) noexcept {
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    if (unit->dev != nullptr) unit->dev->destroy_stream(unit->stream);
  }
}

}  // namespace

compute_units::compute_units(const configuration& shape, std::vector<place> places,
                             std::span<device* const> devices, std::span<const space_id> spaces)
    : shape_{shape},
      times_finished_{
          std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(shape.units()))},
      live_size_{std::make_shared<std::atomic<int>>(shape.units())} {
  const auto gpus = static_cast<std::size_t>(shape.gpu_units);
  YOKE_ASSERT(places.size() == static_cast<std::size_t>(shape.units()), "one place for each compute unit");
  YOKE_ASSERT(devices.size() == gpus && spaces.size() == gpus,
              "one device and space for each GPU compute unit");
  units_.reserve(places.size());
  for (int i = 0; i < shape.cpu_units; ++i) {
    units_.push_back({.id = unit_id{i}, .cpus = std::move(places[static_cast<std::size_t>(i)])});
  }
  try {
    for (std::size_t g = 0; g < gpus; ++g) {
      place& cpus = places[static_cast<std::size_t>(shape.cpu_units) + g];
      units_.push_back({.id = unit_id{size()},
                        .kind = unit_kind::gpu,
                        .cpus = std::move(cpus),
                        .space = spaces[g],
                        .dev = devices[g],
                        .stream = devices[g]->create_stream()});
    }
  } catch (...) {
    destroy_streams(units_);
    throw;
  }
}

compute_units::~compute_units() {
  live_size_->store(0, std::memory_order_relaxed);
  destroy_streams(units_);
}

const compute_unit& compute_units::at(unit_id id) const {
  if (id >= 0 && id < size()) return units_[static_cast<std::size_t>(int{id})];
  throw usage_error{fmt::format("compute unit {}: no such unit; configuration {} has {}", int{id},
                                shape_.text(), detail::numbers_below(size(), "unit"))};
}

void compute_units::finish(const compute_unit& unit) const {
  if (unit.dev == nullptr) return;
  unit.dev->synchronize(unit.stream);
  times_finished_[static_cast<std::size_t>(int{unit.id})].fetch_add(1, std::memory_order_release);
}

}  // namespace yoke
