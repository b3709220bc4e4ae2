#pragma once
/// The command line of sp-mz, bt-mz and lu-mz.

#include "driver/faces/routes.hpp"
#include "driver/step/exchange_mode.hpp"

#include <memory>
#include <optional>
#include <string>

#include <yoke/output_file.hpp>
#include <yoke/settings.hpp>

namespace npb {

struct grid_size {
  int x = 0;
  int y = 0;
  int z = 0;
};

struct zone_grid {
  int x = 0;
  int y = 0;
};

struct options {
  char problem_class = 'W';
  std::optional<int> steps;        ///< --steps: without it, as the class says
  std::optional<grid_size> grid;   ///< --grid: instead of the class's
  std::optional<zone_grid> zones;  ///< --zones: instead of the class's
  std::optional<yoke::sourced> cus;
  std::optional<yoke::sourced> devices;
  std::optional<yoke::sourced> schedule;
  std::optional<yoke::sourced> trace;
  std::optional<yoke::sourced> profile;
  exchange_mode exchange = exchange_mode::dataflow;
  peer_faces between_devices = peer_faces::direct;       ///< --peer-faces
  bool links = false;                                    ///< --links: bandwidths are measured before the run
  bool graphs = true;                                    ///< --no-graph: devices launch every step anew
  std::string json;                                      ///< empty: none
  std::shared_ptr<yoke::detail::output_file> json_file;  ///< there
  bool over_zones = false;  ///< --march zones; always so on several ranks and with checkpoints
  std::string checkpoint;   ///< --checkpoint; empty: none
  int every = 100;          ///< --every: steps between two of them
  bool restart = false;     ///< --restart: from that
  bool samples = false;
  bool solo = false;
  bool explain = false;
  bool quiet = false;

  /// Another number of steps or another grid than the class's, or faces that stay away: there is no reference
  /// to verify against.
  bool is_custom() const {
    return steps.has_value() || grid.has_value() || zones.has_value() ||
           between_devices == peer_faces::frozen;
  }
};

/// What the command line asks for. nullopt after --help or --version, whose text is then in `text`.
/// `n_ranks`, `rank`: of a launcher; files are rank 0's. Errors: config_error naming the option, its value
/// and what is accepted.
std::optional<options> parse_options(int argc, const char* const* argv, const std::string& program,
                                     std::string& text, int n_ranks = 1, int rank = 0);

}  // namespace npb
