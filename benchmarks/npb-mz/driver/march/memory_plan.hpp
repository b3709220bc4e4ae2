#pragma once
/// What each memory space needs for the zones of a problem, known before anything is allocated.

#include "common/solver.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <yoke/host_memory.hpp>
#include <yoke/ids.hpp>
#include <yoke/runtime.hpp>

namespace npb {

/// A memory space in which some CU computes, or the host's. All numbers are bytes.
struct space_memory {
  std::string name;           ///< "host memory", "cuda:0"
  std::size_t free = 0;       ///< that the run may take
  std::size_t beside = 0;     ///< of these for faces, tables, norms and the scratch of CPU CUs
  std::size_t all_zones = 0;  ///< if all zones were there, with their work memory
  bool has_units = false;

  std::size_t for_zones() const { return free > beside ? free - beside : 0; }
  bool holds_all() const { return all_zones <= for_zones(); }
};

/// Of a runtime that has allocated nothing yet. Bounds, not estimates: what is allocated later never is more.
/// A GPU keeps 1/64 back for kernels and graphs, and so does the host; large fields take whole pages of 2 MiB
/// on a GPU.
class memory_plan {
 public:
  /// Errors: those of refuse, when the zones fit nowhere.
  memory_plan(const benchmark& what, const yoke::runtime& rt,
              const yoke::host_memory& host = yoke::free_host_memory());

  const std::vector<space_memory>& spaces() const { return spaces_; }
  /// Whether some space with CUs has no room for all zones: then zones are moved one by one, when there is
  /// room where they go.
  bool is_short() const { return is_short_; }
  /// Whether copies that zones leave behind must be freed at once.
  bool is_tight(yoke::space_id space) const { return tight_[static_cast<std::size_t>(space)] != 0; }
  std::size_t bytes(int zone, yoke::space_id space) const;

  /// Tells a schedule what there is. Where memory is short, a zone less: with that room on every side any map
  /// can be changed into any other, zone by zone (docs/guide/npb-mz.md).
  void limit(yoke::workload& work) const;
  /// Errors: out_of_memory when a space has no room for what this map puts there.
  void check(const std::vector<yoke::unit_id>& map) const;
  /// Throws out_of_memory with what is needed, what is free and what would fit.
  [[noreturn]] void refuse() const;
  /// Where the zones are, for a report: "memory is short: …".
  std::string note(const std::vector<yoke::space_id>& places) const;

 private:
  struct zone_bytes {
    std::size_t fields = 0;     ///< as a schedule knows them
    std::size_t on_device = 0;  ///< with work memory
  };
  zone_bytes bytes_of(const zone_shape& shape, const device_solver& solver) const;
  void add_spaces(const yoke::host_memory& host);
  std::size_t beside_on_host(const problem& p) const;
  std::size_t beside_on_device(const problem& p, yoke::space_id space) const;
  std::size_t bytes_of_work(const problem& p) const;
  bool would_fit(const problem& p) const;
  void find_tight_spaces();
  std::string text() const;
  std::string advice() const;

  const benchmark& what_;
  const yoke::runtime& rt_;
  std::vector<space_memory> spaces_;  ///< by number
  std::vector<zone_bytes> zones_;
  std::size_t largest_ = 0;  ///< of a zone, anywhere
  std::size_t fields_ = 0;   ///< of all zones
  std::size_t addresses_ = 0;
  bool is_short_ = false;
  std::vector<char> tight_;
};

}  // namespace npb
