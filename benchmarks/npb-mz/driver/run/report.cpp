#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace npb {

namespace {

using sink = std::back_insert_iterator<std::string>;

template <class Value>
void field(sink out, const char* name, const Value& value) {
  fmt::format_to(out, " {:<16} = {:>24}\n", name, value);
}

void norm_lines(sink out, const char* name, const std::array<double, n_components>& norms,
                const double* reference) {
  for (int m = 0; m < n_components; ++m) {
    const double value = norms[static_cast<std::size_t>(m)];
    fmt::format_to(out, "   {}{}  {:23.16e}", name, m + 1, value);
    if (reference != nullptr)
      fmt::format_to(out, "  {:19.12e}  {:9.2e}", reference[m], std::abs(value / reference[m] - 1));
    fmt::format_to(out, "\n");
  }
}

void norms(sink out, const run_result& r) {
  const bool compared = r.reference.has_value();
  fmt::format_to(out, "\n Norms {:>26}{}\n", "value",
                 compared ? "            reference    relative error" : "");
  norm_lines(out, "xcr", r.norms.xcr, compared ? r.reference->xcr.data() : nullptr);
  norm_lines(out, "xce", r.norms.xce, compared ? r.reference->xce.data() : nullptr);
  if (!r.has_xci) return;
  fmt::format_to(out, "   xci   {:23.16e}", r.norms.xci);
  if (compared && r.reference->xci)
    fmt::format_to(out, "  {:19.12e}  {:9.2e}", *r.reference->xci,
                   std::abs(r.norms.xci / *r.reference->xci - 1));
  fmt::format_to(out, "\n");
}

double total_work(const run_result& r) {
  double sum = 0;
  for (const unit_result& u : r.units) sum += u.work;
  return sum;
}

void units(sink out, const run_result& r) {
  fmt::format_to(out, "\n  CU  kind  {:<14} {:>9} {:>7} {:>10} {:>10}\n", "where", "tasks", "share", "busy s",
                 "idle s");
  const double work = total_work(r);
  for (const unit_result& u : r.units) {
    fmt::format_to(out, " {:>3}  {:<4}  {:<14} {:>9} {:>6.1f}% {:>10.3f} {:>10.3f}\n", u.id,
                   u.is_gpu ? "gpu" : "cpu", u.is_gpu ? u.device : "CPUs " + u.place, u.tasks,
                   100 * u.work / work, u.busy_s(), std::max(0.0, r.seconds - u.busy_s()));
  }
}

void balance(sink out, const run_result& r) {
  if (r.best_step_s > 0) {
    fmt::format_to(
        out,
        "\n Balance: {:.4g} ms a step; a map of whole zones, longest first, at these speeds would take "
        "{:.4g} ms ({:.1f}%)\n",
        1e3 * r.step_s(), 1e3 * r.best_step_s, 100 * r.best_step_s / r.step_s());
  }
  if (const auto efficiency = r.hybrid_efficiency())
    fmt::format_to(out, " Hybrid efficiency {:.3f}", *efficiency);
  if (const auto gain = r.cpu_gain()) fmt::format_to(out, ", CPU gain {:.3f}", *gain);
  if (r.hybrid_efficiency()) fmt::format_to(out, "\n");
}

/// What was chosen, what else there was, and what the step waits for.
void choice(sink out, const run_result& r) {
  const std::string idle = units_without_zones(r);
  fmt::format_to(out, " Choice: {}; the step is bound by {}{}{}\n", r.described, bound_text(r),
                 idle.empty() ? "" : "; no zones went to ", idle);
}

std::string space_text(const run_result& r, yoke::space_id space) {
  return space == yoke::host_space ? "host" : r.devices[static_cast<std::size_t>(space) - 1];
}

/// Those between devices; all of them where they were measured.
void links(sink out, const run_result& r) {
  for (const yoke::memory_link& each : r.links.all()) {
    const bool between_devices = each.from != yoke::host_space && each.to != yoke::host_space;
    if (!between_devices && each.bandwidth == 0) continue;
    fmt::format_to(out, " Link: {} to {}: {}{}\n", space_text(r, each.from), space_text(r, each.to),
                   name_of(each.kind),
                   each.bandwidth > 0 ? fmt::format(", {:.4g} GB/s", 1e-9 * each.bandwidth) : "");
  }
}

}  // namespace

std::string report(const run_result& r) {
  std::string text;
  const sink out = std::back_inserter(text);
  fmt::format_to(out, " {} on {}{}{}{}, schedule {}, {} zones, {} exchange\n", r.benchmark,
                 r.zoned && r.zoned->ranks > 1 ? fmt::format("{} ranks, rank 0 on ", r.zoned->ranks) : "",
                 r.cus, r.devices.empty() ? "" : " with ", fmt::join(r.devices, ", "), r.schedule, r.zones,
                 r.exchange);
  links(out, r);
  for (const std::string& note : r.notes) fmt::format_to(out, " Note: {}\n", note);
  fmt::format_to(out, "\n {} result\n", r.benchmark);
  field(out, "Class", r.class_name);
  field(out, "Size", r.size);
  field(out, "Iterations", r.iterations);
  field(out, "Time in seconds", fmt::format("{:.3f}", r.seconds));
  field(out, "Mop/s total", fmt::format("{:.2f}", r.mops));
  field(out, "Operation type", "floating point");
  field(out, "Verification", to_string(r.verdict));
  field(out, "Set-up seconds", fmt::format("{:.3f}", r.setup_s));
  norms(out, r);
  if (r.zoned) return text;
  units(out, r);
  balance(out, r);
  choice(out, r);
  return text;
}

}  // namespace npb
