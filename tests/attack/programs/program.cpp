#include "program.hpp"

#include "../../arrays/overlapping_from.hpp"
#include "array_kernels.hpp"
#include "rooms.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>

#include <yoke/error.hpp>

namespace attack {

namespace {

/// Of all rooms, which may go on side by side.
class story final : public journal {
 public:
  explicit story(bool tells) : tells_{tells} {}

  void add(std::string line) override {
    const std::lock_guard guard{lock_};
    if (tells_) std::printf("  %s\n", line.c_str());
    if (tells_) std::fflush(stdout);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  const bool tells_;
  std::mutex lock_;
  std::vector<std::string> lines_;
};

/// Adds which room it is.
class story_of_room final : public journal {
 public:
  story_of_room(story& whole, int number) : whole_{whole}, number_{number} {}
  void add(std::string line) override { whole_.add(fmt::format("[{}] {}", number_, line)); }

 private:
  story& whole_;
  int number_;
};

/// A runtime, and rooms on it.
class house {
 public:
  house(dice& d, story& tells, int number) : dice_{d}, tells_{tells}, on_{any_setting(d)}, number_{number} {
    tells_.add(fmt::format("runtime {}: {}", number_, on_.text()));
    rt_ = make_runtime(on_);
    build();
  }

  void build() {
    rooms_.clear();
    for (std::int64_t n = dice_.between(1, 3); n > 0; --n) add_room();
  }
  /// What may happen on a device that has no more memory, or none at all.
  void begin_anew() {
    rooms_.clear();
    mend_devices(*rt_);
    build();
  }
  bool has_gpus() const { return on_.has_gpus(); }
  bool is_lost() const { return is_armed_ && on_.what == trouble::lost_device; }
  bool is_failing() const { return is_armed_; }
  bool may_find_no_memory() const { return on_.what == trouble::little_memory || is_armed_; }
  bool may_throw() const { return !is_armed_; }
  void arm(int step) {
    if (is_mended_ || is_armed_ || step < on_.armed_at) return;
    if (on_.what != trouble::failing_calls && on_.what != trouble::lost_device) return;
    is_armed_ = true;
    set_faults(*rt_, on_.faults);
  }
  void mend() {
    is_armed_ = false;
    is_mended_ = true;
  }

  std::vector<std::unique_ptr<room>>& rooms() { return rooms_; }
  dice& dice_of(std::size_t room) { return *dice_of_rooms_[room]; }

 private:
  /// One that finds no memory is left out.
  void add_room() {
    const auto tells = std::make_shared<story_of_room>(tells_, ++rooms_made_ + 100 * number_);
    auto own = std::make_unique<dice>(static_cast<std::uint64_t>(dice_.upto(1'000'000'000)));
    using make = std::unique_ptr<room> (*)(yoke::runtime&, dice&, journal&);
    constexpr make kinds[]{make_array_room, make_array_room, make_scan_room, make_placed_room,
                           make_loop_room};
    const make kind = kinds[dice_.upto(std::ssize(kinds) - 1)];
    try {
      std::unique_ptr<room> made = kind(*rt_, *own, *tells);
      rooms_.push_back(std::move(made));
      dice_of_rooms_.push_back(std::move(own));
      tells_of_rooms_.push_back(tells);
    } catch (const yoke::out_of_memory&) {
      if (!may_find_no_memory()) throw;
    }
  }

  dice& dice_;
  story& tells_;
  setting on_;
  int number_, rooms_made_ = 0;
  bool is_armed_ = false, is_mended_ = false;
  std::unique_ptr<yoke::runtime> rt_;
  std::vector<std::shared_ptr<story_of_room>> tells_of_rooms_;  ///< and those that have ended
  std::vector<std::unique_ptr<dice>> dice_of_rooms_;
  std::vector<std::unique_ptr<room>> rooms_;
};

class program {
 public:
  program(std::uint64_t seed, bool tells) : dice_{seed}, tells_{tells} {}

  outcome run(int most) {
    try {
      const arrays_test::overlapping_from some{dice_.one_in(2) ? 1 : 1 << 24};
      run_steps(std::min<int>(most, static_cast<int>(dice_.between(4, 40))));
    } catch (const difference& met) {
      result_.wrong = met.what;
    } catch (const std::exception& met) {
      result_.wrong = fmt::format("an error that nothing has asked for: {}", met.what());
    }
    result_.story = tells_.take();
    return std::move(result_);
  }

 private:
  void run_steps(int steps) {
    for (std::int64_t n = dice_.one_in(4) ? 2 : 1; n > 0; --n)
      houses_.push_back(std::make_unique<house>(dice_, tells_, static_cast<int>(houses_.size())));
    for (; result_.steps < steps && !is_over_; ++result_.steps) step();
    if (!is_over_) in_all_rooms();
    tells_.add("the end");
    houses_.clear();
  }

  void step() {
    house& in = *houses_[static_cast<std::size_t>(dice_.upto(std::ssize(houses_) - 1))];
    in.arm(result_.steps);
    if (in.rooms().empty()) return;
    const auto number = static_cast<std::size_t>(dice_.upto(std::ssize(in.rooms()) - 1));
    const bool at_once = in.rooms().size() > 1 && dice_.one_in(6);
    guarded(in, [&] {
      if (at_once) return side_by_side(in);
      in.rooms()[number]->step(in.may_throw());
    });
  }

  /// A step in each room of one runtime, each on a thread of its own.
  void side_by_side(house& in) {
    tells_.add("side by side");
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> met(in.rooms().size());
    for (std::size_t i = 0; i < met.size(); ++i)
      threads.emplace_back([&, i] {
        try {
          for (int k = 0; k < 3; ++k) in.rooms()[i]->step(false);
        } catch (...) {
          met[i] = std::current_exception();
        }
      });
    for (std::thread& each : threads) each.join();
    // What is wrong counts for more than what may be.
    for (const bool allowed : {false, true})
      for (const std::exception_ptr& each : met)
        if (each && is_allowed(in, each) == allowed) std::rethrow_exception(each);
  }

  /// On a GPU CU events behind a body that threw tell so, once more to who waits for one.
  static bool is_told_again(const house& in, const yoke::device_error& met) {
    return in.has_gpus() && std::string_view{met.what()}.find(thrown_text) != std::string_view::npos;
  }

  static bool is_allowed(const house& in, const std::exception_ptr& each) {
    try {
      std::rethrow_exception(each);
    } catch (const yoke::out_of_memory&) {
      return in.may_find_no_memory();
    } catch (const yoke::device_error& met) {
      return in.is_failing() || is_told_again(in, met);
    } catch (...) {
      return false;
    }
  }

  static bool is_of_device(const std::exception_ptr& each) {
    try {
      std::rethrow_exception(each);
    } catch (const yoke::device_error&) {
      return true;
    } catch (...) {
      return false;
    }
  }

  /// After an error that is allowed: where memory was short, nothing has happened; where a call failed,
  /// things are anything, but others may be made; where a device is lost, all ends.
  template <class Doing>
  void guarded(house& in, const Doing& doing) {
    std::exception_ptr met;
    try {
      doing();
    } catch (...) {
      met = std::current_exception();
    }
    if (!met) return;
    if (!is_allowed(in, met)) std::rethrow_exception(met);
    ++result_.errors;
    tells_.add("(which found no memory, or a device that fails)");
    if (!in.is_failing() && !is_of_device(met)) return;
    if (in.is_lost()) {
      is_over_ = true;
      return;
    }
    if (in.is_failing()) in.mend();
    tells_.add("all begin anew");
    in.begin_anew();
  }

  void in_all_rooms() {
    for (const auto& in : houses_) {
      for (std::size_t i = 0; i < in->rooms().size() && !is_over_; ++i)
        guarded(*in, [&] { in->rooms()[i]->compare(); });
    }
  }

  dice dice_;
  story tells_;
  outcome result_;
  bool is_over_ = false;
  std::vector<std::unique_ptr<house>> houses_;
};

}  // namespace

outcome run_program(std::uint64_t seed, int most, bool tells) { return program{seed, tells}.run(most); }

}  // namespace attack
