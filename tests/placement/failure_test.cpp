#include "spaces.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <support/catch.hpp>
#include <support/failing_device.hpp>
#include <vector>

#include <yoke/error.hpp>

// Every operation of a region table is repeated with the k-th call of a device failing, for k = 1, 2, 3, …
// until it gets through: the state must be as before each time, and nothing may be left when the table ends.

namespace {

using spaces::first;
using spaces::second;
using yoke::host_space;

constexpr std::size_t n = 1000;

/// Two regions over two devices that can fail: one registered, one reserved.
struct fixture {
  spaces::two_devices devices;
  support::failing_device a;
  support::failing_device b;
  std::array<yoke::device*, 2> list{&a, &b};
  std::vector<double> data = spaces::counting(n);
  std::unique_ptr<yoke::region_table> table = std::make_unique<yoke::region_table>(list);
  yoke::key key = data.data();
  void* reserved = nullptr;

  explicit fixture(bool exhaust, int peers = 0)
      : devices{std::size_t{64} << 20, peers}, a{*devices.a, exhaust}, b{*devices.b, exhaust} {
    table->register_mem(key, n * sizeof(double));
    reserved = table->reserve(n * sizeof(double));
  }
  support::failing_device& device(int i) { return i == 0 ? a : b; }

  std::vector<double> bytes_where_placed() {
    table->migrate(key, host_space);
    return data;
  }
};

/// What must be the same before and after an operation that failed.
struct state {
  std::vector<int> of_regions;
  std::int64_t on_a;
  std::int64_t on_b;
  friend bool operator==(const state&, const state&) = default;
};

state state_of(fixture& on) {
  state now{.of_regions = {}, .on_a = on.a.live().allocations, .on_b = on.b.live().allocations};
  for (yoke::key key : {on.key, yoke::key{on.reserved}}) {
    now.of_regions.push_back(on.table->placement_of(key));
    for (int s = 0; s < 3; ++s) now.of_regions.push_back(on.table->is_allocated(key, yoke::space_id{s}));
  }
  return now;
}

using step = std::function<void(fixture&)>;

struct scenario {
  const char* name;
  step prepare;
  step run;
  int peers = 0;  ///< 1: devices do not reach each other's memory
};

const std::vector<scenario>& scenarios() {
  static const step nothing = [](fixture&) {};
  static const step to_first = [](fixture& on) { on.table->migrate(on.key, first); };
  static const step to_second = [](fixture& on) { on.table->migrate(on.key, second); };
  static const step to_second_later = [](fixture& on) { (void)on.table->migrate_async(on.key, second, {}); };
  static const step reserved_to_first = [](fixture& on) { on.table->migrate(on.reserved, first); };
  static const std::vector<scenario> all{
      {"alloc", nothing, [](fixture& on) { on.table->alloc(on.key, first); }},
      {"migrate to a device", nothing, to_first},
      {"migrate to the host", to_first, [](fixture& on) { on.table->migrate(on.key, host_space); }},
      {"migrate between devices", to_first, to_second},
      {"migrate between devices through the host", to_first, to_second, 1},
      {"migrate to a device, asynchronously", nothing,
       [](fixture& on) { (void)on.table->migrate_async(on.key, first, {}); }},
      {"migrate between devices, asynchronously", to_first, to_second_later},
      {"migrate between devices through the host, asynchronously", to_first, to_second_later, 1},
      {"migrate back while it is under way", nothing,
       [](fixture& on) {
         (void)on.table->migrate_async(on.key, first, {});
         (void)on.table->migrate_async(on.key, host_space, {});
       }},
      {"place a reserved region", nothing, reserved_to_first},
      {"migrate a reserved region to the host", reserved_to_first,
       [](fixture& on) { on.table->migrate(on.reserved, host_space); }},
      {"migrate a reserved region to the host, asynchronously", reserved_to_first,
       [](fixture& on) { (void)on.table->migrate_async(on.reserved, host_space, {}); }},
      {"copy back", to_first, [](fixture& on) { on.table->copy(on.key, first, host_space); }},
      {"dealloc asynchronously", [](fixture& on) { on.table->alloc(on.key, first); },
       [](fixture& on) { (void)on.table->dealloc_async(on.key, first, {}); }},
  };
  return all;
}

/// One round; false when the operation got through before the k-th call.
bool fails_cleanly(const scenario& of, int device, int k, bool exhaust) {
  fixture on{exhaust, of.peers};
  of.prepare(on);
  const state before = state_of(on);
  on.device(device).fail_call(k);
  try {
    of.run(on);
  } catch (const yoke::device_error&) {
  } catch (const yoke::out_of_memory&) {
  }
  const bool failed = on.device(device).has_failed();
  on.device(device).fail_call(0);
  // Of two asynchronous steps the first may have been made.
  if (failed && std::string{of.name}.find("back while") == std::string::npos) CHECK(state_of(on) == before);
  CHECK(on.bytes_where_placed() == spaces::counting(n));
  of.prepare(on);
  of.run(on);
  CHECK(on.bytes_where_placed() == spaces::counting(n));
  on.table.reset();
  CHECK(on.a.live() == support::live_things{});
  CHECK(on.b.live() == support::live_things{});
  return failed;
}

}  // namespace

TEST_CASE("a failing device call leaves regions as they were and leaks nothing", "[placement]") {
  int failures = 0;
  for (const scenario& each : scenarios()) {
    for (bool exhaust : {false, true}) {
      for (int device : {0, 1}) {
        CAPTURE(each.name, exhaust, device);
        for (int k = 1; fails_cleanly(each, device, k, exhaust); ++k) ++failures;
      }
    }
  }
  CHECK(failures > 100);
}

TEST_CASE("a lost device fails every operation, hangs in none and leaks nothing", "[placement]") {
  for (int calls = 0; calls < 12; ++calls) {
    spaces::two_devices devices;
    const auto list = devices.list();
    std::vector<double> data = spaces::counting(n);
    int refused = 0;
    {
      yoke::region_table table{list};
      table.register_mem(data.data(), n * sizeof(double));
      void* reserved = table.reserve(n * sizeof(double));
      devices.a->set_faults({.lost_after = calls});
      for (const yoke::space_id to : {first, host_space, second, first, host_space}) {
        for (yoke::key key : {yoke::key{data.data()}, yoke::key{reserved}}) {
          try {
            table.migrate(key, to);
            (void)table.migrate_async(key, host_space, {});
          } catch (const yoke::device_error& met) {
            CHECK_THAT(met.what(), Catch::Matchers::Contains("emulated:0"));
            ++refused;
          }
        }
      }
    }
    CHECK(refused > 0);
    CHECK(devices.a->statistics().bytes_allocated == 0);
    CHECK(devices.a->statistics().pinned_buffers == 0);
    CHECK(devices.b->statistics().bytes_allocated == 0);
  }
}

TEST_CASE("an error that a device reports late reaches the event and the next operation", "[placement]") {
  fixture on{false};
  void* theirs = on.devices.a->allocate(n * sizeof(double));
  on.table->adopt(on.key, theirs, first);
  yoke::event arrived;
  {
    spaces::held_stream held{*on.devices.a};
    arrived = on.table->migrate_async(on.key, first, held.stream());
    on.devices.a->deallocate(theirs);  // under the copy that is queued
  }
  CHECK_THROWS_AS(arrived.wait(), yoke::device_error);
  CHECK_THROWS_AS(on.table->migrate(on.key, first), yoke::device_error);
}
