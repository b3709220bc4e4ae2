#include "machine_times.hpp"

#include "../maps/assignment.hpp"

#include <cmath>
#include <map>

namespace yoke::scheduling {

constexpr space_id nowhere{-1};

data_places::data_places(const simulated_machine& machine, const workload& work, data_start data)
    : machine_{machine},
      work_{work},
      has_links_{std::ranges::any_of(machine.units, [](const auto& u) { return u.to_host.bandwidth > 0; })},
      at_(static_cast<std::size_t>(work.n_tasks), data == data_start::in_place ? nowhere : host_space) {
  if (!has_links_) return;
  senders_.resize(at_.size());
  for (const edge& e : work.edges) {
    senders_[index(e.from)].push_back({e.to, e.bytes});
    senders_[index(e.to)].push_back({e.from, e.bytes});
  }
}

seconds data_places::bring(unit_id unit, std::span<const task_id> batch) {
  if (!has_links_) return 0;
  const simulated_unit& to = machine_.units[index(unit)];
  seconds time = 0;
  for (const task_id task : batch) {
    time += time_of_data(to, task);
    at_[index(task)] = to.seen.space;
  }
  return time + time_of_edges(to, batch);
}

seconds data_places::time_of_data(const simulated_unit& to, task_id task) const {
  const space_id from = at_[index(task)];
  if (work_.bytes.empty() || from == to.seen.space || from == nowhere) return 0;
  return time_between(to, from, work_.bytes[index(task)]);
}

/// What goes between the same two memories goes at once. An exchange with host memory is the device's work;
/// of one between two devices each has what it receives.
seconds data_places::time_of_edges(const simulated_unit& to, std::span<const task_id> batch) const {
  if (to.seen.space == host_space || work_.edges.empty()) return 0;
  std::map<int, std::size_t> bytes;
  for (const task_id task : batch)
    for (const neighbour& other : senders_[index(task)])
      if (const space_id there = at_[index(other.task)]; there != to.seen.space && there != nowhere)
        bytes[there] += there == host_space ? other.bytes : other.bytes / 2;
  seconds time = 0;
  for (const auto& [space, n] : bytes) time += time_between(to, space_id{space}, n);
  return time;
}

seconds data_places::time_between(const simulated_unit& to, space_id other, std::size_t bytes) const {
  if (other == host_space) return to.to_host.time_of(bytes);
  if (to.seen.space == host_space) return link_of(other).time_of(bytes);
  if (machine_.between_devices.bandwidth > 0) return machine_.between_devices.time_of(bytes);
  return link_of(other).time_of(bytes) + to.to_host.time_of(bytes);
}

link_speed data_places::link_of(space_id space) const {
  const auto found =
      std::ranges::find_if(machine_.units, [&](const auto& u) { return u.seen.space == space; });
  return found == machine_.units.end() ? link_speed{} : found->to_host;
}

machine_times::machine_times(const simulated_machine& machine, const workload& work, data_start data)
    : machine_{machine}, work_{work}, places_{machine, work, data} {
  for (std::size_t u = 0; u < machine.units.size(); ++u) {
    std::seed_seq seeds{machine.seed, static_cast<std::uint64_t>(u)};
    courses_.push_back({.random = std::mt19937_64{seeds}});
  }
}

seconds machine_times::operator()(unit_id unit, pass_id pass, std::span<const task_id> batch) {
  const simulated_unit& of = machine_.units[index(unit)];
  seconds time = of.alone.launch + of.alone.per_weight * weight_of(work_, batch);
  if (!machine_.changes.empty()) time /= change_of(unit, pass);
  if (of.drift > 0) time *= drift_of(unit, pass);
  if (of.noise > 0) time *= noise_of(unit);
  return time + places_.bring(unit, batch);
}

seconds machine_times::rehearsal(unit_id unit, task_id task) {
  const speed with_all = machine_.speeds()[index(unit)];
  const seconds time = with_all.launch + with_all.per_weight * weight_of(work_, task);
  return machine_.units[index(unit)].noise > 0 ? time * noise_of(unit) : time;
}

double machine_times::change_of(unit_id unit, pass_id pass) const {
  double speed = 1;
  for (const speed_change& change : machine_.changes)
    if (change.unit == unit && change.pass <= pass) speed = change.speed;
  return speed;
}

double machine_times::drift_of(unit_id unit, pass_id pass) {
  course& own = courses_[index(unit)];
  std::normal_distribution<double> step{0, machine_.units[index(unit)].drift};
  for (; own.pass < pass; ++own.pass) own.drifted += step(own.random);
  return std::exp(-own.drifted);
}

double machine_times::noise_of(unit_id unit) {
  const double deviation = machine_.units[index(unit)].noise;
  const double sigma = std::sqrt(std::log1p(deviation * deviation));
  return std::lognormal_distribution{-sigma * sigma / 2, sigma}(courses_[index(unit)].random);
}

}  // namespace yoke::scheduling
