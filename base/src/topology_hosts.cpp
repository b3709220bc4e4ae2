// A matching: a host that is already given goes to another CPU of its list where that lets one more have one.
#include <algorithm>
#include <map>
#include <set>

#include <yoke/topology.hpp>

namespace yoke {

namespace {

class host_matching {
 public:
  host_matching(const topology& machine, const std::vector<std::vector<int>>& near)
      : machine_{machine}, near_{near}, hosts_(near.size(), -1) {}

  /// Gives list `which` a CPU, others perhaps another one than before.
  bool place(std::size_t which) {
    std::set<int> seen;
    return place(which, seen);
  }
  bool is_taken(int cpu) const { return holder_.contains(machine_.core_of(cpu)); }
  void take(std::size_t which, int cpu) {
    hosts_[which] = cpu;
    holder_[machine_.core_of(cpu)] = which;
  }
  std::vector<int> hosts() const { return hosts_; }

 private:
  bool place(std::size_t which,
             std::set<int>& seen) {  // NOLINT(misc-no-recursion): as deep as there are lists
    for (const int cpu : near_[which]) {
      if (!is_taken(cpu)) return take(which, cpu), true;
    }
    for (const int cpu : near_[which]) {
      const int core = machine_.core_of(cpu);
      if (!seen.insert(core).second) continue;
      if (!place(holder_.at(core), seen)) continue;
      return take(which, cpu), true;
    }
    return false;
  }

  const topology& machine_;
  const std::vector<std::vector<int>>& near_;
  std::vector<int> hosts_;
  std::map<int, std::size_t> holder_;  ///< which list has a core
};

}  // namespace

std::vector<int> unique_hosts(const topology& machine, const std::vector<std::vector<int>>& near) {
  host_matching matching{machine, near};
  std::vector<std::size_t> far;
  for (std::size_t which = 0; which < near.size(); ++which)
    if (!matching.place(which)) far.push_back(which);
  const std::vector<int> usable = machine.usable_cpus(false);
  for (const std::size_t which : far) {
    const auto free =
        std::find_if(usable.rbegin(), usable.rend(), [&](int cpu) { return !matching.is_taken(cpu); });
    if (free != usable.rend()) matching.take(which, *free);
  }
  return matching.hosts();
}

}  // namespace yoke
