#include <memory>
#include <support/assertions.hpp>
#include <support/catch.hpp>
#include <support/fake_device.hpp>
#include <thread>

#include <yoke/cu.hpp>

using support::fake_device;
using yoke::compute_units;
using yoke::configuration;
using yoke::device;
using yoke::space_id;
using yoke::unit_id;

namespace {

constexpr configuration two_cpus_two_gpus{2, 1, 2};

/// Makes `units` current for the life of one test.
class current {
 public:
  explicit current(compute_units& units) : before_{yoke::detail::current_units().exchange(&units)} {}
  current(const current&) = delete;
  current& operator=(const current&) = delete;
  ~current() { yoke::detail::current_units().exchange(before_); }

 private:
  compute_units* before_;
};

struct two_by_one_plus_two {
  fake_device first{3};
  fake_device second{5};
  std::vector<device*> devices{&first, &second};
  std::vector<space_id> spaces{space_id{1}, space_id{2}};

  std::unique_ptr<compute_units> make() {
    return std::make_unique<compute_units>(two_cpus_two_gpus, std::vector<yoke::place>{{0}, {1}, {2}, {3}},
                                           devices, spaces);
  }
};

}  // namespace

TEST_CASE("compute units are the CPU ones, then the GPU ones with their devices", "[cu]") {
  two_by_one_plus_two fixture;
  const auto units = fixture.make();
  REQUIRE(units->size() == 4);
  for (int i = 0; i < 4; ++i) CHECK(units->at(unit_id{i}).id == unit_id{i});
  CHECK(units->at(unit_id{1}).kind == yoke::unit_kind::cpu);
  CHECK(units->at(unit_id{1}).space == yoke::host_space);
  CHECK(units->at(unit_id{1}).cpus == yoke::place{1});
  CHECK(units->at(unit_id{3}).kind == yoke::unit_kind::gpu);
  CHECK(units->at(unit_id{3}).space == space_id{2});
  CHECK(units->at(unit_id{3}).dev == &fixture.second);
  CHECK(units->at(unit_id{3}).cpus == yoke::place{3});
}

TEST_CASE("a unit that does not exist is refused with the range", "[cu]") {
  two_by_one_plus_two fixture;
  const auto units = fixture.make();
  CHECK_THROWS_WITH(units->at(unit_id{4}),
                    "compute unit 4: no such unit; configuration 2x1+2 has the units 0 to 3");
  CHECK_THROWS_AS(units->at(unit_id{-1}), yoke::usage_error);
}

TEST_CASE("every GPU compute unit has a stream of its own, which ends with it", "[cu]") {
  fake_device shared;
  const std::vector<device*> devices{&shared, &shared};
  const std::vector<space_id> spaces{space_id{1}, space_id{1}};
  {
    const compute_units units{two_cpus_two_gpus, {{0}, {1}, {2}, {3}}, devices, spaces};
    CHECK(shared.live_streams() == 2);
    CHECK_FALSE(units.at(unit_id{2}).stream == units.at(unit_id{3}).stream);
  }
  CHECK(shared.live_streams() == 0);
}

TEST_CASE("when a stream cannot be made the others are given back", "[cu]") {
  two_by_one_plus_two fixture;
  fixture.second.fail_make_stream(1);
  CHECK_THROWS_AS(fixture.make(), yoke::device_error);
  CHECK(fixture.first.live_streams() == 0);
  CHECK(fixture.second.live_streams() == 0);
}

TEST_CASE("outside of a parallel region the caller is compute unit 0", "[cu]") {
  two_by_one_plus_two fixture;
  const auto units = fixture.make();
  const current guard{*units};
  CHECK(yoke::cu::cu_id() == unit_id{0});
  CHECK(yoke::cu::n_cus() == 4);
  CHECK(yoke::cu::n_cpus() == 2);
  CHECK(yoke::cu::n_gpus() == 2);
  CHECK(yoke::cu::n_inner_cpus() == 1);
}

TEST_CASE("the caller's compute unit is that of its outer region, as long as this is known", "[cu]") {
  CHECK(yoke::openmp::outer_thread() == 0);
  {
    const yoke::openmp::outer_region region{2};
    CHECK(yoke::openmp::outer_thread() == 2);
    int elsewhere = -1;
    std::thread{[&] { elsewhere = yoke::openmp::outer_thread(); }}.join();
    CHECK(elsewhere == 0);
  }
  CHECK(yoke::openmp::outer_thread() == 0);
}

TEST_CASE("in a GPU-only configuration compute unit 0 is a GPU", "[cu]") {
  fake_device gpu{7};
  const std::vector<device*> devices{&gpu};
  const std::vector<space_id> spaces{space_id{1}};
  compute_units units{{.gpu_units = 1}, {{0}}, devices, spaces};
  const current guard{units};
  CHECK(yoke::cu::is_gpu());
  CHECK(yoke::cu::gpu_id() == 7);
  CHECK(yoke::cu::cpu_id() == -1);
  CHECK(yoke::cu::n_inner_cpus() == 0);
  CHECK(yoke::cu::stream() == units.at(unit_id{0}).stream.native);
  yoke::cu::synchronize();
  CHECK(gpu.calls() == std::vector<std::string>{"make_stream", "synchronize stream", "synchronize device"});
}

TEST_CASE("asking without a runtime is a usage error that says what to do", "[cu]") {
  const char* says = "no compute units: make a yoke::runtime before asking for them";
  CHECK_THROWS_WITH(yoke::cu::n_cus(), says);
  CHECK_THROWS_WITH(yoke::cu::cu_id(), says);
  CHECK_THROWS_AS(yoke::cu::cu_id(), yoke::usage_error);
}

TEST_CASE("compute units without a place, a device or a space for each break an assertion",
          "[compute_units][assertion]") {
  fake_device dev;
  std::vector<device*> devices{&dev, &dev};
  const std::vector<yoke::place> places{{0}, {1}, {2}, {3}};
  const std::vector<space_id> spaces{space_id{1}, space_id{1}};
  const auto made_of = [&](std::size_t n_places, std::size_t n_devices, std::size_t n_spaces) {
    return support::assertion_of([&] {
      const compute_units units{two_cpus_two_gpus,
                                {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(n_places)},
                                std::span<device* const>{devices}.first(n_devices),
                                std::span{spaces}.first(n_spaces)};
    });
  };
  CHECK_THAT(made_of(3, 2, 2), Catch::Contains("one place for each compute unit"));
  CHECK_THAT(made_of(4, 1, 2), Catch::Contains("one device and space for each GPU compute unit"));
  CHECK_THAT(made_of(4, 2, 1), Catch::Contains("one device and space for each GPU compute unit"));
  CHECK(made_of(4, 2, 2) == "(no assertion fired)");
}
