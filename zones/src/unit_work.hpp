#pragma once
/// What a unit does in one go: copies of faces and launches, with the tables that they read.

#include "cpu_pool.hpp"
#include "face_moves.hpp"
#include "field_memory.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <yoke/owned_handle.hpp>
#include <yoke/runtime_engine.hpp>

namespace yoke::detail {

/// CPU CUs that share zones, and who of them has which first.
struct shared_zones {
  std::shared_ptr<cpu_pool> pool;
  std::vector<int> member_of;   ///< by zone; -1 of those that are not shared
  std::vector<double> weights;  ///< by zone
};

/// Copies of faces, and the zone here that each is into or out of.
struct zone_moves {
  std::vector<face_move> moves;
  std::vector<int> zones;

  /// Of those that were added since.
  void are_of(int zone) { zones.resize(moves.size(), zone); }
  void add(const zone_moves& more);
};

/// What a zone has of a launch.
struct launch_share {
  int zone = 0;
  std::int64_t first_chunk = 0, n_chunks = 0;
  std::vector<zone_memory> batch;
  std::shared_ptr<const zone_call> call;
};

/// Copies of a table, or the launch of an operation for a batch of zones.
struct unit_launch {
  std::string name;
  int word_bytes = 0;  ///< of copies
  std::shared_ptr<const zone_call> call;
  std::vector<zone_memory> batch;
  std::size_t entries_at = 0, chunks_at = 0;  ///< in the table
  std::int64_t n_chunks = 0;
  double* results = nullptr;
  std::vector<launch_share> shares;  ///< for a pool
};

/// Made once: launches are added, then it is completed, then enqueued as often as one likes.
class unit_work {
 public:
  /// `shared`: null, or of the unit that leads.
  unit_work(const compute_unit& unit, std::string name, std::shared_ptr<const shared_zones> shared)
      : unit_{&unit}, name_{std::move(name)}, shared_{std::move(shared)} {}

  void add_moves(std::string name, const field_form& form, const zone_moves& moves);
  /// `results`: one for each chunk, where the call has some.
  void add_call(const zone_operation& what, std::vector<zone_memory> batch, double* results = nullptr);
  void use(versions::piece what, flow::role as);
  /// Others wait for it while the unit goes on.
  void mark_end() { marks_end_ = true; }
  bool is_empty() const { return launches_.empty(); }
  bool is_recordable() const;
  /// Whether a graph of it saves launches.
  bool has_many_launches() const;
  std::size_t launches() const { return launches_.size(); }
  /// Puts the tables where the unit reads them. Errors: out_of_memory; device_error.
  void complete();
  const flow::step& step() const { return step_; }
  /// Its launches as the pool takes them, which live as long as it or a plan of its step.
  std::span<const shared_launch* const> shared_launches() const { return shared_launches_; }

 private:
  std::size_t add_to_table(const void* bytes, std::size_t n);
  void add_chunks(unit_launch& to, std::vector<zone_chunk> chunks);
  void add_share(unit_launch& to, const zone_operation& what, std::size_t place, std::int64_t first_chunk,
                 std::int64_t n_chunks) const;

  const compute_unit* unit_;
  std::string name_;
  std::shared_ptr<const shared_zones> shared_;
  bool marks_end_ = false;
  std::vector<std::byte> table_;
  std::vector<unit_launch> launches_;
  std::vector<flow::argument> arguments_;
  flow::step step_;
  std::vector<const shared_launch*> shared_launches_;
};

}  // namespace yoke::detail
