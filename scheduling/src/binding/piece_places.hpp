#pragma once
/// Which memories have the latest version of each piece, or will when what is bound has ended.

#include "machine_view.hpp"
#include "slab.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace yoke::scheduling {

class piece_places {
 public:
  explicit piece_places(const machine_view& machine) : machine_{machine} {}

  /// Its number here; new ones are in host memory.
  std::uint32_t number_of(std::uint64_t piece, std::size_t bytes);
  /// Of the copy that brings it there, 0 where it is; cost: O(memories that have it).
  seconds copy_time(std::uint32_t piece, std::size_t space) const;
  /// When its latest version is or will be complete.
  seconds written_at(std::uint32_t piece) const { return pieces_[piece].written_at; }
  /// A task reads it there.
  void read(std::uint32_t piece, std::size_t space) { pieces_[piece].held_in |= bit(space); }
  /// A task, by its order, will have written it there at `end`.
  void write(std::uint32_t piece, std::size_t space, seconds end, std::uint64_t writer);
  /// The task has ended, at another time.
  void written(std::uint32_t piece, seconds at, std::uint64_t writer);
  void is_in(std::uint64_t piece, std::size_t space);
  void forget(std::uint64_t piece);

 private:
  struct state {
    std::size_t bytes = 0;
    std::uint64_t held_in = 1, writer = 0;
    seconds written_at = 0;
  };
  static std::uint64_t bit(std::size_t space) { return std::uint64_t{1} << space; }

  const machine_view& machine_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  slab<state> pieces_;
};

}  // namespace yoke::scheduling
