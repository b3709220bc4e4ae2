#include "spaces.hpp"

#include <atomic>
#include <latch>
#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/error.hpp>

namespace {

using spaces::first;
using spaces::second;
using yoke::host_space;

/// Runs `body(0)` … `body(count-1)` in threads that start together; false when one of them threw.
template <class Body>
bool together(int count, const Body& body) {
  std::latch start{count};
  std::atomic<bool> good{true};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      try {
        body(i);
      } catch (...) {
        good = false;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  return good;
}

}  // namespace

TEST_CASE("threads migrate their own regions over the same devices at once", "[placement]") {
  spaces::two_devices devices;
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<std::vector<double>> data(4, spaces::counting(300));
  const bool good = together(4, [&](int i) {
    std::vector<double>& mine = data[static_cast<std::size_t>(i)];
    table.register_mem(mine.data(), mine.size() * sizeof(double));
    for (int round = 0; round < 20; ++round) {
      table.migrate(mine.data(), round % 2 == i % 2 ? first : second);
      (void)table.migrate_async(mine.data(), host_space, {});
      table.migrate(mine.data(), host_space);
    }
    table.unregister_mem(mine.data());
  });
  CHECK(good);
  for (const auto& each : data) CHECK(each == spaces::counting(300));
  CHECK(devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("threads that migrate the same region take turns and its bytes survive", "[placement]") {
  spaces::two_devices devices;
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<double> data = spaces::counting(300);
  table.register_mem(data.data(), data.size() * sizeof(double));
  const bool good = together(4, [&](int i) {
    for (int round = 0; round < 25; ++round) table.migrate(data.data(), yoke::space_id{(round + i) % 3});
  });
  CHECK(good);
  table.migrate(data.data(), host_space);
  CHECK(data == spaces::counting(300));
}

TEST_CASE("readers find every region while others come and go and the index grows", "[placement]") {
  spaces::two_devices devices;
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<char> stable(100), moving(5000);
  for (char& each : stable) table.register_mem(&each, 1);
  std::atomic<bool> ended{false};
  std::atomic<int> wrong{0};
  const bool good = together(3, [&](int i) {
    if (i == 0) {
      for (int round = 0; round < 3; ++round) {
        for (char& each : moving) table.register_mem(&each, 1);
        for (char& each : moving) table.unregister_mem(&each);
      }
      ended = true;
      return;
    }
    do {
      for (const char& each : stable) {
        if (table.placement_of(&each) != host_space || table.mem_addr(&each, host_space) != &each) ++wrong;
      }
    } while (!ended);
  });
  CHECK(good);
  CHECK(wrong == 0);
}

namespace {

/// What somebody else may know of a region that comes and goes: whether it is there now.
class coming_and_going {
 public:
  explicit coming_and_going(int n_readers) : looked_(static_cast<std::size_t>(n_readers)) {}

  /// Of the one who registers and unregisters: the region is there (or not) until every reader has looked.
  void settle(bool is_there) {
    std::vector<int> before;
    for (const auto& each : looked_) before.push_back(each);
    state_ = is_there ? there : away;
    for (std::size_t i = 0; i < looked_.size(); ++i)
      while (looked_[i] == before[i]) std::this_thread::yield();
    state_ = changing;
  }
  void end() { state_ = over; }
  bool is_over() const { return state_ == over; }

  /// Of a reader: whether `look` said that the region is there. False when that was wrong.
  template <class Look>
  bool agrees(int reader, const Look& look) {
    const int before = state_;
    const bool found = look();
    if (before != state_ || before == changing) return true;
    ++looked_[static_cast<std::size_t>(reader)];
    return before == over || found == (before == there);
  }

 private:
  enum { changing, there, away, over };
  std::atomic<int> state_{changing};
  std::vector<std::atomic<int>> looked_;  ///< while nothing changed
};

}  // namespace

TEST_CASE("a look-up that races with unregistering finds the region or says that it is unknown",
          "[placement]") {
  spaces::two_devices devices;
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<double> data(1);
  const auto found = [&](const auto& look_up) {
    try {
      look_up();
      return true;
    } catch (const yoke::usage_error&) {  // unknown at that moment
      return false;
    }
  };
  coming_and_going region{2};
  std::atomic<int> wrong{0};
  const bool good = together(3, [&](int i) {
    if (i == 0) {
      for (int round = 0; round < 300; ++round) {
        table.register_mem(data.data(), 8);
        region.settle(true);
        table.unregister_mem(data.data());
        region.settle(false);
      }
      return region.end();
    }
    while (!region.is_over()) {
      const bool agreed = region.agrees(i - 1, [&] {
        return found([&] {
          if (i == 2) return static_cast<void>(table.alloc(data.data(), first));
          if (table.size_of(data.data()) != 8) ++wrong;
        });
      });
      if (!agreed) ++wrong;
    }
  });
  CHECK(good);
  CHECK(wrong == 0);
  CHECK(devices.a->statistics().bytes_allocated == 0);
}
