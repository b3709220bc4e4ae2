/// y = a x + y over an index range, shared by CPU and GPU CUs. The range is cut into pieces of `grain`
/// indices; a piece is a task, and its part of x and y is what is placed.
///
///   YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 ./saxpy_range [n [grain [passes]]]
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <yoke/yoke.hpp>

namespace {

struct saxpy {
  YOKE_HD void operator()(yoke::item at, double a, yoke::device_ptr<const double> x,
                          yoke::device_ptr<double> y) const {
    y[at.x] = a * x[at.x] + y[at.x];
  }
};

/// The indices [0, n) in pieces: task t has [first(t), last(t)).
struct index_range {
  std::int64_t n;
  std::int64_t grain;

  int n_tasks() const { return static_cast<int>((n + grain - 1) / grain); }
  std::int64_t first(int task) const { return task * grain; }
  std::int64_t last(int task) const { return std::min(n, first(task) + grain); }
  std::int64_t length(int task) const { return last(task) - first(task); }
  /// The last piece may be shorter: a schedule that weighs tasks shall know.
  std::vector<double> weights() const {
    std::vector<double> all;
    for (int t = 0; t < n_tasks(); ++t) all.push_back(static_cast<double>(length(t)));
    return all;
  }
};

/// The pieces of `values`, which are placed for themselves.
std::vector<yoke::placed<double>> pieces_of(yoke::runtime& rt, const index_range& range,
                                            std::vector<double>& values) {
  std::vector<yoke::placed<double>> all;
  for (int t = 0; t < range.n_tasks(); ++t) {
    const auto length = static_cast<std::size_t>(range.length(t));
    all.emplace_back(rt, std::span{values}.subspan(static_cast<std::size_t>(range.first(t)), length));
  }
  return all;
}

int run(const index_range& range, int passes) {
  yoke::runtime rt;
  std::vector<double> x_values(static_cast<std::size_t>(range.n), 2.0), y_values(x_values.size(), 1.0);
  std::vector<yoke::placed<double>> x = pieces_of(rt, range, x_values), y = pieces_of(rt, range, y_values);
  yoke::task_loop loop = rt.make_loop({.n_tasks = range.n_tasks(), .weights = range.weights()});
  for (int pass = 0; pass < passes; ++pass) {
    rt.run(loop, [&](std::span<const yoke::task_id> batch) {
      for (const int t : batch) {
        // Reads x and writes y, in the memory of the CU that calls.
        yoke::launch_here<saxpy>({.x = range.length(t)}, "saxpy", 0.5, std::as_const(x[t]), y[t]);
      }
    });
  }
  loop.print_cu_times();
  for (yoke::placed<double>& piece : y) piece.host();  // back from wherever it was
  const double expected = 1.0 + passes;
  const auto wrong = std::ranges::count_if(y_values, [&](double value) { return value != expected; });
  std::printf("saxpy over %lld indices in %d tasks, %d passes: %lld wrong\n", static_cast<long long>(range.n),
              range.n_tasks(), passes, static_cast<long long>(wrong));
  if (std::fflush(stdout) != 0) throw std::system_error{errno, std::generic_category(), "stdout"};
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, long long otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  const index_range range{.n = number(1, 1'000'003), .grain = number(2, 16'384)};
  if (range.n < 1 || range.grain < 1 || number(3, 1) < 1) {
    std::fprintf(stderr, "usage: saxpy_range [n [grain [passes]]], each at least 1\n");
    return 2;
  }
  try {
    return run(range, static_cast<int>(number(3, 3)));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "saxpy_range: %s\n", problem.what());
    return 1;
  }
}
