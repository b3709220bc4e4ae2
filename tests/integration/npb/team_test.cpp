// A CPU CU of several CPUs: a program of its own, because libomp reads its places once.
#include "driver/march/march.hpp"
#include "six_zones.hpp"

#include <atomic>
#include <stdexcept>
#include <support/catch.hpp>
#include <vector>

namespace {

/// Throws in the k-th zone step, whichever thread takes it.
class failing_solver final : public npb::host_solver {
 public:
  failing_solver(std::unique_ptr<npb::host_solver> real, std::atomic<int>& left)
      : real_{std::move(real)}, left_{left} {}
  void advance(const npb::host_zone& zone) override {
    if (left_.fetch_sub(1) == 1) throw std::runtime_error{"a zone step fails"};
    real_->advance(zone);
  }

 private:
  std::unique_ptr<npb::host_solver> real_;
  std::atomic<int>& left_;
};

class failing_benchmark final : public npb::benchmark {
 public:
  explicit failing_benchmark(std::unique_ptr<npb::benchmark> real)
      : benchmark{real->what()}, real_{std::move(real)} {}
  void fail_step(int k) { left_ = k; }

  bool has_residual() const override { return real_->has_residual(); }
  void make_forcing(int zone, double* forcing, int n_threads) const override {
    real_->make_forcing(zone, forcing, n_threads);
  }
  void initialize(int zone, const npb::host_zone& fields, int n_threads) const override {
    real_->initialize(zone, fields, n_threads);
  }
  std::unique_ptr<npb::host_solver> make_host_solver(int n_threads,
                                                     const npb::zone_shape& largest) const override {
    return std::make_unique<failing_solver>(real_->make_host_solver(n_threads, largest), left_);
  }
  std::size_t host_scratch_bytes(int n_threads, const npb::zone_shape& largest) const override {
    return real_->host_scratch_bytes(n_threads, largest);
  }
  std::unique_ptr<npb::device_solver> make_device_solver() const override {
    return real_->make_device_solver();
  }
  npb::zone_norms norms(int zone, const npb::host_zone& fields) const override {
    return real_->norms(zone, fields);
  }

 private:
  std::unique_ptr<npb::benchmark> real_;
  mutable std::atomic<int> left_{0};  ///< zone steps until one fails; 0 or less: none will
};

npb::zone_norms norms_after(npb::march& zones, int steps) {
  zones.restart(steps);
  yoke::task_loop loop = zones.assigned(std::vector(6, yoke::unit_id{0}));
  zones.run(loop, steps);
  return npb::total_norms(zones.norms());
}

}  // namespace

TEST_CASE("a zone step that fails in one thread of a CU's team ends the run, and another has the same bits",
          "[npb]") {
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    failing_benchmark what{six_zones(kind)};
    yoke::runtime rt{{.cus = yoke::sourced{"1x2", "a test"}}};
    npb::march zones{rt, what, npb::exchange_mode::dataflow, true};
    zones.set_up(std::vector(6, yoke::unit_id{0}));
    const npb::zone_norms expected = norms_after(zones, 5);
    for (const int k : {1, 2, 6, 7, 13, 30}) {
      INFO(npb::short_name(kind) << ", zone step " << k << " fails");
      what.fail_step(k);
      CHECK_THROWS_WITH(norms_after(zones, 5), "a zone step fails");
      what.fail_step(0);
      CHECK(norms_after(zones, 5) == expected);
    }
  }
}
