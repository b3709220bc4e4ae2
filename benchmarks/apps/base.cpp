#include "base.hpp"

#include <algorithm>

namespace apps {

std::int64_t sizes::side(int dimensions) const {
  return std::max<std::int64_t>(8, std::llround(std::pow(static_cast<double>(elements), 1.0 / dimensions)));
}

values wave(std::int64_t n) {
  values made;
  made.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) made.push_back(std::sin(0.37 * static_cast<double>(i % 10'007)));
  return made;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(a); }

void base::finish() {
  for (const yoke::compute_unit& unit : rt_.units().all())
    if (unit.dev != nullptr) unit.dev->synchronize(unit.stream);
}

void base::describe(const char* called, std::string as, double moved) {
  name = called;
  shape = std::move(as);
  bytes = moved * sizeof(double);
}

std::vector<known_app> all_apps() {
  std::vector<known_app> all = vectors();
  for (auto* more : {&matrices, &products, &stencils, &sparse, &lookups})
    std::ranges::move((*more)(), std::back_inserter(all));
  return all;
}

}  // namespace apps
