#include "spaces.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/error.hpp>

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using spaces::first;
using spaces::nowhere;
using spaces::one_region;
using spaces::second;
using yoke::host_space;

}  // namespace

TEST_CASE("misuse of a region table says what was asked, what was found and what to do", "[placement]") {
  one_region on;
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
  wrong([&] { on.table.alloc(on.key, yoke::space_id{3}); }, {"space 3", "1 to 2 those of the devices"});
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

TEST_CASE("messages call a region by the name that it was given, else by the number of its making",
          "[placement]") {
  spaces::two_devices devices;
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<double> first_made(2), forces(4);
  table.register_mem(first_made.data(), 16);
  table.register_mem(forces.data(), 32, "forces");
  const void* const reserved = table.reserve(64, "work space");
  const auto place = [](const void* start) { return fmt::format(" at {}", start); };
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { table.dealloc(forces.data(), first); }),
             StartsWith("region 'forces'" + place(forces.data()) + " (32 bytes): dealloc in space 1"));
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { table.dealloc(first_made.data(), first); }),
             StartsWith("region 1" + place(first_made.data()) + " (16 bytes): dealloc in space 1"));
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { table.dealloc(reserved, first); }),
             StartsWith("region 'work space'" + place(reserved) + " (64 bytes): "));
}

TEST_CASE("an address that is no key is told with what is there, was there or is next to it", "[placement]") {
  spaces::two_devices devices;
  const auto list = devices.list();
  yoke::region_table table{list};
  std::vector<char> all(64);
  const auto refusal = [&](yoke::key wanted) {
    return support::message_of<yoke::usage_error>([&] { static_cast<void>(table.placement_of(wanted)); });
  };
  CHECK_THAT(refusal(all.data()), EndsWith("no region is registered; register it with register_mem first"));
  table.register_mem(all.data(), 8, "head");
  table.register_mem(all.data() + 48, 8, "tail");
  CHECK_THAT(refusal(all.data() + 4), Contains("it lies inside region 'head' at "));
  CHECK_THAT(refusal(all.data() + 9), Contains("the nearest one is region 'head' at "));
  CHECK_THAT(refusal(all.data() + 46), Contains("the nearest one is region 'tail' at "));
  CHECK_THAT(refusal(all.data() + 60), Contains("the nearest one is region 'tail' at "));
  CHECK_THAT(refusal(nullptr), EndsWith("a key is the address that was registered, or that reserve gave"));
  table.unregister_mem(all.data());
  CHECK_THAT(refusal(all.data()), Contains("region 'head' at ") && Contains("has been unregistered"));
  table.register_mem(all.data(), 8, "head again");
  CHECK_NOTHROW(table.placement_of(all.data()));
}

TEST_CASE("a space that there is not is told with those that there are", "[placement]") {
  const auto refusal = [](std::span<yoke::device* const> list) {
    const yoke::region_table table{list};
    return support::refusal([&] { static_cast<void>(table.memory_free(yoke::space_id{7})); });
  };
  spaces::two_devices devices;
  const auto list = devices.list();
  const std::string none = "space 7: there is no such memory space; 0 is the host's memory, ";
  CHECK(refusal({}) == none + "there is no other, as no device is used");
  CHECK(refusal(std::span{list}.first(1)) == none + "1 that of the device");
  CHECK(refusal(list) == none + "1 to 2 those of the devices");
}

TEST_CASE("a table serves the units of one runtime", "[placement]") {
  const yoke::compute_units units{{.cpu_units = 1, .cpus_per_unit = 1}, {{0}}, {}, {}};
  yoke::region_table table{{}};
  table.serve(units);
  CHECK_THROWS_WITH(table.serve(units),
                    "serve: the table serves the units of a runtime already; make another table");
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
    CHECK_THAT(met.what(),
               Contains("(2097152 bytes): 2097152 bytes wanted in space 2 (emulated:1), 1048576 "
                        "bytes free; dealloc what is not needed there, or have less of the data there at "
                        "a time"));
  }
  CHECK(table.placement_of(data.data()) == host_space);
  CHECK_FALSE(table.is_allocated(data.data(), second));
}
