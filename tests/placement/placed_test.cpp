#include "kernels.hpp"
#include "parts.hpp"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>
#include <utility>

#include <yoke/error.hpp>

namespace {

namespace placement = yoke::placement;
using Catch::Matchers::Contains;
using kernels::over;
using kernels::value;
using kernels::values;
using spaces::first;
using spaces::nowhere;
using spaces::parts;
using spaces::second;
using support::message_of;
using yoke::host_space;
using yoke::placed;

constexpr std::size_t n = 100;

/// Unit 0 is a CPU's, 1 and 2 are those of two devices.
struct fixture {
  spaces::two_devices devices;
  std::optional<parts> runtime{std::in_place, 1, *devices.a, *devices.b};
  values data = values(n, 1);
  placed<value> x{*runtime, std::span{data}};

  std::size_t copies() const { return devices.a->statistics().copies + devices.b->statistics().copies; }
};

}  // namespace

TEST_CASE("a placed object is a region while it lives", "[placement]") {
  fixture on;
  values others(10);
  yoke::key key = others.data();
  {
    const placed<value> y{*on.runtime, std::span{others}};
    CHECK(y.key() == key);
    CHECK(y.size() == 10);
    CHECK(y.where() == host_space);
    CHECK(placement::placement_of(key) == host_space);
    CHECK_THAT(message_of<yoke::usage_error>([&] { placement::unregister_mem(key); }),
               Contains("belongs to a yoke::placed"));
    CHECK(y.where() == host_space);
  }
  CHECK_THROWS_AS(placement::placement_of(key), yoke::usage_error);
}

TEST_CASE("what is asked for on a unit is placed there, and comes back with its bytes", "[placement]") {
  fixture on;
  for (const int unit : {1, 2, 1, 0, 2}) {
    parts::as(unit, [&] {
      const yoke::device_ptr<value> here = on.x.here();
      CHECK(here.address() == placement::mem_addr(on.x.key()));
      CHECK(on.x.where() == on.runtime->unit(unit).space);
      yoke::launch_here<kernels::scale>(over(n), "scale", here, 2, unit);
    });
  }
  const std::span<value> host = on.x.host();
  CHECK(values{host.begin(), host.end()} == values(n, ((((2 + 1) * 2 + 2) * 2 + 1) * 2 + 0) * 2 + 2));
  CHECK(host.data() == on.data.data());
  CHECK(on.x.where() == host_space);
}

TEST_CASE("asking for an object where it is copies nothing", "[placement]") {
  fixture on;
  parts::as(1, [&] {
    static_cast<void>(on.x.here());
    on.runtime->finish(1);
    const auto before = on.copies();
    static_cast<void>(on.x.here());
    yoke::bring_here(on.x);
    on.runtime->finish(1);
    CHECK(on.copies() == before);
  });
}

TEST_CASE("outside of parallel regions an object is asked for on the host", "[placement]") {
  fixture on;
  parts::as(1, [&] { static_cast<void>(on.x.here()); });
  CHECK(on.x.here().address() == on.data.data());
  CHECK(on.x.where() == host_space);
}

TEST_CASE("a placed object may move, and one that was moved from says so", "[placement]") {
  fixture on;
  placed<value> y = std::move(on.x);
  CHECK(y.key() == on.data.data());
  const auto asked = [](auto& object) {
    return message_of<yoke::usage_error>([&] { static_cast<void>(object.here()); });
  };
  const std::string says =
      "a placed object without a region was asked; it was moved from, or made without a runtime";
  CHECK(asked(on.x) == says);  // NOLINT(bugprone-use-after-move)
  placed<value> none;
  CHECK(asked(none) == says);
  CHECK(none.size() == 0);
  none = std::move(y);
  CHECK(none.host()[0] == 1);
}

TEST_CASE("a placed object may outlive its runtime, and says so when it is asked", "[placement]") {
  fixture on;
  placed<value> reserved{*on.runtime, n, "forces"};
  parts::as(1, [&] { yoke::bring_here(on.x, reserved); });
  on.runtime.reset();
  for (placed<value>* each : {&on.x, &reserved}) {
    const auto refused = [&](const auto& ask) {
      CHECK(message_of<yoke::usage_error>(ask) ==
            fmt::format("region {} at {} (800 bytes of long): the runtime that its placed object was made "
                        "with has ended; keep the runtime while the object is used",
                        each == &reserved ? "'forces'" : "1", each->key()));
    };
    refused([&] { static_cast<void>(each->here()); });
    refused([&] { static_cast<void>(std::as_const(*each).here()); });
    refused([&] { static_cast<void>(each->host()); });
    refused([&] { static_cast<void>(each->where()); });
    refused([&] { yoke::bring_here(*each); });
    refused([&] { yoke::prefetch(*each, yoke::unit_id{0}); });
  }
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
}

TEST_CASE("an object without host memory is placed by who asks first, and is zeros on the host",
          "[placement]") {
  fixture on;
  placed<value> y{*on.runtime, n};
  CHECK(y.where() == nowhere);
  CHECK_THAT(message_of<yoke::usage_error>([&] { static_cast<void>(y.read_here()); }),
             Contains("nothing has been written to it yet"));
  CHECK(y.where() == nowhere);
  CHECK(y.host()[n - 1] == 0);
  placed<value> z{*on.runtime, n};
  parts::as(2, [&] {
    static_cast<void>(z.here());
    CHECK(z.where() == second);
    yoke::launch_here<kernels::add>(over(n), "add", std::as_const(on.x), y);
  });
  CHECK(std::as_const(y).host()[n - 1] == 1);
  CHECK(y.where() == second);
}

TEST_CASE("a copy for reading leaves the placement and serves until the next write", "[placement]") {
  fixture on;
  const value* copy = nullptr;
  parts::as(1, [&] { copy = on.x.read_here().address(); });
  CHECK(on.x.where() == host_space);
  CHECK(copy == placement::mem_addr(on.x.key(), first));
  on.runtime->finish(1);
  const auto before = on.copies();
  parts::as(1, [&] { CHECK(std::as_const(on.x).here().address() == copy); });
  on.runtime->finish(1);
  CHECK(on.copies() == before);
  on.x.host()[0] = 7;
  values seen(n, 0);
  placed<value> y{*on.runtime, std::span{seen}};
  parts::as(1, [&] {
    CHECK(on.x.read_here().address() == copy);  // it has kept its memory
    yoke::launch_here<kernels::add>(over(n), "add", on.x.read_here(), y.here());
    on.runtime->finish(1);
  });
  CHECK(on.copies() == before + 2);
  CHECK(y.host()[0] == 7);
  CHECK(y.host()[1] == 1);
}

TEST_CASE("a const object reads on the host, too", "[placement]") {
  fixture on;
  parts::as(1, [&] { yoke::launch_here<kernels::scale>(over(n), "scale", on.x, 3, 4); });
  CHECK(std::as_const(on.x).host()[0] == 7);
  CHECK(on.x.where() == first);
  parts::as(1, [&] { yoke::launch_here<kernels::scale>(over(n), "scale", on.x, 1, 1); });
  CHECK(std::as_const(on.x).host()[0] == 8);
}

TEST_CASE("to write where a current copy is needs no other copy", "[placement]") {
  fixture on;
  parts::as(1, [&] { static_cast<void>(on.x.read_here()); });
  on.runtime->finish(1);
  const auto before = on.copies();
  parts::as(1, [&] { yoke::launch_here<kernels::scale>(over(n), "scale", on.x, 3, 4); });
  CHECK(on.x.where() == first);
  on.runtime->finish(1);
  CHECK(on.copies() == before);
  CHECK(on.x.host()[n - 1] == 7);
}

TEST_CASE("keys have copies for reading and typed addresses, too", "[placement]") {
  fixture on;
  values seen(n, 0);
  placement::register_mem(seen.data(), n * sizeof(value));
  parts::as(1, [&] {
    yoke::launch_here<kernels::add>(over(n), "add", placement::read_here<value>(on.x.key()),
                                    placement::migrate_here<value>(seen.data()));
  });
  CHECK(on.x.where() == host_space);
  CHECK(placement::placement_of(seen.data()) == first);
  parts::as(2, [&] { CHECK(placement::read_here(seen.data()) != seen.data()); });
  placement::migrate(seen.data());
  CHECK(seen == values(n, 1));
  placement::unregister_mem(seen.data());
}

TEST_CASE("deallocating a copy for reading leaves the object and other copies as they are", "[placement]") {
  fixture on;
  for (const int unit : {1, 2}) parts::as(unit, [&] { static_cast<void>(on.x.read_here()); });
  placement::dealloc(on.x.key(), first);
  const std::size_t copies = on.copies();
  parts::as(2, [&] { static_cast<void>(on.x.read_here()); });
  CHECK(on.copies() == copies);
  CHECK(on.devices.a->statistics().bytes_allocated == 0);
  parts::as(1, [&] { yoke::launch_here<kernels::scale>(over(n), "scale", on.x, 3, 4); });
  CHECK(on.x.host()[0] == 7);
}

TEST_CASE("an object may be argument of a launch several times", "[placement]") {
  fixture on;
  for (const int unit : {0, 1}) {
    parts::as(unit, [&] {
      yoke::launch_here<kernels::add>(over(n), "add", std::as_const(on.x), on.x);
      yoke::launch_here<kernels::add>(over(n), "add", on.x, on.x);
    });
  }
  CHECK(on.x.host()[n / 2] == 16);
}

namespace {
/// Sums rows of 50 on chip.
struct sum_rows {
  static constexpr int block = 50;
  YOKE_HD void operator()(const yoke::block& b, yoke::device_ptr<const value> x,
                          yoke::device_ptr<value> sums) const {
    auto* row = b.shared<value>();
    b.for_each(50, [&](int i) { row[i] = x[50 * b.x + i]; });
    b.for_each(1, [&](int) {
      for (int i = 0; i < 50; ++i) sums[b.x] += row[i];
    });
  }
};
}  // namespace

TEST_CASE("a block kernel runs on the calling unit, a CPU's too", "[placement]") {
  fixture on;
  for (const int unit : {0, 1}) {
    placed<value> sums{*on.runtime, 2};
    sums.host()[0] = 0;
    parts::as(unit, [&] {
      yoke::launch_blocks_here<sum_rows>({.x = 2}, 50 * sizeof(value), "sum_rows", std::as_const(on.x), sums);
    });
    CHECK(sums.where() == on.runtime->unit(unit).space);
    CHECK(sums.host()[0] == 50);
    CHECK(sums.host()[1] == 50);
  }
}

TEST_CASE("objects of another runtime cannot be launched with", "[placement]") {
  fixture on;
  values data(n, 1);
  {
    const fixture other;  // current while it lives
    parts::as(1, [&] {
      CHECK_THAT(message_of<yoke::usage_error>(
                     [&] { yoke::launch_here<kernels::scale>(over(n), "scale", on.x, 1, 1); }),
                 Contains("do not all belong to the current runtime"));
      CHECK_THAT(message_of<yoke::usage_error>([&] { static_cast<void>(on.x.here()); }),
                 Contains("not the current one"));
    });
  }
  CHECK(on.x.host()[0] == 1);
}

TEST_CASE("no dealloc takes the values of a placed object away", "[placement]") {
  fixture on;
  placed<value> y{*on.runtime, 10};
  y.host()[3] = 5;
  CHECK_THAT(message_of<yoke::usage_error>([&] { placement::dealloc(y.key(), host_space); }),
             Contains("placed there") && Contains("migrate it"));
  CHECK(std::as_const(y).host()[3] == 5);
  parts::as(1, [&] { static_cast<void>(y.here()); });
  placement::dealloc(y.key(), host_space);
  CHECK_THAT(message_of<yoke::usage_error>([&] { placement::dealloc(y.key(), first); }),
             Contains("placed there"));
  CHECK_THAT(
      message_of<yoke::usage_error>([&] { static_cast<void>(placement::dealloc_async(y.key(), first)); }),
      Contains("placed there"));
  CHECK(std::as_const(y).host()[3] == 5);
}
