#include "spaces.hpp"

#include <algorithm>
#include <cstdint>
#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/error.hpp>

namespace {

using spaces::first;
using spaces::nowhere;
using spaces::one_region;
using spaces::second;
using yoke::host_space;

}  // namespace

TEST_CASE("a registered region is allocated and placed on the host, at its key", "[placement]") {
  one_region on;
  CHECK(on.table.n_spaces() == 3);
  CHECK(on.table.placement_of(on.key) == host_space);
  CHECK(on.table.mem_addr(on.key, host_space) == on.key);
  CHECK(on.table.mem_addr(on.key, first) == nullptr);
  CHECK(on.table.size_of(on.key) == on.bytes);
  CHECK(on.table.device_of(host_space) == nullptr);
  CHECK(on.table.device_of(second) == on.devices.b.get());
}

TEST_CASE("a region keeps its bytes through migrations host, device, other device, host", "[placement]") {
  one_region on;
  const std::vector<double> before = on.data;
  on.table.migrate(on.key, first);
  CHECK(on.table.placement_of(on.key) == first);
  std::ranges::fill(on.data, -1.0);
  on.table.migrate(on.key, second);
  on.table.migrate(on.key, host_space);
  CHECK(on.data == before);
  CHECK(on.table.placement_of(on.key) == host_space);
}

TEST_CASE("a migration that discards moves no bytes, and makes copies elsewhere stale as others do",
          "[placement]") {
  one_region on;
  on.table.migrate_discarding(on.key, first);
  CHECK(on.table.placement_of(on.key) == first);
  CHECK(on.table.mem_addr(on.key, first) != nullptr);
  CHECK(on.table.transfers().empty());
  std::ranges::fill(on.data, -1.0);
  on.table.migrate(on.key, second);  // whatever is there
  on.table.migrate_discarding(on.key, host_space);
  on.table.migrate_discarding(on.key, host_space);
  CHECK(on.table.placement_of(on.key) == host_space);
  CHECK(std::ranges::count(on.data, -1.0) == 1000);
  std::ranges::copy(spaces::counting(1000), on.data.begin());
  on.table.migrate(on.key, second);
  std::ranges::fill(on.data, 0.0);
  on.table.migrate(on.key, host_space);
  CHECK(on.data == spaces::counting(1000));
}

TEST_CASE("devices that reach each other's memory leave the host's out of a migration", "[placement]") {
  const int peers = GENERATE(0, 1);
  one_region on{peers};
  on.table.migrate(on.key, first);
  const std::size_t before = on.devices.a->statistics().bytes_to_host;
  on.table.migrate(on.key, second);
  CHECK(on.devices.a->statistics().bytes_to_host - before == (peers == 0 ? 0 : on.bytes));
  CHECK(on.devices.a->statistics().pinned_buffers == (peers == 0 ? 0 : 1));
  const std::vector<yoke::transfer_count> counts = on.table.transfers();
  CHECK(std::ranges::any_of(counts, [&](const yoke::transfer_count& each) {
    return each.from == first && each.to == second && each.bytes == on.bytes;
  }));
  on.table.migrate(on.key, host_space);
  CHECK(on.data == spaces::counting(1000));
}

TEST_CASE("a region that leaves a device while it is copied from there waits for the copy", "[placement]") {
  one_region on;
  on.table.migrate(on.key, first);
  spaces::held_stream held{*on.devices.b};
  const yoke::event arrived = on.table.migrate_async(on.key, second, held.stream());
  CHECK_FALSE(arrived.done());
  std::thread other{[&] { on.table.dealloc(on.key, first); }};
  held.release();
  other.join();
  CHECK(arrived.done());
  on.table.migrate(on.key, host_space);
  CHECK(on.data == spaces::counting(1000));
}

TEST_CASE("a migration between devices is right for sizes around the staging buffer", "[placement]") {
  one_region on{GENERATE(0, 1)};
  const std::size_t n = GENERATE(1u, 524288u, 524289u, 1572865u);  // 4 MiB are 524288 doubles
  std::vector<double> big = spaces::counting(n);
  on.table.register_mem(big.data(), n * sizeof(double));
  on.table.migrate(big.data(), first);
  std::ranges::fill(big, -1.0);
  on.table.migrate(big.data(), second);
  on.table.migrate(big.data(), host_space);
  CHECK(big == spaces::counting(n));
}

TEST_CASE("only migrate changes a placement", "[placement]") {
  one_region on;
  void* address = on.table.alloc(on.key, first);
  on.table.copy(on.key, host_space, first);
  CHECK(on.table.placement_of(on.key) == host_space);
  CHECK(on.table.mem_addr(on.key, first) == address);
  on.table.dealloc(on.key, first);
  CHECK(on.table.placement_of(on.key) == host_space);
}

TEST_CASE("alloc gives the same address until dealloc, and migrate uses it", "[placement]") {
  one_region on;
  void* address = on.table.alloc(on.key, first);
  CHECK(on.table.alloc(on.key, first) == address);
  on.table.migrate(on.key, first);
  CHECK(on.table.mem_addr(on.key, first) == address);
  CHECK(on.devices.a->statistics().allocations == 1);
}

TEST_CASE("the old allocation stays after a migration until it is deallocated", "[placement]") {
  one_region on;
  on.table.migrate(on.key, first);
  on.table.migrate(on.key, host_space);
  CHECK(on.table.is_allocated(on.key, first));
  on.table.dealloc(on.key, first);
  CHECK_FALSE(on.table.is_allocated(on.key, first));
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("migrating to where a region is placed does nothing", "[placement]") {
  one_region on;
  on.table.migrate(on.key, first);
  const auto copies = on.devices.a->statistics().copies;
  on.table.migrate(on.key, first);
  CHECK(on.devices.a->statistics().copies == copies);
}

TEST_CASE("a copy brings the bytes of one space to another", "[placement]") {
  one_region on;
  on.table.migrate(on.key, first);
  std::ranges::fill(on.data, 0.0);
  on.table.copy(on.key, first, host_space);
  CHECK(on.data == spaces::counting(1000));
  on.table.copy(on.key, first, first);
}

TEST_CASE("adopted memory is used and never freed", "[placement]") {
  one_region on;
  void* theirs = on.devices.a->allocate(on.bytes);
  on.table.adopt(on.key, theirs, first);
  CHECK(on.table.mem_addr(on.key, first) == theirs);
  on.table.migrate(on.key, first);
  on.table.migrate(on.key, host_space);
  on.table.dealloc(on.key, first);
  CHECK(on.table.mem_addr(on.key, first) == nullptr);
  CHECK(on.devices.a->statistics().bytes_allocated > 0);
  on.table.adopt(on.key, theirs, first);
  on.table.unregister_mem(on.key);
  CHECK(on.devices.a->statistics().bytes_allocated > 0);
  on.devices.a->deallocate(theirs);
}

TEST_CASE("a reserved region is placed nowhere until it is migrated, and then without a copy",
          "[placement]") {
  one_region on;
  void* key = on.table.reserve(1 << 20);
  CHECK(on.table.placement_of(key) == nowhere);
  CHECK_FALSE(on.table.is_allocated(key, host_space));
  on.table.migrate(key, first);
  CHECK(on.table.placement_of(key) == first);
  CHECK_FALSE(on.table.is_allocated(key, host_space));
  CHECK(on.devices.a->statistics().copies == 0);
  on.table.unregister_mem(key);
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("a reserved region gets host pages at its key and gives them back", "[placement]") {
  one_region on;
  auto* key = static_cast<double*>(on.table.reserve(1 << 20));
  CHECK(on.table.alloc(key, host_space) == key);
  on.table.migrate(key, host_space);
  key[0] = 5;
  on.table.migrate(key, first);
  on.table.dealloc(key, host_space);
  CHECK(on.table.mem_addr(key, host_space) == nullptr);
  on.table.migrate(key, host_space);
  CHECK(key[0] == 5);
  on.table.dealloc(key, first);
  on.table.dealloc(key, host_space);
  CHECK(on.table.placement_of(key) == nowhere);
}

TEST_CASE("transfers are counted by source and destination", "[placement]") {
  one_region on;
  on.table.migrate(on.key, first);
  on.table.migrate(on.key, second);
  on.table.copy(on.key, second, host_space);
  on.table.copy(on.key, second, host_space);
  const auto all = on.table.transfers();
  REQUIRE(all.size() == 3);
  for (const auto& [from, to, n] :
       {std::tuple{host_space, first, 1u}, {first, second, 1u}, {second, host_space, 2u}}) {
    const auto found = std::ranges::find_if(all, [&](const auto& t) { return t.from == from && t.to == to; });
    REQUIRE(found != all.end());
    CHECK(found->copies == n);
    CHECK(found->bytes == n * on.bytes);
  }
}

TEST_CASE("the end of a table frees what it allocated", "[placement]") {
  spaces::two_devices devices;
  std::vector<double> data(100);
  {
    const auto list = devices.list();
    yoke::region_table table{list};
    table.register_mem(data.data(), data.size() * sizeof(double));
    table.migrate(data.data(), first);
    table.migrate(data.data(), second);
    table.migrate(table.reserve(100), second);
    (void)table.dealloc_async(data.data(), first, {});
  }
  CHECK(devices.a->statistics().bytes_allocated == 0);
  CHECK(devices.b->statistics().bytes_allocated == 0);
  CHECK(devices.a->statistics().pinned_buffers == 0);
}

TEST_CASE("neighbouring regions are distinct and their addresses reusable", "[placement]") {
  one_region on;
  std::vector<char> buffer(3000);
  for (int round = 0; round < 500; ++round) {
    for (int i = 0; i < 30; ++i) on.table.register_mem(buffer.data() + 100 * i, 100);
    CHECK(on.table.size_of(buffer.data() + 2900) == 100);
    for (int i = 0; i < 30; ++i) on.table.unregister_mem(buffer.data() + 100 * ((i * 7 + round) % 30));
  }
  CHECK_THROWS_AS(on.table.size_of(buffer.data()), yoke::usage_error);
  CHECK(on.table.size_of(on.key) == on.bytes);
}
