// What chunks of all zones come to.
#include "rank_votes.hpp"
#include "unit_work.hpp"
#include "zones_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/zone_sum.hpp>

namespace yoke::detail {

namespace {

std::size_t chunks_of(const zone_box& box) {
  return static_cast<std::size_t>((box.points() + chunk_points - 1) / chunk_points);
}

/// Results of a unit, where it writes them and on the host.
class unit_results {
 public:
  unit_results(zones_core& of, const compute_unit& unit, std::size_t n)
      : host_{n * sizeof(double), "results of zones"}, at_{host_.data()} {
    std::vector<void*> addresses(of.rt().devices().size() + 1);
    addresses[0] = host_.data();
    if (unit.dev != nullptr) {
      device_ = device_slab{*unit.dev, n * sizeof(double), "results of zones"};
      addresses[static_cast<std::size_t>(unit.space)] = at_ = device_.data();
    }
    piece_ = owned_piece{of.engine().get(), "results of zones", n * sizeof(double), std::move(addresses)};
  }
  unit_results(const unit_results&) = delete;
  unit_results& operator=(const unit_results&) = delete;

  versions::piece what() const { return piece_.what(); }
  double* at() const { return reinterpret_cast<double*>(at_); }
  const double* bring() const {
    piece_.bring_to_host(false);
    return reinterpret_cast<const double*>(host_.data());
  }

 private:
  host_slab host_;
  device_slab device_;
  std::byte* at_;
  owned_piece piece_;  ///< ends before its memory
};

void check(const zones_core& of, const zone_operation& what) {
  refuse_in_forked_child();
  of.refuse_in_region("summed");
  for (const zone_use& each : what.uses) {
    if (each.of != &of) throw usage_error{fmt::format("{}: a field of other zones", what.name)};
    if (each.writes || each.reads_halo)
      throw usage_error{
          fmt::format("{}: {} with a role that writes or reads the halo; a sum takes in({}, "
                      "yoke::interior), of what a launch has written",
                      what.name, of.field(each.field).name, of.field(each.field).name)};
  }
}

std::vector<zone_memory> batch_of(zones_core& of, const zone_operation& what, unit_id unit) {
  std::vector<zone_memory> all;
  for (const int zone : of.layout().of(unit)) {
    zone_memory next{zone, of.boxes()[static_cast<std::size_t>(zone)], {}};
    for (const zone_use& each : what.uses)
      next.fields.push_back(of.storage(of.field(each.field).storage).memory->at_unit(zone));
    all.push_back(std::move(next));
  }
  return all;
}

/// Told, and not waited for.
std::unique_ptr<unit_results> start(zones_core& of, const zone_operation& what, const compute_unit& unit) {
  std::vector<zone_memory> batch = batch_of(of, what, unit.id);
  std::size_t n = 0;
  for (const zone_memory& each : batch) n += chunks_of(each.box);
  if (n == 0) return nullptr;
  auto made = std::make_unique<unit_results>(of, unit, n);
  unit_work work{unit, what.name, of.shared(unit.id)};
  work.add_call(what, std::move(batch), made->at());
  for (const zone_use& each : what.uses)
    work.use(of.storage(of.field(each.field).storage).memory->piece_of(unit.id), flow::role::in);
  work.use(made->what(), flow::role::out);
  work.complete();
  of.enqueue(unit.id, work.step());
  of.send_help();
  return made;
}

/// With those of zones on other ranks.
void share(zones_core& of, std::vector<std::vector<double>>& by_zone) {
  std::vector<double> mine;
  for (const auto& each : by_zone) mine.insert(mine.end(), each.begin(), each.end());
  const std::vector<std::vector<double>> all = gathered<double>(*of.among(), mine);
  std::vector<std::size_t> next(all.size());
  for (int zone = 0; zone < std::ssize(by_zone); ++zone) {
    const auto rank = static_cast<std::size_t>(of.rank_of(zone));
    const auto n = static_cast<std::ptrdiff_t>(chunks_of(of.boxes()[static_cast<std::size_t>(zone)]));
    const auto from = all[rank].begin() + static_cast<std::ptrdiff_t>(next[rank]);
    by_zone[static_cast<std::size_t>(zone)].assign(from, from + n);
    next[rank] += static_cast<std::size_t>(n);
  }
}

}  // namespace

std::vector<double> partials_of(zones_core& of, const zone_operation& what) {
  check(of, what);
  std::vector<std::unique_ptr<unit_results>> results;
  for (const compute_unit& each : of.rt().units().all()) results.push_back(start(of, what, each));
  std::vector<std::vector<double>> by_zone(of.boxes().size());
  for (std::size_t u = 0; u < results.size(); ++u) {
    if (results[u] == nullptr) continue;
    const double* next = results[u]->bring();
    for (const int zone : of.layout().zones_of[u]) {
      const std::size_t n = chunks_of(of.boxes()[static_cast<std::size_t>(zone)]);
      by_zone[static_cast<std::size_t>(zone)].assign(next, next + n);
      next += n;
    }
  }
  if (of.among() != nullptr) share(of, by_zone);
  std::vector<double> all;
  for (const auto& each : by_zone) all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace yoke::detail
