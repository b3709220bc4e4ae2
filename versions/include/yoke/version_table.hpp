// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which version of what is in which memory, and what work that uses it must come after.

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/mark.hpp>
#include <yoke/usage.hpp>

namespace yoke::versions {

/// What is versioned as one: a placed object, a part of an array, a halo strip, a face, a tile.
using piece = id<struct piece_tag>;

/// What a piece of work does with a piece.
struct use {
  piece what;
  space_id memory;
  usage how;
};

enum class state {
  empty,          ///< nothing has been written, or it was dropped
  being_written,  ///< the latest version is under way
  whole,
  broken,  ///< the work that writes the latest version has failed, or the memory that alone had it is lost
};

/// A table of pieces. Each memory has of each piece a version or none, the mark of the work that put it there
/// and the marks of the work that reads it. Versions are those of a program that runs everything in the order
/// in which it is told here: `begin` and `copy` say what has been queued, and marks how far that is. So each
/// use is asked about first, then queued behind what the table names, then told:
///
///   if (const auto from = all.source_for(what, memory)) …    // queue a copy, and tell it: all.copy(…)
///   marks before;
///   all.add_before({what, memory, usage::write}, on, before);
///   …                                                        // queue it behind these
///   all.begin({what, memory, usage::write}, mark);
///   mark->end();                                             // or fail(error): when that is known
///
/// A null mark says that everything has happened, or will before what is under way there ends. Pure: no
/// thread, device or clock. Not thread-safe. Cost of all but lose: O(memories + streams).
class table {
 public:
  explicit table(int n_memories) : n_memories_{static_cast<std::size_t>(n_memories)} {}

  /// Empty. The number of a piece that was removed is used again.
  piece add(std::string name);
  void remove(piece what) noexcept;
  const std::string& name_of(piece what) const { return at(what).name; }

  state state_of(piece what) const;
  /// Of a broken piece the first error, else null.
  std::exception_ptr error_of(piece what) const;
  /// Where the latest version was written, or where it is still; -1 for an empty piece and for one that is
  /// lost.
  space_id home_of(piece what) const { return at(what).home; }
  /// Whether work that is queued in order finds the latest version there. False for all memories of a broken
  /// piece.
  bool holds(piece what, space_id memory) const;
  /// Whether other memories hold it beside its home.
  bool has_replicas(piece what) const;
  /// Whether a reader there has nothing to wait for: it holds the latest version, and nothing is on its way.
  bool is_whole_in(piece what, space_id memory) const {
    return holds(what, memory) && !is_under_way(at(what, memory).writer);
  }
  /// Whether nothing under way uses it there.
  bool is_idle(piece what, space_id memory) const;
  /// Whether a write where it is at home would have nothing to wait for and make nothing stale, and no work
  /// is promised.
  bool is_quiet(piece what) const;
  /// Where its bytes must travel from before work in `to` can use them; none where they are there, or
  /// nowhere.
  std::optional<space_id> source_for(piece what, space_id to) const;
  /// The work that has put there what is there; null where nobody has to know any more. A reader that is
  /// queued behind it fails where it has failed.
  const mark_ptr& writer_of(piece what, space_id memory) const { return at(what, memory).writer; }
  /// Adds what a use must come after that is next in `on`: as few marks as there can be, none of `on` itself.
  void add_before(const use& next, stream on, marks& all) const;
  /// visit(mark) for all of these, whatever their streams.
  template <class Visit>
  void for_each_before(const use& next, const Visit& visit) const {
    const bytes& there = at(next.what, next.memory);
    bool is_read = false;
    if (next.how == usage::write)
      for (const mark_ptr& each : there.readers)
        if (each->is_under_way()) is_read = true, visit(each);
    // Readers have come after the writer.
    if (!is_read && is_under_way(there.writer)) visit(there.writer);
  }

  /// The work has been queued behind what add_before gave. A write is a new version, in this memory alone.
  void begin(const use& next, const mark_ptr& by);
  /// What is in `from`, which `by` reads there and writes in `to`. Queued behind what both uses gave. Where
  /// it is at home that is a new version.
  void copy(piece what, space_id from, space_id to, const mark_ptr& by);
  /// Work on it will be told of before `by` is over, in whatever memory: nobody who comes later takes it for
  /// quiet until then.
  void promise(piece what, const mark_ptr& by);
  /// visit(mark) for promises that are not kept yet.
  template <class Visit>
  void for_each_promise(piece what, const Visit& visit) const {
    for (const mark_ptr& each : at(what).promised)
      if (each->is_under_way()) visit(each);
  }
  /// Its bytes there are no version any more, for somebody else writes them.
  /// Requires: it is not at home there.
  void forget(piece what, space_id memory);
  /// The memory is given back, and nothing under way uses it. Where it alone had the latest version the piece
  /// is empty.
  void drop(piece what, space_id memory);
  /// Of a piece that is lost, what is known of it: it is empty from here on.
  /// Requires: it is at home nowhere.
  void clear(piece what);
  /// The same where nothing uses it, unless it alone has the latest version: false then.
  bool evict(piece what, space_id memory);
  /// A device has gone with its memory. The result are the pieces whose latest version was nowhere else,
  /// which `why`, not null, has broken. What is under way there fails when its turn comes.
  std::vector<piece> lose(space_id memory, const std::exception_ptr& why);

 private:
  struct bytes {
    std::uint64_t version = 0;  ///< 0: none
    mark_ptr writer{};
    marks readers{};
  };
  /// home is -1 or has the latest version.
  struct entry {
    std::string name{};
    std::uint64_t latest = 0;  ///< 0: empty
    space_id home{};
    std::exception_ptr lost{};  ///< without a home: why
    marks promised{};
  };

  static bool is_under_way(const mark_ptr& work) { return work != nullptr && work->is_under_way(); }
  const entry& at(piece what) const;
  entry& at(piece what) { return const_cast<entry&>(std::as_const(*this).at(what)); }
  const bytes& at(piece what, space_id memory) const;
  bytes& at(piece what, space_id memory) { return const_cast<bytes&>(std::as_const(*this).at(what, memory)); }
  static void write(bytes& to, const mark_ptr& by);
  space_id other_holder(piece what, space_id than) const;
  void leave(piece what, space_id memory, const std::exception_ptr& why);

  const std::size_t n_memories_;
  std::uint64_t n_versions_ = 0;
  std::vector<entry> pieces_{};
  std::vector<bytes> bytes_{};  ///< by piece, then memory
  std::vector<piece> free_{};
};

}  // namespace yoke::versions
