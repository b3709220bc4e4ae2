#include "cluster.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>

#include <yoke/error.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/simulator.hpp>

namespace tools {

namespace {

/// Schedules that learn have settled by then.
constexpr int passes_to_settle = 24;
/// Below that a loss is not worth a word.
constexpr double enough = 0.95;

/// What one node has to do with others.
struct node_load {
  std::vector<yoke::task_id> zones{};
  std::vector<char> at_border{};  ///< of those
  double weight = 0;
  std::set<int> others{};
  std::size_t bytes = 0;
};

/// As ranks share zones.
std::vector<yoke::unit_id> dealt(const yoke::workload& work, int nodes) {
  std::vector<yoke::unit> as_units(static_cast<std::size_t>(nodes));
  for (int node = 0; node < nodes; ++node)
    as_units[static_cast<std::size_t>(node)].space = yoke::space_id{node};
  const auto plan = yoke::scheduling::make("partition", work, as_units, "nodes");
  const std::vector<yoke::speed> alike(as_units.size(), {.launch = 0, .per_weight = 1e-9});
  return yoke::simulate(*plan, work, nodes, yoke::linear_time(work, alike), passes_to_settle).back().map;
}

std::vector<node_load> loads_of(const yoke::workload& work, int nodes) {
  const std::vector<yoke::unit_id> map = dealt(work, nodes);
  const auto node_of = [&](yoke::task_id zone) { return int{map[static_cast<std::size_t>(int{zone})]}; };
  std::vector<node_load> all(static_cast<std::size_t>(nodes));
  std::vector<char> is_border(map.size());
  for (const yoke::edge& each : work.edges) {
    const int from = node_of(each.from), to = node_of(each.to);
    if (from == to) continue;
    node_load& of = all[static_cast<std::size_t>(from)];
    of.others.insert(to);
    of.bytes += each.bytes;
    is_border[static_cast<std::size_t>(int{each.from})] = 1;
  }
  for (int zone = 0; zone < work.n_tasks; ++zone) {
    node_load& of = all[static_cast<std::size_t>(node_of(yoke::task_id{zone}))];
    of.zones.push_back(yoke::task_id{zone});
    of.at_border.push_back(is_border[static_cast<std::size_t>(zone)]);
    of.weight += weight_of(work, yoke::task_id{zone});
  }
  return all;
}

/// A tile of a grid of nodes that is as square as it gets, periodic as the zones are.
node_load tile_of(const cluster_case& what, int nodes) {
  const int across = 1 << (static_cast<int>(std::lround(std::log2(nodes))) / 2), along = nodes / across;
  node_load all;
  for (int zone = 0; zone < what.work.n_tasks; ++zone) {
    const int ix = zone % what.grid.x_zones, iy = zone / what.grid.x_zones;
    // In the order in which zones_of tells of a zone's faces.
    const bool leaves[] = {ix == 0 && across > 1, iy == 0 && along > 1,
                           ix == what.grid.x_zones - 1 && across > 1,
                           iy == what.grid.y_zones - 1 && along > 1};
    char is_border = 0;
    for (std::size_t face = 0; face < 4; ++face) {
      if (!leaves[face]) continue;
      is_border = 1;
      all.bytes += what.work.edges[4 * static_cast<std::size_t>(zone) + face].bytes;
    }
    all.zones.push_back(yoke::task_id{zone});
    all.at_border.push_back(is_border);
    all.weight += weight_of(what.work, yoke::task_id{zone});
  }
  const int neighbours = std::min(across - 1, 2) + std::min(along - 1, 2);
  for (int other = 1; other <= neighbours; ++other) all.others.insert(other);
  return all;
}

double compute_of(const cluster_case& what, const node_load& of) {
  yoke::workload own{.n_tasks = static_cast<int>(of.zones.size()), .name = what.work.name};
  for (const yoke::task_id zone : of.zones) own.weights.push_back(weight_of(what.work, zone));
  return of.zones.empty() ? 0 : yoke::best_of(what.node, own).found;
}

double border_of(const cluster_case& what, const node_load& of) {
  double border = 0;
  for (std::size_t i = 0; i < of.zones.size(); ++i)
    if (of.at_border[i] != 0) border += weight_of(what.work, of.zones[i]);
  return of.weight > 0 ? border / of.weight : 0;
}

/// Through host memory on both sides, whose links GPUs share out.
double staging_of(const cluster_case& what, std::size_t bytes) {
  double bandwidth = 0, latency = 0;
  for (const yoke::simulated_unit& each : what.node.units)
    if (each.seen.kind == yoke::unit_kind::gpu) {
      bandwidth += each.to_host.bandwidth;
      latency = std::max(latency, each.to_host.latency);
    }
  return bandwidth > 0 ? 2 * (latency + static_cast<double>(bytes) / bandwidth) : 0;
}

double exchange_of(const cluster_case& what, int nodes, int messages, std::size_t bytes) {
  if (messages == 0) return 0;
  return staging_of(what, bytes) + what.network.time(nodes, messages, bytes);
}

/// What of a step is more than its share of one node's: the largest part.
std::string limit_of(const cluster_row& row, const cluster_row& one, const cluster_case& what) {
  if (row.efficiency >= enough) return "-";
  double launch = 0;
  for (const yoke::simulated_unit& each : what.node.units) launch = std::max(launch, each.alone.launch);
  const double ideal = what.is_weak ? one.step_s : one.step_s / row.nodes;
  const double exposed = row.step_s - row.compute_s;
  const double launches = what.is_weak ? 0 : launch * (1 - 1.0 / row.nodes);
  const double uneven = row.compute_s - ideal - launches;
  if (exposed >= std::max(launches, uneven)) return "exchange";
  if (launches >= uneven) return "launches";
  return fmt::format("whole zones: {} on {} units", row.zones, what.node.units.size());
}

cluster_row row_of(const cluster_case& what, int nodes) {
  const std::vector<node_load> all =
      what.is_weak ? std::vector{tile_of(what, nodes)} : loads_of(what.work, nodes);
  const node_load& fullest = *std::ranges::max_element(all, {}, &node_load::weight);
  cluster_row row{.nodes = nodes,
                  .zones = static_cast<int>(fullest.zones.size()),
                  .compute_s = compute_of(what, fullest),
                  .border = border_of(what, fullest)};
  for (const node_load& each : all) {
    row.messages = std::max(row.messages, static_cast<int>(each.others.size()));
    row.bytes = std::max(row.bytes, each.bytes);
    row.exchange_s =
        std::max(row.exchange_s, exchange_of(what, nodes, static_cast<int>(each.others.size()), each.bytes));
  }
  const double inside = (1 - row.border) * row.compute_s;
  row.step_s = row.border * row.compute_s + std::max(inside, row.exchange_s);
  return row;
}

}  // namespace

std::vector<cluster_row> run_cluster(const cluster_case& what) try {
  std::vector<cluster_row> rows;
  for (int nodes = 1; nodes <= what.most_nodes; nodes *= 2) {
    cluster_row row = row_of(what, nodes);
    const cluster_row& one = rows.empty() ? row : rows.front();
    row.efficiency = one.step_s / (what.is_weak ? row.step_s : nodes * row.step_s);
    row.limit = limit_of(row, one, what);
    rows.push_back(std::move(row));
    if (!what.is_weak && nodes >= what.work.n_tasks) break;  // more nodes have nothing to do
  }
  return rows;
} catch (const yoke::usage_error& problem) {
  throw yoke::config_error{fmt::format("{} on {}: {}", what.work.name, what.machine_name, problem.what())};
}

std::string text_of(const cluster_case& what, const std::vector<cluster_row>& rows) {
  std::string text = fmt::format(
      "{}: {} zones {}, nodes of {} of {}; {:.3g} GB/s a node, {:.3g} us, {:.3g} us a message\n\n"
      "{:>6} {:>6} {:>11} {:>7} {:>9} {:>11} {:>11} {:>11} {:>11}  {}\n",
      what.work.name, what.work.n_tasks, what.is_weak ? "a node" : "in all", what.cus.text(),
      what.machine_name, what.network.bandwidth / 1e9, 1e6 * what.network.latency, 1e6 * what.network.message,
      "nodes", "zones", "compute s", "border", "messages", "bytes", "exchange s", "step s", "efficiency",
      "limit");
  for (const cluster_row& each : rows)
    text += fmt::format("{:>6} {:>6} {:>11.6g} {:>6.1f}% {:>9} {:>11} {:>11.6g} {:>11.6g} {:>10.1f}%  {}\n",
                        each.nodes, each.zones, each.compute_s, 100 * each.border, each.messages, each.bytes,
                        each.exchange_s, each.step_s, 100 * each.efficiency, each.limit);
  return text;
}

json as_json(const cluster_case& what, const std::vector<cluster_row>& rows) {
  json all = json::array();
  for (const cluster_row& each : rows)
    all.push_back({{"nodes", each.nodes},
                   {"zones", each.zones},
                   {"compute_s", each.compute_s},
                   {"border", each.border},
                   {"messages", each.messages},
                   {"bytes", each.bytes},
                   {"exchange_s", each.exchange_s},
                   {"step_s", each.step_s},
                   {"efficiency", each.efficiency},
                   {"limit", each.limit}});
  return {{"schema", "yoke-cluster/1"},       {"machine", what.machine_name}, {"cus", what.cus.text()},
          {"tasks", what.work.name},          {"n_tasks", what.work.n_tasks}, {"weak", what.is_weak},
          {"network", as_json(what.network)}, {"rows", std::move(all)}};
}

}  // namespace tools
