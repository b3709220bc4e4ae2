/// Applications by arrays and loops with roles beside the same loops in plain OpenMP, by turns.
#include "apps.hpp"
#include "breakdown.hpp"
#include "pairs.hpp"
#include "program/command_line.hpp"
#include "record/median.hpp"
#include "record/record.hpp"
#include "streaming.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace {

using json = nlohmann::ordered_json;

struct arguments {
  apps::sizes sizes;
  std::string cus = "2x1";
  std::string devices = "none";
  apps::sampling how;
  bool breakdown = false;
  bool explain = false;
  std::vector<std::string> only;
  std::string json_file;
};

json record(const apps::app& of, const apps::measured_app& found) {
  const auto or_null = [](const auto& value) { return value ? json(*value) : json(); };
  json samples = json::array();
  for (const apps::pair& p : found.pairs) samples.push_back({or_null(p.plain), p.yoke});
  return {{"app", of.name},
          {"shape", of.shape},
          {"bytes", of.bytes},
          {"agree", found.results == apps::verdict::not_compared ? json() : json(is_good(found.results))},
          {"results", apps::name_of(found.results)},
          {"cut", of.explain()},
          {"seconds_plain_and_yoke", samples},
          {"median_ratio", or_null(found.median_ratio())}};
}

bool compare(apps::app& of, const arguments& in, json& out) {
  const apps::measured_app found = measure(of, in.how);
  const std::optional<yoke::seconds> plain = found.median_of_plain();
  const yoke::seconds yoke = found.median_of_yoke();
  const auto of_plain = [&](const auto& number, int digits) {
    return plain ? fmt::format("{:.{}f}", number(*plain), digits) : std::string{"-"};
  };
  fmt::print("{:<16} {:>13} {:>10} {:>10.3f} {:>8} {:>8.2f} {:>7}   {}\n", of.name, of.shape,
             of_plain([](yoke::seconds time) { return time * 1e3; }, 3), yoke * 1e3,
             of_plain([&](yoke::seconds time) { return of.bytes / time / 1e9; }, 2), of.bytes / yoke / 1e9,
             of_plain([&](yoke::seconds) { return *found.median_ratio(); }, 3), name_of(found.results));
  if (in.explain && !of.explain().empty()) fmt::print("{}\n", of.explain());
  out["apps"].push_back(record(of, found));
  return is_good(found.results);
}

int n_cpus(const yoke::runtime& rt) {
  std::size_t n = 0;
  for (const yoke::compute_unit& unit : rt.units().all()) n += unit.cpus.size();
  return static_cast<int>(n);
}

bool is_wanted(const std::string& name, const arguments& in) {
  return in.only.empty() || std::ranges::find(in.only, name) != in.only.end();
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const apps::known_app& each : apps::all_apps()) all.push_back(each.name);
  all.emplace_back("streaming-axpy");
  return all;
}

json record(const std::vector<apps::streaming_rates>& samples, bool agree) {
  json rates = json::array();
  for (const apps::streaming_rates& each : samples) rates.push_back({each.copies, each.triad, each.yoke});
  return {{"agree", agree},
          {"bytes_a_second_copies_triad_yoke", rates},
          {"median_ratio", record::median(samples, &apps::streaming_rates::ratio)},
          {"bar", apps::streaming_axpy::bar}};
}

/// Beside what copies and CPUs can do at once.
bool compare_streaming(yoke::runtime& rt, const arguments& in, json& out) {
  apps::streaming_axpy of{rt, in.sizes.elements};
  std::vector<apps::streaming_rates> samples;
  static_cast<void>(of.measure(in.how.sample_ms / 1e3));
  for (int n = 0; n < in.how.pairs; ++n) samples.push_back(of.measure(in.how.sample_ms / 1e3));
  const bool agree = of.agree();
  const double ratio = record::median(samples, &apps::streaming_rates::ratio);
  fmt::print(
      "streaming-axpy, {} elements from the host's memory: pinned copies {:.2f} GB/s and a triad {:.2f} at "
      "once; Yoke {:.2f}, {:.3f} of both ({} the bar of {})   {}\n",
      in.sizes.elements, record::median(samples, &apps::streaming_rates::copies) / 1e9,
      record::median(samples, &apps::streaming_rates::triad) / 1e9,
      record::median(samples, &apps::streaming_rates::yoke) / 1e9, ratio,
      ratio >= apps::streaming_axpy::bar ? "meets" : "misses", apps::streaming_axpy::bar,
      agree ? "agree" : "DIFFER");
  out["streaming_axpy"] = record(samples, agree);
  return agree;
}

/// The others, as rows of a table.
bool compare_with_plain(yoke::runtime& rt, const arguments& in, json& out) {
  if (in.only == std::vector<std::string>{"streaming-axpy"}) return true;
  fmt::print(
      "{} beside {} threads of plain OpenMP; milliseconds and GB/s of a run, medians of {} pairs by turns\n",
      in.cus, in.sizes.threads, in.how.pairs);
  fmt::print("{:<16} {:>13} {:>10} {:>10} {:>8} {:>8} {:>7}   {}\n", "", "shape", "plain", "Yoke", "plain",
             "Yoke", "ratio", "results");
  bool agree = true;
  for (const apps::known_app& each : apps::all_apps())
    if (is_wanted(each.name, in)) agree = compare(*each.make(rt, in.sizes), in, out) && agree;
  return agree;
}

json record(const apps::breakdown& of) {
  return {{"app", of.name},        {"copy_in", of.copy_in},   {"exchange", of.exchange},
          {"compute", of.compute}, {"copy_out", of.copy_out}, {"agree", of.agree}};
}

/// Where the time goes of AXPY once and of 20 steps of Jacobi's method, as often as there are pairs; the one
/// whose sum is the median.
bool break_down(yoke::runtime& rt, const arguments& in, json& out) {
  bool agree = true;
  fmt::print("{:<8} {:>12} {:>10} {:>10} {:>10} {:>10}   of ms\n", "", "copy in", "exchange", "compute",
             "copy out", "in all");
  const auto of_app = [&](const auto& measure_once) {
    static_cast<void>(measure_once());
    std::vector<apps::breakdown> all;
    for (int n = 0; n < in.how.pairs; ++n) {
      all.push_back(measure_once());
      agree = agree && all.back().agree;
      out["breakdowns"].push_back(record(all.back()));
    }
    std::ranges::sort(all, {}, &apps::breakdown::all);
    const apps::breakdown& middle = all[all.size() / 2];
    const double percent = 100 / middle.all();
    fmt::print("{:<8} {:>11.1f}% {:>9.1f}% {:>9.1f}% {:>9.1f}% {:>10.3f}   {}\n", middle.name,
               middle.copy_in * percent, middle.exchange * percent, middle.compute * percent,
               middle.copy_out * percent, middle.all() * 1e3, agree ? "agree" : "DIFFER");
  };
  of_app([&] { return apps::axpy_breakdown(rt, in.sizes.elements); });
  of_app([&] { return apps::jacobi_breakdown(rt, in.sizes.side(2), 20); });
  return agree;
}

bool compare_all(arguments in) {
  yoke::runtime rt{
      {.cus = yoke::sourced{in.cus, "--cus"}, .devices = yoke::sourced{in.devices, "--devices"}}};
  json out{{"schema", "yoke-apps/1"},
           {"record", record::of_run(rt)},
           {"cus", in.cus},
           {"elements", in.sizes.elements},
           {"residual_every", in.sizes.residual_every},
           {"alone", in.how.plain == apps::plain_runs::as_warm_up},
           {"no_plain", in.how.plain == apps::plain_runs::none},
           {"blas", in.sizes.blas},
           {"sample_ms", in.how.sample_ms}};
  in.sizes.threads = n_cpus(rt);
  bool agree = in.breakdown ? break_down(rt, in, out) : compare_with_plain(rt, in, out);
  if (!in.breakdown && is_wanted("streaming-axpy", in)) agree = compare_streaming(rt, in, out) && agree;
  if (!in.json_file.empty()) record::write_json(in.json_file, out);
  return agree;
}

void describe(bench::command_line& app, arguments& in) {
  app.add("--elements", in.sizes.elements, "of the largest array of each", bench::between(64, 2'000'000'000));
  app.add("--cus", in.cus, "configuration; plain loops have a thread for each of its CPUs");
  app.add("--devices", in.devices, "as YOKE_DEVICES");
  app.add("--only", in.only, "these applications alone", bench::one_of(names()));
  app.add("--residual-every", in.sizes.residual_every,
          "runs of jacobi-2d and jacobi-3d from one residual to the next", bench::between(1, 1'000'000));
  app.add_flag("--blas", in.sizes.blas, "products of matrices by OpenBLAS on CPUs, in both forms");
  app.add_flag("--alone", "times of the plain form from its warm-up only: where it is much slower",
               [&in] { in.how.plain = apps::plain_runs::as_warm_up; });
  app.add_flag("--no-plain",
               "the plain form does not run; products of matrices are checked on their diagonals, others not",
               [&in] { in.how.plain = apps::plain_runs::none; });
  app.exclude("--no-plain", "--alone");
  app.add_flag("--breakdown", in.breakdown,
               "instead: what AXPY once and 20 steps of Jacobi's method take to bring their data, exchange "
               "halos, compute and take data back");
  app.add_flag("--explain", in.explain, "how arrays are cut, and why");
  app.add("--pairs", in.how.pairs, "samples of both, by turns", bench::between(1, 10'000));
  app.add("--sample-ms", in.how.sample_ms, "milliseconds of a sample", bench::between(0.0, 1e5));
  app.add("--json", in.json_file, "also write the samples to this file");
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  bench::command_line app{
      "yoke-bench-apps",
      "Applications by arrays and in plain OpenMP: AXPY, BabelStream's kernels, sums, matrices, Jacobi's "
      "method and the heat equation, conjugate gradients for a sparse operator of 27 points, look-ups in "
      "tables, an empty loop; and a streaming AXPY beside plain copies and a triad at once. Ends "
      "with "
      "1 where the results differ."};
  describe(app, in);
  return app.run(argc, argv, [&] { return compare_all(in) ? 0 : 1; });
}
