#include "host_team.hpp"

#include "driver/step/team_of.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <omp.h>

namespace npb {

host_team::host_team(const benchmark& what, int n_threads)
    : what_{what},
      n_threads_{n_threads},
      weights_{what.what().weights()},
      together_{what.make_host_solver(n_threads, what.what().largest_zone())},
      alone_(static_cast<std::size_t>(n_threads)) {}

void host_team::advance(const zones_on_host& zones) {
  if (n_threads_ == 1 || zones.numbers.size() == 1) {
    for (const host_zone& each : zones.fields) together_->advance(each);
    return;
  }
  if (!std::ranges::equal(zones.numbers, planned_)) {
    planned_.assign(zones.numbers.begin(), zones.numbers.end());
    std::vector<yoke::task_id> places;
    std::vector<double> weights;
    for (const int zone : zones.numbers) {
      places.emplace_back(static_cast<int>(places.size()));
      weights.push_back(weights_[static_cast<std::size_t>(zone)]);
    }
    plan_ = yoke::scheduling::plan_team(places, weights, n_threads_, team_of(what_.what()));
  }
  run_own(zones);
  for (const yoke::task_id place : plan_.shared)
    together_->advance(zones.fields[static_cast<std::size_t>(int{place})]);
}

host_solver& host_team::alone(int thread) {
  std::unique_ptr<host_solver>& made = alone_[static_cast<std::size_t>(thread)];
  if (made == nullptr) made = what_.make_host_solver(1, what_.what().largest_zone());
  return *made;
}

/// Runs `body(thread)` for each thread of the CU. Errors: the first.
template <class Body>
void host_team::in_team(const Body& body) const {
  std::exception_ptr error;
#pragma omp parallel num_threads(n_threads_) if (n_threads_ > 1)
  for (int thread = omp_get_thread_num(); thread < n_threads_; thread += omp_get_num_threads()) {
    try {
      body(thread);
    } catch (...) {
#pragma omp critical
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

void host_team::run_own(const zones_on_host& zones) {
  in_team([&](int thread) {
    for (const yoke::task_id place : plan_.own[static_cast<std::size_t>(thread)])
      alone(thread).advance(zones.fields[static_cast<std::size_t>(int{place})]);
  });
}

namespace {

void copy(const plane& from, const double* source, const plane& to, double* target) {
  for (int m = 0; m < n_components; ++m)
    for (int k = 0; k < from.k_points; ++k) {
      const double* const given = source + from.first + m * from.component + std::int64_t{k} * from.k_stride;
      double* const taken = target + to.first + m * to.component + std::int64_t{k} * to.k_stride;
      for (int i = 0; i < from.line_points; ++i)
        taken[std::int64_t{i} * to.line_stride] = given[std::int64_t{i} * from.line_stride];
    }
}

}  // namespace

void host_team::send_faces(const zones_on_host& zones) const {
  const auto n = static_cast<int>(zones.fields.size());
  in_team([&](int thread) {
    for (int i = thread; i < n; i += n_threads_) {
      const host_zone& giver = zones.fields[static_cast<std::size_t>(i)];
      for (const side at : all_sides) {
        const int place = zones.takers[static_cast<std::size_t>(i)][static_cast<std::size_t>(at)];
        if (place < 0) continue;
        const host_zone& taker = zones.fields[static_cast<std::size_t>(place)];
        copy(inner_plane(giver.shape, at), giver.u, outer_plane(taker.shape, opposite(at)), taker.u);
      }
    }
  });
}

void host_team::for_each(const zones_on_host& zones, const work& each) const {
  const auto n = static_cast<int>(zones.numbers.size());
  const auto at = [&](int i, int n_threads) {
    each(zones.numbers[static_cast<std::size_t>(i)], zones.fields[static_cast<std::size_t>(i)], n_threads);
  };
  if (2 * n <= n_threads_) {
    for (int i = 0; i < n; ++i) at(i, n_threads_);
    return;
  }
  in_team([&](int thread) {
    for (int i = thread; i < n; i += n_threads_) at(i, 1);
  });
}

}  // namespace npb
