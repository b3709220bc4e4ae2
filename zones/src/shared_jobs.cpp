#include "shared_jobs.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

shared_jobs::shared_jobs(shared_order order) : order_{std::move(order)}, zones_(order_.neighbours.size()) {}

void shared_jobs::add(shared_job next) {
  open_job made{.what = std::move(next)};
  for (const shared_launch* const each : made.what.launches) made.left += each->weights.size();
  jobs_.push_back(std::move(made));
  for (int zone = 0; zone < std::ssize(zones_); ++zone)
    if (!at(zone).is_busy) skip(zone);
}

/// To its next launch, of those that are known.
void shared_jobs::skip(int zone) {
  place& of = zones_[static_cast<std::size_t>(zone)].at;
  for (; of.job < end(); of = {of.job + 1, 0}) {
    const auto launches = job_of(of).what.launches;
    const auto has_none = [&](const shared_launch* each) {
      return each->share_of[static_cast<std::size_t>(zone)] < 0;
    };
    while (of.launch < launches.size() && has_none(launches[of.launch])) ++of.launch;
    if (of.launch < launches.size()) return;
  }
}

bool shared_jobs::is_ready(int zone) const {
  return std::ranges::all_of(order_.neighbours[static_cast<std::size_t>(zone)],
                             [&](int each) { return at(each).at >= at(zone).at; });
}

/// The zone that is behind most, and before that place, of those that can go on; -1: none.
int shared_jobs::find(std::span<const int> among, place before) const {
  int best = -1;
  for (const int zone : among)
    if (at(zone).at < before && !at(zone).is_busy && is_ready(zone)) {
      best = zone;
      before = at(zone).at;
    }
  return best;
}

int shared_jobs::find_other(std::size_t member) const {
  place before{end(), 0};
  for (const int zone : order_.zones_of[member]) before = std::min(before, at(zone).at);
  int best = -1;
  const std::size_t n = order_.zones_of.size();
  for (std::size_t i = 1; i < n; ++i) {
    const int zone = find(order_.zones_of[(member + i) % n], before);
    if (zone < 0) continue;
    best = zone;
    before = at(zone).at;
  }
  return best;
}

std::optional<shared_jobs::claim> shared_jobs::next(std::size_t member) {
  int zone = find(order_.zones_of[member], {end(), 0});
  if (zone < 0) zone = find_other(member);
  if (zone < 0) return std::nullopt;
  zone_state& of = zones_[static_cast<std::size_t>(zone)];
  of.is_busy = true;
  const open_job& job = job_of(of.at);
  const shared_launch* const launch = job.what.launches[of.at.launch];
  const auto share = static_cast<std::uint32_t>(launch->share_of[static_cast<std::size_t>(zone)]);
  return claim{zone, launch, share, of.at.job, job.error != nullptr};
}

void shared_jobs::done(const claim& what, const std::exception_ptr& error) {
  zone_state& of = zones_[static_cast<std::size_t>(what.zone)];
  open_job& job = job_of(of.at);
  if (job.error == nullptr) job.error = error;
  --job.left;
  of.is_busy = false;
  ++of.at.launch;
  skip(what.zone);
}

std::optional<shared_jobs::ended_job> shared_jobs::take_ended() {
  if (jobs_.empty() || jobs_.front().left > 0) return std::nullopt;
  ended_job ended{std::move(jobs_.front().what.over), std::move(jobs_.front().error)};
  jobs_.pop_front();
  ++first_;
  return ended;
}

}  // namespace yoke::detail
