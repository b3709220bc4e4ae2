#include "parts.hpp"

#include <fmt/format.h>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/placement.hpp>

namespace {

namespace placement = yoke::placement;
using spaces::first;
using spaces::second;
using yoke::host_space;

/// One CPU unit or none, and two GPU units. The test's thread is unit 0.
struct parts {
  spaces::two_devices devices;
  spaces::parts runtime;
  yoke::openmp::outer_region as_unit_0{0};

  explicit parts(int cpu_units) : runtime{cpu_units, *devices.a, *devices.b} {}
};

}  // namespace

TEST_CASE("without a runtime the primitives say that one must be made", "[placement]") {
  const double datum = 0;
  const char* keep = "make a yoke::runtime first and keep it while regions are used";
  CHECK_THROWS_WITH(placement::register_mem(&datum, sizeof datum),
                    fmt::format("placement: there is no runtime yet; {}", keep));
  const std::string unknown = fmt::format("{} is not the key of a region, because there is no runtime; {}",
                                          static_cast<const void*>(&datum), keep);
  CHECK_THROWS_WITH(placement::placement_of(&datum), unknown);
  CHECK_THROWS_WITH(placement::mem_addr(&datum), unknown);
  CHECK_THROWS_AS(placement::mem_addr(&datum), yoke::usage_error);
}

TEST_CASE("a space may be given as a space, as a unit or left to the calling thread", "[placement]") {
  parts on{1};
  std::vector<double> data = spaces::counting(10);
  placement::register_mem(data.data(), 80);
  CHECK(placement::mem_addr(data.data()) == data.data());
  void* address = placement::alloc(data.data(), yoke::unit_id{2});
  CHECK(placement::mem_addr(data.data(), second) == address);
  CHECK(placement::mem_addr(data.data(), yoke::unit_id{1}) == nullptr);
  CHECK_THROWS_AS(placement::alloc(data.data(), yoke::unit_id{3}), yoke::usage_error);
}

TEST_CASE("the border exchange of the paper's Figure 11 asks where a zone is placed", "[placement]") {
  parts on{1};
  std::vector<double> zone = spaces::counting(10);
  placement::register_mem(zone.data(), 80);
  CHECK(placement::is_cpu(placement::placement_of(zone.data())));
  CHECK(placement::gpu_id(host_space) == -1);
  placement::migrate(zone.data(), second);
  CHECK(placement::is_gpu(placement::placement_of(zone.data())));
  CHECK_FALSE(placement::is_cpu(second));
  CHECK(placement::gpu_id(second) == 1);
  CHECK_THROWS_AS(placement::is_gpu(yoke::space_id{3}), yoke::usage_error);
  void* reserved = placement::reserve(80);
  CHECK_FALSE(placement::is_gpu(placement::placement_of(reserved)));
  CHECK_FALSE(placement::is_cpu(placement::placement_of(reserved)));
  CHECK(placement::gpu_id(placement::placement_of(reserved)) == -1);
}

TEST_CASE("the plain primitives come after what the calling GPU unit has queued", "[placement]") {
  parts on{0};
  std::vector<double> data = spaces::counting(10);
  placement::register_mem(data.data(), 80);
  placement::migrate(data.data());  // to the device of CU 0
  CHECK(placement::placement_of(data.data()) == first);
  const yoke::stream_handle stream = on.runtime.units().calling().stream;
  auto* device_data = static_cast<double*>(placement::mem_addr(data.data()));
  const double value = 42;
  on.devices.a->copy(stream, device_data, &value, sizeof value, yoke::copy_kind::host_to_device);
  double found = 0;
  placement::copy(device_data, {}, &found, host_space, sizeof found);
  CHECK(found == 42);
  placement::migrate(data.data(), host_space);
  CHECK(data[0] == 42);
  placement::dealloc(data.data(), first);
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("the asynchronous primitives run on the calling GPU unit's stream", "[placement]") {
  parts on{0};
  std::vector<double> data = spaces::counting(10);
  placement::register_mem(data.data(), 80);
  placement::alloc_async(data.data(), second).wait();
  CHECK(placement::mem_addr(data.data(), second) != nullptr);
  const yoke::event there = placement::migrate_async(data.data());
  on.devices.a->synchronize(on.runtime.units().calling().stream);
  CHECK(there.done());
  placement::copy_async(data.data(), first, second).wait();
  placement::migrate_async(data.data(), second).wait();
  const yoke::event gone = placement::dealloc_async(data.data(), first);
  CHECK(placement::mem_addr(data.data(), first) == nullptr);
  gone.wait();
  placement::migrate(data.data(), host_space);
  CHECK(data == spaces::counting(10));
  placement::unregister_mem(data.data());
  CHECK_THROWS_AS(placement::placement_of(data.data()), yoke::usage_error);
}

TEST_CASE("bytes are copied between addresses of any two spaces, and no region moves", "[placement]") {
  parts on{1};
  std::vector<double> data = spaces::counting(100);
  placement::register_mem(data.data(), 800);
  auto* there = static_cast<double*>(placement::alloc(data.data(), first));
  auto* elsewhere = static_cast<double*>(placement::alloc(data.data(), second));
  std::vector<double> back(100, 0), inside(100, 0);
  constexpr std::size_t bytes = 50 * sizeof(double);
  placement::copy(data.data() + 10, host_space, there + 50, first, bytes);
  placement::copy(there + 50, first, there, first, bytes);
  placement::copy(there, first, elsewhere + 1, second, bytes);
  placement::copy(elsewhere + 1, second, back.data(), host_space, bytes);
  placement::copy(back.data(), host_space, inside.data() + 50, host_space, bytes);
  CHECK(inside[50] == 11);
  CHECK(inside[99] == 60);
  CHECK(placement::placement_of(data.data()) == host_space);
  CHECK_NOTHROW(placement::copy(nullptr, host_space, nullptr, first, 0));
  CHECK_THROWS_WITH(
      placement::copy(data.data(), host_space, nullptr, first, 8),
      Catch::Matchers::Contains("copying 8 bytes: the address in space 1 (emulated:0) is null"));
  CHECK_THROWS_AS(placement::copy(data.data(), host_space, there, yoke::space_id{7}, 8), yoke::usage_error);
  CHECK_THROWS_AS(placement::copy(data.data(), host_space, back.data(), first, 8), yoke::device_error);
}

TEST_CASE("adopted device memory serves as the copy of the unit's space", "[placement]") {
  parts on{1};
  std::vector<double> data = spaces::counting(10);
  void* theirs = on.devices.a->allocate(80);
  placement::register_mem(data.data(), 80);
  placement::adopt(data.data(), theirs, yoke::unit_id{1});
  placement::copy(data.data(), host_space, first);
  placement::migrate(data.data(), first);
  CHECK(placement::mem_addr(data.data(), first) == theirs);
  placement::unregister_mem(data.data());
  on.devices.a->deallocate(theirs);
}
