#pragma once
/// Where the faces of a field go: within each unit, and in one message for each pair of units.

#include "unit_work.hpp"
#include "zones_core.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace yoke::detail {

/// Where a message begins or ends: a unit by its number, or another rank.
enum class face_end : int {};
constexpr face_end end_at(unit_id unit) { return face_end{int{unit}}; }
constexpr face_end end_at_rank(int rank) { return face_end{-1 - rank}; }
constexpr bool is_rank(face_end of) { return static_cast<int>(of) < 0; }
constexpr int rank_at(face_end of) { return -1 - static_cast<int>(of); }
/// "unit 3", "rank 1".
std::string name_of(face_end end);

/// Faces from one unit for another, packed: a piece that one writes and the other reads, wherever each has
/// its memory. What is for another rank, or comes from there, has memory on
/// the host, if messages do not take that of devices.
class face_message {
 public:
  /// Errors: out_of_memory; device_error.
  face_message(zones_core& of, face_end from, face_end to, std::size_t bytes);
  face_message(const face_message&) = delete;
  face_message& operator=(const face_message&) = delete;

  versions::piece what() const { return piece_.what(); }
  std::size_t bytes() const { return bytes_; }
  std::byte* at(space_id space) const {
    return static_cast<std::byte*>(addresses_[static_cast<std::size_t>(space)]);
  }

 private:
  std::size_t bytes_;
  host_slab host_;
  std::unique_ptr<void, pinned_deallocation> pinned_;
  device_slab from_, to_;
  std::vector<void*> addresses_;
  owned_piece piece_;  ///< ends before its memory
};

/// Of one storage in one layout; that of the core when it is made. Faces go in rounds: all in one, or with
/// corners those of a dimension after another, which have the halos of the rounds before.
class storage_faces {
 public:
  storage_faces(zones_core& of, int storage);

  int rounds() const { return static_cast<int>(rounds_.size()); }
  /// What of its halos is filled: all, only from zone to zone of the unit, or all but what calls have filled
  /// that send faces.
  enum class what { all, within, not_handed };
  /// From zone to zone of the unit, out of messages to it.
  void add_filling(unit_work& to, unit_id unit, int round, what of_it = what::all) const;
  /// Into messages from it.
  void add_sending(unit_work& to, unit_id unit, int round) const;
  /// Of what has been put into messages for other ranks, with what comes from them; null: nothing.
  const flow::step* exchange(int round) const;
  bool has_messages(unit_id unit) const;
  using way = std::pair<face_end, face_end>;
  /// Bytes of each message, by its ends.
  std::map<way, std::size_t> bytes() const;

 private:
  struct round {
    std::map<way, std::unique_ptr<face_message>> messages;
    std::vector<zone_moves> within, out, in;       ///< by unit
    std::vector<zone_moves> not_handed;            ///< of those within
    std::map<int, ranks::message> sent, received;  ///< by rank
    flow::step exchange;
  };
  std::vector<std::vector<face_ends>> ends_by_round() const;
  face_box taken_at(const face_ends& each) const;
  round made_of(const std::vector<face_ends>& all, int number) const;
  way way_of(const face_ends& each) const;
  void add(round& to, const face_ends& each, std::size_t& filled) const;
  flow::step exchange_of(const round& made, int number) const;

  zones_core& core_;
  int number_;
  const zone_storage& of_;
  std::vector<round> rounds_;
};

}  // namespace yoke::detail
