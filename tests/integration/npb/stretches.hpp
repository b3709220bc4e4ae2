#pragma once
/// A schedule whose map holds for a stretch of passes, then comes the next one.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

using map_of_zones = std::vector<yoke::unit_id>;

struct stretch {
  yoke::pass_id until;
  map_of_zones map;
};

/// One stretch after the other; each CU gets its whole share at once.
class in_stretches final : public yoke::schedule {
 public:
  explicit in_stretches(std::vector<stretch> all) : all_{std::move(all)} {}

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    share& own = shares_[static_cast<std::size_t>(int{unit})];
    if (own.pass == pass) return {};
    own = {.pass = pass, .tasks = {}};
    const map_of_zones& map = at(pass).map;
    for (std::size_t zone = 0; zone < map.size(); ++zone)
      if (map[zone] == unit) own.tasks.push_back(yoke::task_id{static_cast<int>(zone)});
    return own.tasks;
  }
  yoke::pass_plan plan_of(yoke::pass_id pass) const override {
    const stretch& now = at(pass);
    return {.map = now.map, .until = now.until};
  }
  std::string describe() const override { return "in stretches"; }

 private:
  struct share {
    yoke::pass_id pass = -1;
    std::vector<yoke::task_id> tasks{};
  };
  const stretch& at(yoke::pass_id pass) const {
    return *std::ranges::find_if(all_, [&](const stretch& each) { return pass < each.until; });
  }

  std::vector<stretch> all_;
  std::array<share, 2> shares_{};
};
