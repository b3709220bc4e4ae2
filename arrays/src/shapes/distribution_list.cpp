#include "distribution_kinds.hpp"

#include <array>
#include <cstddef>

namespace yoke::detail {

#define YOKE_DECLARE(name) extern const distribution_kind name##_distribution;
#define YOKE_ADDRESS(name) &name##_distribution,

YOKE_FOR_EACH_DISTRIBUTION(YOKE_DECLARE)

namespace {

constexpr std::array list{YOKE_FOR_EACH_DISTRIBUTION(YOKE_ADDRESS)};

}  // namespace

std::span<const distribution_kind* const> distribution_kinds() { return list; }

const distribution_kind& kind_of(const distribution& how) {
  return *list[static_cast<std::size_t>(how.of())];
}

}  // namespace yoke::detail
