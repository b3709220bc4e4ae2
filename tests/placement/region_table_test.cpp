#include "spaces.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>

namespace {

using Catch::Matchers::Contains;
using spaces::first;
using spaces::nowhere;
using spaces::second;
using yoke::host_space;

struct fixture {
  spaces::two_devices devices;
  std::array<yoke::device*, 2> list = devices.list();
  yoke::region_table table{list};
  std::vector<double> data = spaces::counting(1000);
  yoke::key key = data.data();
  std::size_t bytes = data.size() * sizeof(double);

  fixture() { table.register_mem(key, bytes); }
};

}  // namespace

TEST_CASE("a registered region is allocated and placed on the host, at its key", "[placement]") {
  fixture on;
  CHECK(on.table.n_spaces() == 3);
  CHECK(on.table.placement_of(on.key) == host_space);
  CHECK(on.table.mem_addr(on.key, host_space) == on.key);
  CHECK(on.table.mem_addr(on.key, first) == nullptr);
  CHECK(on.table.size_of(on.key) == on.bytes);
  CHECK(on.table.device_of(host_space) == nullptr);
  CHECK(on.table.device_of(second) == on.devices.b.get());
}

TEST_CASE("a region keeps its bytes through migrations host, device, other device, host", "[placement]") {
  fixture on;
  const std::vector<double> before = on.data;
  on.table.migrate(on.key, first);
  CHECK(on.table.placement_of(on.key) == first);
  std::ranges::fill(on.data, -1.0);
  on.table.migrate(on.key, second);
  on.table.migrate(on.key, host_space);
  CHECK(on.data == before);
  CHECK(on.table.placement_of(on.key) == host_space);
}

TEST_CASE("a migration between devices is right for sizes around the staging buffer", "[placement]") {
  fixture on;
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
  fixture on;
  void* address = on.table.alloc(on.key, first);
  on.table.copy(on.key, host_space, first);
  CHECK(on.table.placement_of(on.key) == host_space);
  CHECK(on.table.mem_addr(on.key, first) == address);
  on.table.dealloc(on.key, first);
  CHECK(on.table.placement_of(on.key) == host_space);
}

TEST_CASE("alloc gives the same address until dealloc, and migrate uses it", "[placement]") {
  fixture on;
  void* address = on.table.alloc(on.key, first);
  CHECK(on.table.alloc(on.key, first) == address);
  on.table.migrate(on.key, first);
  CHECK(on.table.mem_addr(on.key, first) == address);
  CHECK(on.devices.a->statistics().allocations == 1);
}

TEST_CASE("the old allocation stays after a migration until it is deallocated", "[placement]") {
  fixture on;
  on.table.migrate(on.key, first);
  on.table.migrate(on.key, host_space);
  CHECK(on.table.is_allocated(on.key, first));
  on.table.dealloc(on.key, first);
  CHECK_FALSE(on.table.is_allocated(on.key, first));
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("migrating to where a region is placed does nothing", "[placement]") {
  fixture on;
  on.table.migrate(on.key, first);
  const auto copies = on.devices.a->statistics().copies;
  on.table.migrate(on.key, first);
  CHECK(on.devices.a->statistics().copies == copies);
}

TEST_CASE("a copy brings the bytes of one space to another", "[placement]") {
  fixture on;
  on.table.migrate(on.key, first);
  std::ranges::fill(on.data, 0.0);
  on.table.copy(on.key, first, host_space);
  CHECK(on.data == spaces::counting(1000));
  on.table.copy(on.key, first, first);
}

TEST_CASE("adopted memory is used and never freed", "[placement]") {
  fixture on;
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
  fixture on;
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
  fixture on;
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

TEST_CASE("an asynchronous migration changes the placement at once and the bytes follow", "[placement]") {
  fixture on;
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
  fixture on;
  spaces::held_stream held{*on.devices.a};
  const yoke::event arrived = on.table.migrate_async(on.key, first, held.stream());
  held.release();
  on.table.migrate(on.key, first);  // already placed there, but the bytes may be under way
  CHECK(arrived.done());
}

TEST_CASE("asynchronous operations on one region keep their order over streams", "[placement]") {
  fixture on;
  spaces::held_stream held{*on.devices.a};
  const yoke::event there = on.table.migrate_async(on.key, first, held.stream());
  const yoke::event back = on.table.migrate_async(on.key, host_space, {});
  CHECK_FALSE(back.done());
  held.release();
  back.wait();
  CHECK(there.done());
  CHECK(on.data == spaces::counting(1000));
}

TEST_CASE("an asynchronous migration between devices brings every byte", "[placement]") {
  fixture on;
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
  fixture on;
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

TEST_CASE("transfers are counted by source and destination", "[placement]") {
  fixture on;
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
  fixture on;
  std::vector<char> buffer(3000);
  for (int round = 0; round < 500; ++round) {
    for (int i = 0; i < 30; ++i) on.table.register_mem(buffer.data() + 100 * i, 100);
    CHECK(on.table.size_of(buffer.data() + 2900) == 100);
    for (int i = 0; i < 30; ++i) on.table.unregister_mem(buffer.data() + 100 * ((i * 7 + round) % 30));
  }
  CHECK_THROWS_AS(on.table.size_of(buffer.data()), yoke::usage_error);
  CHECK(on.table.size_of(on.key) == on.bytes);
}

TEST_CASE("misuse of a region table says what was asked, what was found and what to do", "[placement]") {
  fixture on;
  const std::string name = "(8000 bytes)";
  char* inside = reinterpret_cast<char*>(on.data.data()) + 8;
  const auto wrong = [&](auto&& call, const std::vector<std::string>& parts) {
    try {
      call();
      FAIL_CHECK("nothing was thrown");
    } catch (const yoke::usage_error& met) {
      for (const std::string& part : parts) CHECK_THAT(met.what(), Contains(part));
    }
  };
  wrong([&] { on.table.register_mem(inside, 8); }, {"(8 bytes) overlaps region", name, "unregister"});
  wrong([&] { on.table.register_mem(on.key, 8); }, {"overlaps", name});
  wrong([&] { on.table.register_mem(inside - 16, 16); }, {"overlaps", name});
  wrong([&] { on.table.register_mem(on.data.data() + 2000, 0); }, {"cannot be empty"});
  wrong([&] { on.table.register_mem(nullptr, 8); }, {"null pointer"});
  wrong([&] { on.table.register_mem(inside, SIZE_MAX); }, {"end of the address space"});
  const std::string half = std::to_string(SIZE_MAX / 2);
  wrong([&] { on.table.register_mem(inside + 8000, SIZE_MAX / 2); }, {half, "not all of it is memory"});
  wrong([&] { on.table.register_mem(inside + 8000, std::size_t{1} << 46); }, {"not all of it is memory"});
  wrong([&] { (void)on.table.reserve(0); }, {"cannot be empty"});
  wrong([&] { on.table.placement_of(inside); }, {"not the key", "lies inside region", name});
  wrong([&] { on.table.migrate(&on, first); }, {"not the key", "register_mem"});
  wrong([&] { on.table.mem_addr(nullptr, first); }, {"not the key"});
  wrong([&] { on.table.alloc(on.key, yoke::space_id{3}); }, {"space 3", "1 to 2"});
  wrong([&] { on.table.migrate(on.key, nowhere); }, {"space -1", "0 is the host"});
  wrong([&] { on.table.copy(on.key, host_space, first); }, {name, "space 1 (emulated:0)", "alloc it there"});
  wrong([&] { on.table.dealloc(on.key, first); }, {name, "space 1 (emulated:0)", "twice"});
  wrong([&] { on.table.dealloc(on.key, host_space); }, {name, "space 0 (host)", "belongs to the program"});
  wrong([&] { on.table.adopt(on.key, inside, host_space); }, {name, "at its key"});
  wrong([&] { on.table.adopt(on.key, nullptr, first); }, {name, "null pointer"});
  on.table.migrate(on.key, first);
  wrong([&] { on.table.dealloc(on.key, first); }, {name, "placed there", "migrate it"});
  wrong([&] { on.table.adopt(on.key, inside, first); }, {name, "allocated there already"});
  on.table.unregister_mem(on.key);
  wrong([&] { on.table.unregister_mem(on.key); }, {"not the key"});
}

TEST_CASE("exhausted memory names region, bytes wanted, bytes free and space, and changes nothing",
          "[placement]") {
  spaces::two_devices devices{1 << 20};
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<char> data(2 << 20);
  table.register_mem(data.data(), data.size());
  try {
    table.migrate(data.data(), second);
    FAIL_CHECK("nothing was thrown");
  } catch (const yoke::out_of_memory& met) {
    CHECK(met.bytes_wanted() == data.size());
    CHECK(met.bytes_free() == 1 << 20);
    CHECK_THAT(met.what(), Contains("(2097152 bytes): 2097152 bytes wanted in space 2 (emulated:1), 1048576 "
                                    "bytes free"));
  }
  CHECK(table.placement_of(data.data()) == host_space);
  CHECK_FALSE(table.is_allocated(data.data(), second));
}
