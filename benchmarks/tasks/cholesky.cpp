/// The tiled Cholesky factorization of docs/examples/blas_cholesky.hpp beside OpenBLAS's own, by turns.
#include "blas_cholesky.hpp"
#include "program/command_line.hpp"
#include "record/median.hpp"
#include "record/record.hpp"

#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/tasks.hpp>

namespace {

using json = nlohmann::ordered_json;

struct arguments {
  std::string cus = "2x1";
  int n = 4096;
  int tile = 256;
  int turns = 7;
  std::string json_file;
};

/// The threads of both wait for more in a loop for a while after their last work.
constexpr std::chrono::milliseconds until_others_sleep{300};

template <class Work>
double time_of(const Work& work) {
  std::this_thread::sleep_for(until_others_sleep);
  const yoke::ticks from = yoke::now();
  work();
  return yoke::elapsed(from, yoke::now());
}

double by_tasks(yoke::runtime& rt, yoke::tiles<double, 2>& tiles, const std::vector<double>& a) {
  openblas_set_num_threads(1);
  tiles.scatter(a);
  yoke::task_group g{rt};
  return time_of([&] {
    factorize(g, tiles);
    g.wait();
  });
}

double by_openblas(std::vector<double>& a, int n, int threads) {
  openblas_set_num_threads(threads);
  int info = 0;
  const double time = time_of([&] { dpotrf_("U", &n, a.data(), &n, &info); });
  if (info != 0) throw yoke::usage_error{"A is not positive definite"};
  return time;
}

void check(const char* who, double error) {
  if (!(error < 1e-13)) throw yoke::usage_error{fmt::format("{}: wrong, by {:.1e}", who, error)};
}

int cpus_of(const yoke::runtime& rt) {
  int n = 0;
  for (const yoke::compute_unit& each : rt.units().all()) n += static_cast<int>(each.cpus.size());
  return n;
}

void measure(const arguments& in) {
  yoke::runtime rt{yoke::runtime_options{.cus = in.cus, .devices = "none"}};
  yoke::tiles<double, 2> tiles{
      rt, {.rows = in.n, .columns = in.n, .tile_rows = in.tile, .tile_columns = in.tile}, "A"};
  const std::vector<double> whole = positive_matrix(in.n);
  std::vector<double> tasks, openblas, ratios, l(whole.size());
  for (int i = 0; i <= in.turns; ++i) {  // the first warms up
    const double ours = by_tasks(rt, tiles, whole);
    tiles.gather(l);
    check("tasks", cholesky_error(whole, l, in.n));
    std::vector<double> other = whole;
    const double theirs = by_openblas(other, in.n, cpus_of(rt));
    check("dpotrf", cholesky_error(whole, other, in.n));
    if (i == 0) continue;
    tasks.push_back(ours), openblas.push_back(theirs), ratios.push_back(theirs / ours);
  }
  const double n = in.n, flops = n * n * n / 3;
  fmt::print("{} x {} in tiles of {} on {}; medians of {} by turns\n", in.n, in.n, in.tile,
             rt.units().shape().text(), in.turns);
  fmt::print("tasks {:.2f} Gflop/s, dpotrf {:.2f} Gflop/s, ratio of the rates {:.3f}\n",
             flops / record::median(tasks) * 1e-9, flops / record::median(openblas) * 1e-9,
             record::median(ratios));
  if (!in.json_file.empty())
    record::write_json(in.json_file, json{{"schema", "yoke-cholesky/1"},
                                          {"record", record::of_run(rt)},
                                          {"n", in.n},
                                          {"tile", in.tile},
                                          {"openblas", openblas_get_config()},
                                          {"tasks_s", tasks},
                                          {"dpotrf_s", openblas},
                                          {"ratio", record::median(ratios)}});
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  bench::command_line app{"yoke-bench-cholesky",
                          "A Cholesky factorization by tiles, a task each, beside OpenBLAS's own."};
  app.add("--cus", in.cus, "as YOKE_CUS");
  app.add("--n", in.n, "rows of the matrix", bench::between(1, 32768));
  app.add("--tile", in.tile, "rows of a tile", bench::between(1, 32768));
  app.add("--turns", in.turns, "of which the medians are taken", bench::between(1, 1000));
  app.add("--json", in.json_file, "also write the figures to this file");
  return app.run(argc, argv, [&] {
    measure(in);
    return 0;
  });
}
