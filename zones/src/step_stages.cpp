#include "step_stages.hpp"

#include <algorithm>
#include <map>

namespace yoke::detail {

namespace {

/// Halos that hold what their zones' neighbours have, by storage; those that are not there do.
class current_halos {
 public:
  bool is_current(int storage) const {
    const auto found = state_.find(storage);
    return found == state_.end() || found->second;
  }
  void set(int storage, bool current) { state_[storage] = current; }
  void after(const stage_operation& done) {
    for (const storage_use& use : done.uses)
      if (use.writes) set(use.storage, false);
  }

 private:
  std::map<int, bool> state_;
};

std::vector<int> stale_for(const stage_operation& next, const current_halos& halos) {
  std::vector<int> stale;
  for (const storage_use& use : next.uses)
    if (use.reads_halo && !halos.is_current(use.storage)) stale.push_back(use.storage);
  return stale;
}

}  // namespace

bool stage::reads_halo_of(int storage) const {
  return std::ranges::any_of(operations, [&](const stage_operation& each) {
    return std::ranges::any_of(
        each.uses, [&](const storage_use& use) { return use.storage == storage && use.reads_halo; });
  });
}

bool stage::writes(int storage) const {
  return std::ranges::any_of(operations, [&](const stage_operation& each) {
    return std::ranges::any_of(each.uses,
                               [&](const storage_use& use) { return use.storage == storage && use.writes; });
  });
}

bool stage::hands(int storage) const {
  bool found = false;
  for (const stage_operation& each : operations)
    for (const storage_use& use : each.uses)
      if (use.storage == storage && use.writes) found = use.sends;
  return found;
}

step_stages::step_stages(std::span<const std::vector<stage_operation>> steps) {
  cut(steps);
  send();
}

void step_stages::cut(std::span<const std::vector<stage_operation>> steps) {
  current_halos halos;
  // The first time around shows which halos are stale where a period begins.
  for (int round = 0; round < 2; ++round) {
    stages_.clear();
    first_.clear();
    for (const auto& step : steps) {
      first_.push_back(static_cast<int>(stages_.size()));
      for (const stage_operation& next : step) {
        std::vector<int> stale = stale_for(next, halos);
        for (const int each : stale) halos.set(each, true);
        const bool begins = static_cast<int>(stages_.size()) == first_.back() || !stale.empty();
        if (begins) stages_.push_back({.exchanged = std::move(stale), .operations = {}, .sent = {}});
        stages_.back().operations.push_back(next);
        halos.after(next);
      }
    }
    first_.push_back(static_cast<int>(stages_.size()));
  }
}

int step_stages::writer_before(int stage, int storage) const {
  const int n = static_cast<int>(stages_.size());
  for (int back = 1; back <= n; ++back) {
    const int at = (stage - back + n) % n;
    if (stages_[static_cast<std::size_t>(at)].writes(storage)) return at;
  }
  return -1;
}

void step_stages::send() {
  for (int s = 0; s < static_cast<int>(stages_.size()); ++s)
    for (const int storage : stages_[static_cast<std::size_t>(s)].exchanged) {
      stage& writer = stages_[static_cast<std::size_t>(writer_before(s, storage))];
      if (std::ranges::find(writer.sent, storage) == writer.sent.end()) writer.sent.push_back(storage);
      if (writer.hands(storage)) stages_[static_cast<std::size_t>(s)].handed.push_back(storage);
    }
}

std::span<const stage> step_stages::of_step(int k) const {
  const auto begin = static_cast<std::size_t>(first_[static_cast<std::size_t>(k)]);
  const auto end = static_cast<std::size_t>(first_[static_cast<std::size_t>(k) + 1]);
  return std::span{stages_}.subspan(begin, end - begin);
}

bool step_stages::is_handed_after(int k, int storage) const {
  const std::size_t n = stages_.size(), first = static_cast<std::size_t>(first_[static_cast<std::size_t>(k)]);
  for (std::size_t i = 0; i < n; ++i) {
    const stage& next = stages_[(first + i) % n];
    if (std::ranges::find(next.exchanged, storage) != next.exchanged.end())
      return std::ranges::find(next.handed, storage) != next.handed.end();
  }
  return false;
}

halo_need step_stages::need_of(int storage, int k) const {
  const int n = static_cast<int>(stages_.size());
  for (int i = 0; i < n; ++i) {
    const stage& next = stages_[static_cast<std::size_t>((first_[static_cast<std::size_t>(k)] + i) % n)];
    if (std::ranges::find(next.exchanged, storage) != next.exchanged.end()) return halo_need::faces;
    if (next.reads_halo_of(storage)) return halo_need::refresh;
    if (next.writes(storage)) return halo_need::none;
  }
  return halo_need::none;
}

std::vector<int> step_stages::storages() const {
  std::vector<int> all;
  for (const stage& each : stages_)
    for (const stage_operation& operation : each.operations)
      for (const storage_use& use : operation.uses) all.push_back(use.storage);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

}  // namespace yoke::detail
