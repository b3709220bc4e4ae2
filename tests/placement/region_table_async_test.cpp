#include "spaces.hpp"

#include <algorithm>
#include <support/catch.hpp>

namespace {

using spaces::first;
using spaces::one_region;
using spaces::second;
using yoke::host_space;

}  // namespace

TEST_CASE("an asynchronous migration changes the placement at once and the bytes follow", "[placement]") {
  one_region on;
  spaces::held_stream held{*on.devices.a};
  const yoke::event arrived = on.table.migrate_async(on.key, first, held.stream());
  CHECK(on.table.placement_of(on.key) == first);
  CHECK_FALSE(arrived.done());
  held.release();
  arrived.wait();
  std::ranges::fill(on.data, 0.0);
  on.table.migrate(on.key, host_space);
  CHECK(on.data == spaces::counting(1000));
}

TEST_CASE("a plain operation waits for an asynchronous one on the same region", "[placement]") {
  one_region on;
  spaces::held_stream held{*on.devices.a};
  const yoke::event arrived = on.table.migrate_async(on.key, first, held.stream());
  held.release();
  on.table.migrate(on.key, first);  // already placed there, but the bytes may be under way
  CHECK(arrived.done());
}

TEST_CASE("a migration that discards waits for a copy under way to where it goes", "[placement]") {
  one_region on;
  on.table.alloc(on.key, first);
  spaces::held_stream held{*on.devices.a};
  const yoke::event there = on.table.copy_async(on.key, host_space, first, held.stream());
  held.release();
  on.table.migrate_discarding(on.key, first);
  CHECK(there.done());
  CHECK(on.table.placement_of(on.key) == first);
}

TEST_CASE("asynchronous operations on one region keep their order over streams", "[placement]") {
  one_region on;
  spaces::held_stream held{*on.devices.a};
  const yoke::event there = on.table.migrate_async(on.key, first, held.stream());
  const yoke::event back = on.table.migrate_async(on.key, host_space, {});
  CHECK_FALSE(back.done());
  held.release();
  back.wait();
  CHECK(there.done());
  CHECK(on.data == spaces::counting(1000));
}

TEST_CASE("copies of one region that touch no common memory to write do not wait for one another",
          "[placement]") {
  one_region on;
  on.table.alloc(on.key, first);
  on.table.alloc(on.key, second);
  spaces::held_stream held{*on.devices.a};
  const yoke::event to_first = on.table.copy_async(on.key, host_space, first, held.stream());
  const yoke::event to_second = on.table.copy_async(on.key, host_space, second, {});
  to_second.wait();  // hangs where it comes after the other one
  CHECK_FALSE(to_first.done());
}

TEST_CASE("an asynchronous migration between devices brings every byte", "[placement]") {
  one_region on{GENERATE(0, 1)};
  on.table.migrate(on.key, first);
  std::ranges::fill(on.data, 0.0);
  {
    spaces::held_stream held{*on.devices.b};
    const yoke::event arrived = on.table.migrate_async(on.key, second, held.stream());
    CHECK_FALSE(arrived.done());
  }
  const yoke::event back = on.table.copy_async(on.key, second, host_space, {});
  back.wait();
  CHECK(on.data == spaces::counting(1000));
  CHECK(on.table.placement_of(on.key) == second);
}

TEST_CASE("memory deallocated asynchronously is given back when the stream has reached it", "[placement]") {
  one_region on;
  on.table.alloc(on.key, first);
  spaces::held_stream held{*on.devices.a};
  const yoke::event gone = on.table.dealloc_async(on.key, first, held.stream());
  CHECK_FALSE(on.table.is_allocated(on.key, first));
  CHECK_FALSE(gone.done());
  CHECK(on.devices.a->statistics().bytes_allocated > 0);
  held.release();
  gone.wait();
  on.table.alloc(on.key, first);
  on.table.dealloc(on.key, first);
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("an allocation that does not fit waits for memory that is leaving", "[placement]") {
  spaces::two_devices devices{1 << 20};
  const auto list = devices.list();
  yoke::region_table table{list};
  void* old = table.reserve(800000);
  void* next = table.reserve(800000);
  table.alloc(old, first);
  spaces::held_stream held{*devices.a};
  const yoke::event gone = table.dealloc_async(old, first, held.stream());
  held.release();
  CHECK(table.alloc(next, first) != nullptr);
}
