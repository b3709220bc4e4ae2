#pragma once
/// Zones of NPB-MZ on several nodes, a rank each, joined by a fat tree: what a step takes there, and why.

#include "json_fields.hpp"
#include "machine_file.hpp"

#include <string>
#include <vector>

#include <yoke/zone_grid.hpp>

namespace tools {

/// Nodes that are alike, and zones on them.
struct cluster_case {
  std::string machine_name;
  yoke::configuration cus;
  yoke::simulated_machine node;
  fat_tree network;
  yoke::zone_grid grid;
  yoke::workload work;  ///< zones of that grid
  int most_nodes = 1;
  bool is_weak = false;  ///< each node has all these zones, a tile of a larger grid
};

/// Of the node that is slowest in each.
struct cluster_row {
  int nodes = 1;
  int zones = 0;          ///< of the fullest node
  double compute_s = 0;   ///< its zones on its units
  double border = 0;      ///< part of that before its messages can leave
  int messages = 0;       ///< to and from it, the most of a node
  std::size_t bytes = 0;  ///< that it sends, the most of a node
  double exchange_s = 0;  ///< until they have arrived
  double step_s = 0;
  double efficiency = 1;  ///< of one node's step: over nodes times this, or over this where the work grows
  std::string limit{};    ///< what most of the rest is lost to
};

/// For 1, 2, 4, … nodes. Errors: config_error for what units or tasks have.
std::vector<cluster_row> run_cluster(const cluster_case& what);

std::string text_of(const cluster_case& what, const std::vector<cluster_row>& rows);
json as_json(const cluster_case& what, const std::vector<cluster_row>& rows);

}  // namespace tools
