#include "record/record.hpp"
#include "result.hpp"
#include "samples_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <yoke/text.hpp>

namespace npb {

namespace {

using nlohmann::ordered_json;

ordered_json optional_number(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json norms_json(const run_result& r) {
  ordered_json norms{{"xcr", r.norms.xcr}, {"xce", r.norms.xce}};
  if (r.has_xci) norms["xci"] = r.norms.xci;
  return norms;
}

ordered_json units_json(const run_result& r) {
  ordered_json units = ordered_json::array();
  for (const unit_result& u : r.units) {
    units.push_back({{"id", u.id},
                     {"kind", u.is_gpu ? "gpu" : "cpu"},
                     {"place", u.place},
                     {"device", u.is_gpu ? ordered_json(u.device) : ordered_json(nullptr)},
                     {"tasks", u.tasks},
                     {"work", u.work},
                     {"busy_s", u.busy_s()},
                     {"idle_s", r.seconds - u.busy_s()},
                     {"advance_s", u.advance_s},
                     {"exchange_s", u.exchange_s},
                     {"waiting_s", u.waiting_s},
                     {"migrations", u.migrations},
                     {"replays", u.replays},
                     {"steps_ahead", u.steps_ahead}});
  }
  return units;
}

ordered_json links_json(const run_result& r) {
  ordered_json links = ordered_json::array();
  for (const yoke::memory_link& each : r.links.all()) {
    const ordered_json measured = each.bandwidth > 0 ? ordered_json(each.bandwidth) : ordered_json(nullptr);
    links.push_back({{"from", int{each.from}},
                     {"to", int{each.to}},
                     {"kind", name_of(each.kind)},
                     {"bytes_per_s", measured}});
  }
  return links;
}

ordered_json memory_json(const run_result& r) {
  ordered_json spaces = ordered_json::array();
  for (std::size_t s = 0; s < r.memory.size(); ++s) {
    const space_memory& space = r.memory[s];
    spaces.push_back({{"space", s},
                      {"name", space.name},
                      {"free", space.free},
                      {"beside_zones", space.beside},
                      {"all_zones", space.all_zones},
                      {"zones", std::ranges::count(r.places, yoke::space_id{static_cast<int>(s)})}});
  }
  return spaces;
}

}  // namespace

std::string json(const run_result& r, const yoke::runtime& rt) {
  ordered_json out{{"schema", "yoke-npb/1"},
                   {"record", record::of_run(rt)},
                   {"benchmark", r.benchmark},
                   {"class", r.class_name},
                   {"cus", r.cus},
                   {"devices", r.devices},
                   {"schedule", r.schedule},
                   {"march", r.zoned ? "zones" : "own"},
                   {"ranks", r.zoned ? r.zoned->ranks : 1},
                   {"exchange", r.exchange},
                   {"peer_faces", r.peer_faces},
                   {"iterations", r.iterations},
                   {"setup_s", r.setup_s},
                   {"deciding_s", r.deciding_s},
                   {"seconds", r.seconds},
                   {"mops", r.mops},
                   {"verification", to_string(r.verdict)},
                   {"norms", norms_json(r)},
                   {"hybrid_efficiency", optional_number(r.hybrid_efficiency())},
                   {"cpu_gain", optional_number(r.cpu_gain())},
                   {"best_step_s", r.best_step_s},
                   {"units", units_json(r)}};
  out["steps"] = ordered_json::array();
  for (const step_result& s : r.steps)
    out["steps"].push_back({{"compute_s", s.compute_s}, {"exchange_s", s.exchange_s}});
  out["tasks"] = ordered_json::array();
  for (const task_result& t : r.tasks)
    out["tasks"].push_back({{"id", t.id},
                            {"weight", t.weight},
                            {"unit", t.unit},
                            {"seconds", t.seconds},
                            {"apportioned", t.apportioned}});
  if (!r.samples.empty()) out["samples"] = samples_json(r);
  out["bytes"] = ordered_json::array();
  for (const bytes_result& b : r.bytes) out["bytes"].push_back({{"from", b.from}, {"to", b.to}, {"n", b.n}});
  out["links"] = links_json(r);
  out["memory"] = memory_json(r);
  return yoke::detail::json_text(out, 1) + "\n";
}

}  // namespace npb
