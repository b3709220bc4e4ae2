#include <span>
#include <utility>

#include <yoke/affinity.hpp>
#include <yoke/openmp.hpp>
#include <yoke/wide_team.hpp>

namespace yoke {

namespace {

/// Thread i of the team to CPU i, or all to `own` where there is one.
void move_team(std::span<const int> cpus, std::span<const int> own) {
  const int n = static_cast<int>(cpus.size());
#pragma omp parallel for num_threads(n) schedule(static)
  for (int i = 0; i < n; ++i)
    static_cast<void>(bind_this_thread(own.empty() ? cpus.subspan(static_cast<std::size_t>(i), 1) : own));
}

}  // namespace

wide_team::wide_team(std::vector<int> cpus, std::vector<int> own)
    : cpus_{std::move(cpus)}, own_{std::move(own)} {
  openmp::allow_levels(openmp::level() + 1);
  openmp::set_team_size(static_cast<int>(cpus_.size()));
  move_team(cpus_, {});
}

wide_team::~wide_team() {
  move_team(cpus_, own_);
  openmp::set_team_size(static_cast<int>(own_.size()));
}

}  // namespace yoke
