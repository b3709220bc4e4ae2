#include "driver/march/memory_plan.hpp"

#include "marching.hpp"

#include <algorithm>
#include <limits>
#include <malloc.h>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/error.hpp>

using support::message_of;

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr yoke::space_id space_of_device{1};

yoke::runtime make_runtime(const char* cus, const char* devices) {
  return yoke::runtime{{.cus = yoke::sourced{cus, "a test"}, .devices = yoke::sourced{devices, "a test"}}};
}

std::size_t bytes_of_host_zones(const npb::benchmark& what) {
  std::size_t bytes = 0;
  for (const npb::zone& z : what.what().zones)
    bytes += (what.has_residual() ? 3 : 2) * z.shape.field_size() * sizeof(double);
  return bytes;
}

}  // namespace

TEST_CASE("a device never has more allocated than was planned for the zones that it was given",
          "[npb][memory]") {
  const auto kind = GENERATE(npb::benchmark_kind::sp, npb::benchmark_kind::bt, npb::benchmark_kind::lu);
  const int n_on_cpu = GENERATE(0, 2, 5);
  marching under{n_on_cpu, kind};
  const npb::memory_plan& planned = under.zones.memory();
  std::size_t bound = planned.spaces()[1].beside;
  for (int zone = n_on_cpu; zone < 6; ++zone) bound += planned.bytes(zone, space_of_device);
  (void)under.norms_after({1, 5});
  const std::size_t allocated = under.device().statistics().bytes_allocated;
  CHECK(allocated <= bound);
  CHECK(allocated > bound / 3);
}

TEST_CASE("what a solver for the host owns is what was planned for it", "[npb][memory]") {
#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer)) || \
    (defined(__has_feature) && __has_feature(thread_sanitizer))
  support::skip("a sanitizer's allocations are not the C library's");
#else
  const auto kind = GENERATE(npb::benchmark_kind::sp, npb::benchmark_kind::bt, npb::benchmark_kind::lu);
  const int n_threads = GENERATE(1, 3);
  const npb::zone_shape largest{41, 33, 21};
  const std::unique_ptr<npb::benchmark> what = six_zones(kind);
  const auto in_use = [] {
    const auto now = mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  const std::size_t before = in_use();
  const auto solver = what->make_host_solver(n_threads, largest);
  const std::size_t owned = in_use() - before, planned = what->host_scratch_bytes(n_threads, largest);
  CHECK(owned >= planned);
  CHECK(owned <= planned + planned / 16 + 65536);
#endif
}

TEST_CASE("zones that fit nowhere are refused with need, free and what would fit", "[npb][memory]") {
  const std::unique_ptr<npb::benchmark> what =
      npb::sp::make_benchmark(npb::make_problem(npb::benchmark_kind::sp, 'A'));
  const yoke::runtime rt = make_runtime("1x1+1", "emulated:1");
  const yoke::host_memory small{.free = std::size_t{20} << 20, .addresses = unlimited};
  CHECK_THAT(message_of<yoke::out_of_memory>([&] { npb::memory_plan{*what, rt, small}; }),
             Catch::StartsWith("SP-MZ class A does not fit into memory: 16 zones need 20971520 bytes") &&
                 Catch::Contains("host memory: ") && Catch::Contains("emulated:0: ") &&
                 Catch::Contains("class W would fit"));
  const yoke::host_memory enough{.free = std::size_t{1} << 30, .addresses = unlimited};
  CHECK_FALSE(npb::memory_plan(*what, rt, enough).is_short());
  const yoke::host_memory few_addresses{.free = std::size_t{1} << 30, .addresses = 1000};
  CHECK_THAT(message_of<yoke::out_of_memory>([&] { npb::memory_plan{*what, rt, few_addresses}; }),
             Catch::Contains("1000 of addresses are left (ulimit -v)"));
}

TEST_CASE("a map that puts more into a space than it holds is refused with what would fit", "[npb][memory]") {
  const std::unique_ptr<npb::benchmark> what = six_zones(npb::benchmark_kind::lu);
  const yoke::runtime rt = make_runtime("2x1", "none");
  const std::size_t zones = bytes_of_host_zones(*what);
  const npb::memory_plan plenty{*what, rt, {.free = std::size_t{1} << 30, .addresses = unlimited}};
  CHECK(plenty.spaces()[0].all_zones == zones);
  const std::size_t needed = zones + plenty.spaces()[0].beside;
  const std::vector<yoke::unit_id> map(6, yoke::unit_id{0});
  CHECK_NOTHROW(plenty.check(map));
  const npb::memory_plan just{*what, rt, {.free = needed * 64 / 63 + 64, .addresses = unlimited}};
  CHECK_NOTHROW(just.check(map));
  CHECK_FALSE(just.is_short());
  CHECK_THROWS_AS(npb::memory_plan(*what, rt, {.free = needed, .addresses = unlimited}), yoke::out_of_memory);
}

TEST_CASE("where memory is short a schedule is told of a zone less than there is room for", "[npb][memory]") {
  const std::unique_ptr<npb::benchmark> what = six_zones(npb::benchmark_kind::sp);
  const yoke::host_memory host{.free = std::size_t{1} << 30, .addresses = unlimited};
  const yoke::runtime with_plenty = make_runtime("1x1+1", "emulated:1");
  const npb::space_memory needed = npb::memory_plan{*what, with_plenty, host}.spaces()[1];
  const std::size_t memory = needed.beside + needed.all_zones / 2;
  const support::variable limit{"YOKE_EMULATED", "memory=" + std::to_string(memory)};
  const yoke::runtime rt = make_runtime("1x1+1", "emulated:1");
  const npb::memory_plan half{*what, rt, host};
  CHECK(half.is_short());
  CHECK(half.is_tight(space_of_device));
  CHECK_FALSE(half.is_tight(yoke::host_space));
  yoke::workload work;
  half.limit(work);
  std::size_t largest = 0;
  for (int zone = 0; zone < 6; ++zone) largest = std::max(largest, half.bytes(zone, space_of_device));
  CHECK(work.room[0] == 0);  // no limit
  CHECK(work.room[1] == half.spaces()[1].for_zones() - largest);
  CHECK_THAT(message_of<yoke::out_of_memory>([&] { half.check(std::vector(6, yoke::unit_id{1})); }),
             Catch::StartsWith("emulated:0: the schedule gives it 6 of 6 zones") &&
                 Catch::Contains("enough for about 3 zones"));
}
