#pragma once
/// What the tests of runs share.

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <yoke/yoke.hpp>

/// Every schedule of the list, plain and with each of its options.
inline std::vector<std::string> every_schedule() {
  std::vector<std::string> specs;
  for (const yoke::scheduling::schedule_info& info : yoke::scheduling::all()) {
    specs.emplace_back(info.name);
    for (const char* option : {"chunk=", "gpu_chunk=", "pcf="})
      if ((", " + std::string{info.options}).find(std::string{", "} + option) != std::string::npos)
        specs.push_back(std::string{info.name} + "," + option + "3");
  }
  return specs;
}

/// Work that the clock sees, however fine it is: ends when it has advanced.
inline void wait_for_clock() {
  const yoke::ticks begin = yoke::now();
  while (yoke::now() <= begin) {
  }
}

/// How often each task ran. CHECK is not thread-safe, so bodies count and the test looks afterwards.
class counts {
 public:
  explicit counts(int n) : ran_(static_cast<std::size_t>(n)) {}
  void add(std::span<const yoke::task_id> batch) {
    for (const yoke::task_id task : batch) add(task);
  }
  void add(yoke::task_id task) { ++ran_[static_cast<std::size_t>(int{task})]; }
  bool all(int expected) const {
    for (const auto& each : ran_) {
      if (each != expected) return false;
    }
    return true;
  }

 private:
  std::vector<std::atomic<int>> ran_;
};

/// Two batches for each CU: the tasks t with t mod CUs == unit, first half, then the rest.
class round_robin final : public yoke::schedule {
 public:
  round_robin(int n_tasks, int n_units) : tasks_(static_cast<std::size_t>(n_units)), at_(tasks_.size()) {
    for (int t = 0; t < n_tasks; ++t)
      tasks_[static_cast<std::size_t>(t % n_units)].push_back(yoke::task_id{t});
  }
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id) override {
    const auto u = static_cast<std::size_t>(int{unit});
    const std::span<const yoke::task_id> all{tasks_[u]};
    const std::size_t half = all.size() / 2;
    switch (at_[u]++ % 3) {
      case 0:
        return half > 0 ? all.first(half) : all;
      case 1:
        return half > 0 ? all.subspan(half) : all.first(0);
      default:
        return {};
    }
  }
  void done(yoke::unit_id, yoke::pass_id, std::span<const yoke::task_id> batch, yoke::seconds time) override {
    ++batches_done;
    tasks_done += static_cast<int>(batch.size());
    last_time = time;
  }
  yoke::pass_plan plan_of(yoke::pass_id) const override { return {.until = yoke::pass_plan::for_good}; }
  std::string describe() const override { return "round-robin"; }

  std::atomic<int> batches_done{0};
  std::atomic<int> tasks_done{0};
  std::atomic<double> last_time{-1};

 private:
  std::vector<std::vector<yoke::task_id>> tasks_;
  std::vector<std::size_t> at_;
};

/// Gives these tasks to CU 0, right or wrong.
class broken_schedule final : public yoke::schedule {
 public:
  explicit broken_schedule(std::vector<yoke::task_id> tasks) : tasks_{std::move(tasks)} {}
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id) override {
    if (unit != 0 || given_) return {};
    given_ = true;
    return tasks_;
  }
  yoke::pass_plan plan_of(yoke::pass_id) const override { return {.until = yoke::pass_plan::for_good}; }
  std::string describe() const override { return "broken"; }

 private:
  std::vector<yoke::task_id> tasks_;
  bool given_ = false;
};

struct add_one {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const { x[at.x] += 1; }
};

/// A vector in pieces, each a region and the data of one task.
class pieces {
 public:
  pieces(int n, int length) : length_{length}, data_(static_cast<std::size_t>(n * length)) {
    for (int i = 0; i < n; ++i) {
      yoke::placement::register_mem(home(i), static_cast<std::size_t>(length) * sizeof(double));
    }
  }
  ~pieces() {
    for (std::size_t i = 0; i < data_.size(); i += static_cast<std::size_t>(length_)) {
      try {
        yoke::placement::unregister_mem(&data_[i]);
      } catch (const yoke::device_error&) {  // of a device that a test has lost
      }
    }
  }
  pieces(const pieces&) = delete;
  pieces& operator=(const pieces&) = delete;

  double* home(int i) { return &data_[static_cast<std::size_t>(i * length_)]; }
  /// Adds one to every element of piece i on the calling CU.
  void add_one_to(int i) {
    yoke::placement::migrate(home(i));
    auto* here = static_cast<double*>(yoke::placement::mem_addr(home(i)));
    yoke::launch_here<add_one>({.x = length_}, "add_one", yoke::device_ptr{here});
  }
  bool all_are(double value) {
    for (std::size_t i = 0; i < data_.size(); i += static_cast<std::size_t>(length_)) {
      yoke::placement::migrate(&data_[i], yoke::host_space);
    }
    for (const double each : data_) {
      if (each != value) return false;
    }
    return true;
  }

 private:
  int length_;
  std::vector<double> data_;
};

/// Every task has the unit of a map, anew in each pass; derived classes say which map.
class by_map : public yoke::schedule {
 public:
  explicit by_map(int n_units) : shares_(static_cast<std::size_t>(n_units)) {}

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    share& own = shares_[static_cast<std::size_t>(int{unit})];
    ++asked;
    if (own.pass == pass) return {};
    own = {.pass = pass, .tasks = {}};
    const std::vector<yoke::unit_id>& map = map_of(pass);
    for (std::size_t task = 0; task < map.size(); ++task)
      if (map[task] == unit) own.tasks.push_back(yoke::task_id{static_cast<int>(task)});
    return own.tasks;
  }

  std::atomic<int> asked{0};

 private:
  struct share {
    yoke::pass_id pass = -1;
    std::vector<yoke::task_id> tasks{};
  };
  virtual const std::vector<yoke::unit_id>& map_of(yoke::pass_id pass) const = 0;

  std::vector<share> shares_;
};
