#include "probe_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>

#include <yoke/affinity.hpp>
#include <yoke/backends.hpp>
#include <yoke/cu.hpp>

namespace probe {

namespace {

/// Lines of all threads, printed in a fixed order at the end.
class report {
 public:
  void add(std::string line) {
    const std::scoped_lock lock{mutex_};
    lines_.push_back(std::move(line));
  }
  ~report() {
    std::ranges::sort(lines_);
    for (const std::string& line : lines_) fmt::print("{}\n", line);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

std::string queries() {
  using namespace yoke::cu;
  return fmt::format("cus={} cpus={} gpus={} inner={} is_cpu={} is_gpu={} cpu_id={} gpu_id={} stream={}",
                     n_cus(), n_cpus(), n_gpus(), n_inner_cpus(), is_cpu(), is_gpu(), cpu_id(), gpu_id(),
                     stream() != nullptr);
}

void print_inner(report& lines, int unit) {
  const int threads = std::max(yoke::cu::n_inner_cpus(), 1);
#pragma omp parallel num_threads(threads)
  {
    // A third level, so that the ancestor is looked up from any depth.
#pragma omp parallel num_threads(1)
    lines.add(fmt::format("unit {} inner level={} cu_id={} {} on={}", unit, yoke::openmp::level(),
                          int{yoke::cu::cu_id()}, queries(), joined(yoke::affinity_of_this_thread())));
  }
}

std::string environment(const char* name) { return yoke::detail::get_environment(name).value_or("(unset)"); }

}  // namespace

std::string joined(const std::vector<int>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

session::session(const std::string& cus, bool emulated) {
  const yoke::settings given = yoke::settings::from_environment();
  given.check_names(yoke::backend_settings());
  const yoke::sourced origin =
      cus.empty() ? given.cus.value_or(yoke::sourced{"1x1", "default"}) : yoke::sourced{cus, "--cus"};
  const yoke::configuration shape = parse_configuration(origin);
  const yoke::place_assignment prepared = yoke::prepare_places(shape, origin, emulated);
  if (!prepared.note.empty()) fmt::print("note: {}\n", prepared.note);
  yoke::bound_places bound = yoke::verify_places(shape, origin, prepared);
  for (int g = 0; g < shape.gpu_units; ++g) devices_.emplace_back(10 + g);
  std::vector<yoke::device*> devices;
  std::vector<yoke::space_id> spaces;
  for (support::fake_device& each : devices_) {
    devices.push_back(&each);
    spaces.emplace_back(static_cast<int>(devices.size()));
  }
  units_ = std::make_unique<yoke::compute_units>(shape, bound.places, devices, spaces);
  binding_ = std::make_unique<yoke::thread_binding>(shape, std::move(bound));
  binding_->bind(origin);
  yoke::detail::current_units().exchange(units_.get());
}

session::~session() { yoke::detail::current_units().exchange(nullptr); }

void session::print_places() const {
  std::vector<yoke::place> places;
  for (const yoke::compute_unit& unit : units_->all()) places.push_back(unit.cpus);
  fmt::print("places {}\n", yoke::places_text(places));
  fmt::print("binding {}\n", yoke::openmp::binding_in_force());
  fmt::print("bound by {}\n", binding_->by() == yoke::bound_by::openmp ? "OpenMP" : "Yoke");
  fmt::print("hot teams {}\n", environment("KMP_HOT_TEAMS_MAX_LEVEL"));
  fmt::print("OMP_PLACES {}\n", environment("OMP_PLACES"));
  fmt::print("OMP_PROC_BIND {}\n", environment("OMP_PROC_BIND"));
}

void session::print_units() const {
  report lines;
  const int threads = yoke::cu::n_cus();
#pragma omp parallel num_threads(threads)
  {
    const int unit = yoke::cu::cu_id();
    lines.add(fmt::format("unit {} outer level={} {} on={}", unit, yoke::openmp::level(), queries(),
                          joined(yoke::affinity_of_this_thread())));
    print_inner(lines, unit);
  }
}

void print_untouched() {
  report lines;
#pragma omp parallel num_threads(2)
  lines.add(fmt::format("thread on={}", joined(yoke::affinity_of_this_thread())));
  lines.add(fmt::format("OMP_PLACES {}", environment("OMP_PLACES")));
  lines.add(fmt::format("OMP_PROC_BIND {}", environment("OMP_PROC_BIND")));
  lines.add(fmt::format("KMP_HOT_TEAMS_MAX_LEVEL {}", environment("KMP_HOT_TEAMS_MAX_LEVEL")));
}

}  // namespace probe
