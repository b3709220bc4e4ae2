/// A device that shows its launches hands on what it is given.
#include "../../runtime/src/traced_device.hpp"

#include <memory>
#include <support/catch.hpp>
#include <support/fake_device.hpp>
#include <vector>

using yoke::detail::gpu_units;
using yoke::detail::trace_tracks;

namespace {

/// What a kernel was run with.
struct seen {
  int runs = 0;
  yoke::item_range items{};
};

yoke::kernel_call call_of(seen* const& told, std::int64_t items) {
  return {.name = "tell",
          .items = {.x = items},
          .host_entry =
              [](const void* arguments, const yoke::item_range& items) {
                seen& to = **static_cast<seen* const*>(arguments);
                ++to.runs;
                to.items = items;
              },
          .arguments = &told,
          .argument_bytes = sizeof told};
}

struct traced {
  explicit traced(std::unique_ptr<yoke::device> real) {
    gpus.devices.push_back(std::move(real));
    gpus.of_unit.push_back(gpus.devices.front().get());
    tracks = std::make_unique<trace_tracks>(yoke::parse_configuration({"1x1+1", "test"}),
                                            std::vector<yoke::place>{{0}, {0}}, gpus);
    trace_devices(gpus, *tracks);
  }
  gpu_units gpus{};
  std::unique_ptr<trace_tracks> tracks;
};

}  // namespace

TEST_CASE("a launch on a traced device runs all items once, emulated or not", "[trace]") {
  for (const bool is_emulated : {true, false}) {
    CAPTURE(is_emulated);
    auto fake = std::make_unique<support::fake_device>();
    support::fake_device& inner = *fake;
    if (!is_emulated) inner.pass_for_a_gpu();
    traced on{std::move(fake)};
    yoke::device& dev = *on.gpus.of_unit.front();
    CHECK(&dev == on.gpus.devices.front().get());
    CHECK(dev.info().name == "fake:0");
    seen of;
    seen* const told = &of;
    dev.launch({}, call_of(told, 7));
    CHECK(of.runs == 1);
    CHECK(of.items.last_x == 7);
    CHECK(inner.calls() == std::vector<std::string>{"launch tell"});
  }
}

TEST_CASE("a launch of nothing, and graphs, reach the device behind", "[trace]") {
  auto fake = std::make_unique<support::fake_device>();
  support::fake_device& inner = *fake;
  traced on{std::move(fake)};
  yoke::device& dev = *on.gpus.of_unit.front();
  seen of;
  seen* const told = &of;
  dev.launch({}, call_of(told, 0));
  CHECK(inner.calls() == std::vector<std::string>{"launch tell"});
  CHECK(of.items.last_x == 0);
  CHECK_THROWS_WITH(dev.replay({}, {}), Catch::Contains("a fake device has no graphs"));
}
