#pragma once
/// Programs of work on lanes, done in any order that a dispatcher allows, beside what the same program does
/// one after the other.

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <yoke/dispatcher.hpp>

namespace flow_tests {

/// One piece of work of a program.
struct step {
  int lane = 0;
  struct use {
    int piece;
    yoke::flow::role as;
  };
  std::vector<use> uses{};
  std::vector<int> after{};  ///< earlier steps, by number
  bool fails = false;        ///< by itself, when it is done
};
std::string text_of(const step& of);
std::string text_of(const std::vector<step>& all);

/// Seats in memory 0 and queues in the others.
struct machine {
  int n_memories, n_seats;
  int n_queues_each;      ///< of each memory but 0, beside one for transfers
  bool has_peers = true;  ///< pieces go from device to device; else through memory 0
  int n_lanes() const { return n_seats + (n_memories - 1) * n_queues_each; }
  int memory_of(int lane) const { return lane < n_seats ? 0 : 1 + (lane - n_seats) / n_queues_each; }
};

/// A dispatcher, memories that hold numbers, and a serial model. Work reads and writes when it is done, all
/// at once, so that whatever was not waited for shows as a wrong number in some order.
class world {
 public:
  world(const machine& is, int n_pieces);
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// Whether what it reads has been written.
  bool allows(const step& next) const;
  void tell(const step& next);
  /// Lanes whose next work can be done now.
  std::vector<int> lanes_that_can_go_on() const;
  /// Does that.
  void go_on(int lane);
  /// The dispatcher hears of what the lane has done.
  void report(int lane);
  std::vector<int> lanes_with_news() const;
  /// A memory goes with its lanes.
  void lose(int memory);

  /// That the dispatcher knows for each piece of work what must end before.
  void check_holds();
  /// When all has been told and done: what is not as in the model; empty where it is.
  std::string check() const;
  const std::string& wrong() const { return wrong_; }

 private:
  /// What a piece is in the serial model: a number, or one of some errors.
  struct value {
    std::int64_t number = 0;  ///< 0: nobody has written it
    std::set<int>
        errors{};  ///< with which its readers may fail; 0 in front of others: a lost memory may be why
    bool may_be_lost = false;
  };
  struct told_step {
    step is;
    yoke::flow::work_ptr work;
    std::vector<std::int64_t> reads;  ///< of each use that reads
    std::int64_t writes = 0;
    std::set<int> errors;  ///< it must fail with one of these, where there is one
    bool may_be_lost = false;
    bool has_read_wrong = false;
  };
  struct doing {
    yoke::flow::work_ptr what;
    yoke::versions::marks behind;
  };
  struct lane_state {
    std::vector<doing> begun;                ///< and not done
    std::vector<yoke::flow::work_ptr> done;  ///< and not reported
  };

  bool can_go_on(const lane_state& of) const;
  void begin_all();
  void do_step(told_step& of);
  void do_transfer(const yoke::flow::transfer& what);
  std::int64_t& cell(int memory, int piece) {
    return cells_[static_cast<std::size_t>(memory * n_pieces_ + piece)];
  }
  std::int64_t cell(int memory, int piece) const {
    return cells_[static_cast<std::size_t>(memory * n_pieces_ + piece)];
  }
  std::exception_ptr error(int number);
  int number_of(const std::exception_ptr& error) const;
  /// The error that it fails with by itself; -1: none.
  int own_error(const yoke::flow::work& of) const;
  std::string check_step(std::size_t i) const;
  std::string check_piece(int p) const;
  void complain(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

  const machine is_;
  const int n_pieces_;
  yoke::versions::table table_;
  std::unique_ptr<yoke::flow::dispatcher> all_;
  std::vector<lane_state> lanes_;  ///< those for transfers behind the others
  std::vector<told_step> told_;
  std::vector<value> serial_;
  std::vector<std::int64_t> cells_;
  std::vector<std::exception_ptr> errors_;
  std::set<const yoke::flow::work*> not_done_;  ///< begun
  std::set<int> lost_;
  std::vector<yoke::flow::work_ptr> from_lost_;  ///< transfers that were done when their source was gone
  std::string wrong_;
};

}  // namespace flow_tests
