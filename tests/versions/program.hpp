#pragma once
/// Small programs on a table of versions, run in any order that its marks allow, beside what the same program
/// would see one step after the other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <yoke/version_table.hpp>

namespace program {

/// `s` is a stream; reads, writes, drops and evictions are in `to`.
struct step {
  enum kind : std::uint8_t { write, read, copy, end, fail, drop, lose, evict };
  kind what;
  std::uint8_t p = 0, from = 0, to = 0, s = 0;
};
std::string text_of(const step& of);
std::string text_of(const std::vector<step>& all);

/// How many there are of each.
struct sizes {
  int pieces, memories, streams;
};

/// The steps of any program of these sizes, each once.
std::vector<step> steps_of(const sizes& all);

/// A table, memories that hold values, work that is under way, and a serial model: the value of each piece
/// when all that has been begun has run in that order.
class world {
 public:
  explicit world(const sizes& all);
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// Whether a program may do that now: reads and copies have the latest version in their memory, what ends
  /// has nothing to wait for, memory that is dropped is idle.
  bool allows(const step& next) const;
  void run(const step& next);
  std::size_t n_under_way() const { return under_way_.size(); }
  /// What the table says that the model does not; empty where they agree.
  std::string check() const;
  /// All that decides what comes next, equal for worlds that only have another history.
  std::string key() const;

 private:
  /// What a memory has of a piece, or will have: a number for each write, and whether it is not that because
  /// the work has failed.
  struct value {
    int number = 0;
    int error = 0;
    friend bool operator==(const value&, const value&) = default;
  };
  struct work {
    step what;
    int reads, writes;  ///< the memories; -1: none, or it is lost
    int number;         ///< of the value that it reads or writes
    int doom;           ///< the error that it will fail with, as memory or what it reads is lost; 0: none
    yoke::versions::mark_ptr mark;
    yoke::versions::mark_ptr source;  ///< the work that has written what it reads
    yoke::versions::marks waits;
    std::vector<std::uint64_t>
        after;  ///< what was under way and is over before it, by the number of its mark
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t cell(int p, int m) const { return at(p * all_.memories + m); }
  bool holds(int p, int m) const;
  bool is_idle(int p, int m) const;
  bool is_being_filled(int p, int m) const;
  static bool conflict(const work& a, const work& b);
  int count_holders(int p, int other_than = -1) const;
  const work* next_in(int s) const;
  int new_error();
  void begin(const step& next);
  void note_order(work& next) const;
  static bool is_after(const work& of, std::uint64_t number);
  void check_order(const work& next);
  void run_to_end(const work& which);
  void fail(const work& which, int error);
  void finish(const step& next);
  void doom(int m, int error);
  void lose(const step& next);
  void evict(const step& next);
  void forget(int p, int m);
  void complain(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  std::string check_piece(int p) const;
  std::string check_memory(int p, int m) const;

  const sizes all_;
  yoke::versions::table table_;
  std::vector<yoke::versions::piece> pieces_;
  std::vector<work> under_way_;
  std::vector<value> now_;        ///< by piece and memory: what is there
  std::vector<value> when_over_;  ///< what is there when all under way has run
  std::vector<value> serial_;     ///< by piece
  std::vector<std::exception_ptr> errors_;
  int n_values_ = 0;
  std::uint64_t n_marks_ = 0;
  std::array<char, 8> streams_{};  ///< their addresses are their names
  std::string wrong_;
};

}  // namespace program
