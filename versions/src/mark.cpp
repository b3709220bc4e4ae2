#include <algorithm>

#include <yoke/mark.hpp>

namespace yoke::versions {

void marks::add(const mark_ptr& next) {
  const auto same = std::ranges::find_if(all_, [&](const mark_ptr& each) {
    return each == next || (each->on() == next->on() && next->on() != stream{});
  });
  if (same == all_.end()) {
    all_.push_back(next);
  } else if ((*same)->number() < next->number()) {
    *same = next;
  }
}

void marks::forget_ended() {
  std::erase_if(all_, [](const mark_ptr& each) { return !each->is_under_way(); });
}

}  // namespace yoke::versions
