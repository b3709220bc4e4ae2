#include "described.hpp"

#include <fmt/format.h>

#include <yoke/runtime.hpp>
#include <yoke/text.hpp>

namespace npb {

namespace {

std::string setting(const yoke::runtime& rt, const std::string& name) {
  for (const yoke::setting_in_force& s : rt.settings_in_force())
    if (s.name == name) return s.value;
  return {};
}

}  // namespace

const char* text_of(peer_faces ways) {
  return ways == peer_faces::direct ? "direct" : ways == peer_faces::host ? "host" : "frozen";
}

void describe(run_result& r, const yoke::runtime& rt, const problem& p, const options& asked) {
  r.benchmark = p.name;
  r.class_name = p.class_name;
  r.size = fmt::format("{}x{}x{}", p.gx, p.gy, p.gz);
  r.zones = fmt::format("{}x{}", p.x_sizes.size(), p.y_sizes.size());
  r.cus = rt.units().shape().text();
  for (const yoke::compute_unit& unit : rt.units().all())
    if (unit.dev != nullptr) r.devices.push_back(unit.dev->info().name);
  r.schedule = yoke::detail::printable(setting(rt, "YOKE_SCHEDULE"));
  r.exchange = asked.exchange == exchange_mode::barrier ? "barrier" : "dataflow";
  r.peer_faces = text_of(asked.between_devices);
  r.notes.assign(rt.notes().begin(), rt.notes().end());
}

void add_times(run_result& r, const problem& p, const moments& at, int first) {
  r.setup_s = yoke::elapsed(at.begin, at.start);
  r.seconds = yoke::elapsed(at.start, at.stop);
  r.mops = p.nominal_mop(r.iterations - first) / r.seconds;
}

void add_verdict(run_result& r, const problem& p, const options& asked) {
  r.has_xci = p.kind == benchmark_kind::lu;
  if (asked.is_custom()) return;
  r.verdict = verify(p, r.iterations, r.norms);
  if (const reference_norms* reference = p.reference_for(r.iterations)) r.reference = *reference;
}

}  // namespace npb
