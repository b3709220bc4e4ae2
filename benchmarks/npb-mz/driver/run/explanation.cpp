#include "result.hpp"

#include <fmt/format.h>
#include <iterator>

namespace npb {

namespace {

using sink = std::back_insert_iterator<std::string>;

double seconds_per_zone(const unit_result& u) {
  return u.tasks > 0 ? u.busy_s() / static_cast<double>(u.tasks) : 0;
}

/// Time of a zone on the units of one kind, together; 0 where they ran none.
double kind_seconds_per_work(const run_result& r, bool gpu) {
  double busy = 0;
  double work = 0;
  for (const unit_result& u : r.units) {
    if (u.is_gpu != gpu) continue;
    busy += u.busy_s();
    work += u.work;
  }
  return work > 0 ? busy / work : 0;
}

void unit_lines(sink out, const run_result& r) {
  for (const unit_result& u : r.units) {
    fmt::format_to(out, "  CU {} ({}): ", u.id, u.is_gpu ? u.device : "CPUs " + u.place);
    if (u.tasks == 0) {
      fmt::format_to(out, "no zones\n");
      continue;
    }
    fmt::format_to(
        out,
        "{:.1f} zones a step at {:.4g} ms each; solver {:.3f} s, exchange {:.3f} s ({:.1f}%), waiting "
        "for faces {:.3f} s, {} migrations",
        static_cast<double>(u.tasks) / r.iterations, 1e3 * seconds_per_zone(u), u.advance_s, u.exchange_s,
        100 * u.exchange_s / u.busy_s(), u.waiting_s, u.migrations);
    if (u.is_gpu) fmt::format_to(out, ", {} graphs replayed in {} steps", u.replays, r.iterations);
    fmt::format_to(out, "\n");
  }
}

/// What the schedule thinks of each CU that it was told of in this run.
void model_lines(sink out, const run_result& r) {
  for (std::size_t u = 0; u < r.learnt.units.size(); ++u) {
    const yoke::unit_profile& one = r.learnt.units[u];
    if (!one.is_known()) continue;
    fmt::format_to(
        out, "  Model of CU {}: {:.4g} ms a zone, nine of ten within {:.4g} ms, and {:.4g} ms for a launch\n",
        u, 1e3 * one.usual.per_weight * r.mean_weight, 1e3 * one.careful.per_weight * r.mean_weight,
        1e3 * one.usual.launch);
  }
}

void solo_lines(sink out, const run_result& r) {
  if (!r.solo) return;
  fmt::format_to(out, "  Alone, in steps a second: CPU CUs {:.4g}", r.solo->cpu_rate);
  for (std::size_t g = 0; g < r.solo->gpu_rates.size(); ++g)
    fmt::format_to(out, ", {} {:.4g}", r.devices[g], r.solo->gpu_rates[g]);
  fmt::format_to(out, "; together {:.4g}\n", 1 / r.step_s());
  for (const std::string& note : r.solo->notes) fmt::format_to(out, "  {}\n", note);
}

}  // namespace

std::string explanation(const run_result& r) {
  if (r.zoned) return "\n Why\n" + r.zoned->explained;
  std::string text;
  const sink out = std::back_inserter(text);
  fmt::format_to(out, "\n Why\n  Schedule: {}\n", r.described);
  unit_lines(out, r);
  const double cpu = kind_seconds_per_work(r, false);
  const double gpu = kind_seconds_per_work(r, true);
  if (cpu > 0 && gpu > 0)
    fmt::format_to(out, "  PCF measured: {:.3g} (time of a zone on a CPU CU / on a GPU CU)\n", cpu / gpu);
  model_lines(out, r);
  fmt::format_to(out, "  Deciding took {:.3g} ms ({:.2f}% of the time), in which nothing ran\n",
                 1e3 * r.deciding_s, 100 * r.deciding_s / r.seconds);
  fmt::format_to(out, "  The step is bound by {}.\n  What would help: {}.\n", bound_text(r),
                 what_would_help(r));
  solo_lines(out, r);
  for (const bytes_result& b : r.bytes)
    fmt::format_to(out, "  {:.3g} MB from space {} to space {}\n", 1e-6 * static_cast<double>(b.n), b.from,
                   b.to);
  return text;
}

}  // namespace npb
