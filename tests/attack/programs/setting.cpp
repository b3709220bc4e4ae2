#include "setting.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>

namespace attack {

namespace {

struct shape {
  const char *cus, *devices;
};

/// CPUs alone, devices alone, both; slices of a device, and two memories on one.
constexpr std::array shapes{
    shape{"1x1", ""},
    shape{"2x1", ""},
    shape{"1x2", ""},
    shape{"+1", "emulated:1"},
    shape{"+1", "emulated:1/4:1"},
    shape{"+2", "emulated:2"},
    shape{"+2", "emulated:1/2"},
    shape{"+2", "emulated:1*2"},
    shape{"+3", "emulated:1/3"},
    shape{"1x1+1", "emulated:1"},
    shape{"2x1+1", "emulated:1"},
    shape{"1x1+2", "emulated:2"},
    shape{"1x1+2", "emulated:1/2"},
    shape{"1x1+3", "emulated:2/2"},
};

yoke::emulated_options any_fault(dice& d, trouble what) {
  yoke::emulated_options faults;
  const std::int64_t n = d.between(1, d.one_in(2) ? 8 : 80);
  if (what == trouble::lost_device) faults.lost_after = n;
  if (what != trouble::failing_calls) return faults;
  switch (d.upto(3)) {
    case 0:
      faults.fail_alloc = n;
      break;
    case 1:
      faults.fail_copy = n;
      break;
    case 2:
      faults.fail_launch = n;
      break;
    default:
      faults.fail_call = n;
  }
  return faults;
}

std::string in_words(const yoke::emulated_options& faults) {
  std::string text;
  const auto add = [&](const char* name, std::int64_t n, std::int64_t none) {
    if (n != none) text += fmt::format(", {}={}", name, n);
  };
  add("fail-alloc", faults.fail_alloc, 0);
  add("fail-copy", faults.fail_copy, 0);
  add("fail-launch", faults.fail_launch, 0);
  add("fail-call", faults.fail_call, 0);
  add("lost-after", faults.lost_after, -1);
  return text;
}

trouble any_trouble(dice& d) {
  if (d.one_in(4)) return trouble::little_memory;
  if (d.one_in(4)) return trouble::failing_calls;
  return d.one_in(8) ? trouble::lost_device : trouble::none;
}

yoke::emulated_device* emulated(yoke::device* dev) { return dynamic_cast<yoke::emulated_device*>(dev); }

}  // namespace

std::string setting::text() const {
  std::string told = fmt::format("YOKE_CUS={} YOKE_CHECK={}", cus, checks ? 1 : 0);
  if (!has_gpus()) return told;
  told += fmt::format(" YOKE_DEVICES={} YOKE_EMULATED={}", devices, emulated);
  const std::string failing = in_words(faults);
  return failing.empty() ? told : fmt::format("{}, from step {} on{}", told, armed_at, failing);
}

setting any_setting(dice& d) {
  const shape& of = shapes[static_cast<std::size_t>(d.upto(std::ssize(shapes) - 1))];
  setting made{.cus = of.cus, .devices = of.devices, .emulated = "slowdown=1", .checks = d.one_in(2)};
  if (!made.has_gpus()) return made;
  made.what = any_trouble(d);
  if (d.one_in(6)) made.emulated = "slowdown=3";
  if (d.one_in(4)) made.emulated += ",peers=1";
  if (made.what == trouble::little_memory)
    made.emulated += fmt::format(",memory={}KiB", d.between(4, d.one_in(2) ? 32 : 512));
  made.faults = any_fault(d, made.what);
  made.armed_at = static_cast<int>(d.upto(12));
  return made;
}

std::unique_ptr<yoke::runtime> make_runtime(const setting& on) {
  const support::variable options{"YOKE_EMULATED", on.emulated};
  const support::variable check{"YOKE_CHECK", on.checks ? "1" : "0"};
  yoke::runtime_options wanted{.cus = on.cus, .profile = "none"};
  if (on.has_gpus()) wanted.devices = on.devices;
  return std::make_unique<yoke::runtime>(wanted);
}

void set_faults(yoke::runtime& rt, const yoke::emulated_options& faults) {
  for (yoke::device* each : rt.devices())
    if (yoke::emulated_device* const dev = emulated(each)) dev->set_faults(faults);
}

void mend_devices(yoke::runtime& rt) {
  set_faults(rt, {});
  for (yoke::device* each : rt.devices()) {
    try {
      each->synchronize();
    } catch (const yoke::device_error&) {  // what was on its way when it failed
    }
  }
}

}  // namespace attack
