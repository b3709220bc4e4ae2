#include "../src/shapes/distribution_kinds.hpp"

namespace yoke::detail {

extern const distribution_kind duplicate_distribution;
constinit const distribution_kind duplicate_distribution{.name = "duplicate"};

}  // namespace yoke::detail
