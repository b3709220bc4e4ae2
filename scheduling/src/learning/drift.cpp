#include "drift.hpp"

namespace yoke::scheduling {

namespace {

/// A pass that takes so much longer than the same map took before is late.
constexpr double late = 1.15;
/// After so many changes of the map it takes one more such period to be believed.
constexpr std::size_t usual_changes = 2;

}  // namespace

bool drift::notices(pass_time now, std::optional<pass_time> before, std::size_t changes) {
  const bool is_late = before && now.usual * (1 - 2 * now.error) > late * before->usual;
  late_ = is_late ? late_ + 1 : 0;
  return late_ >= (changes < usual_changes ? 2 : 3);
}

}  // namespace yoke::scheduling
