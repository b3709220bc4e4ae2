#pragma once
/// What a random program runs on.

#include "../../arrays/random_cuts.hpp"

#include <memory>
#include <string>
#include <support/variable.hpp>

#include <yoke/emulated.hpp>
#include <yoke/runtime.hpp>

namespace attack {

using arrays_test::dice;

/// What goes wrong with the devices.
enum class trouble { none, little_memory, failing_calls, lost_device };

struct setting {
  std::string cus, devices;
  std::string emulated;  ///< YOKE_EMULATED
  bool checks = false;
  trouble what = trouble::none;
  yoke::emulated_options faults{};  ///< from `armed_at` on
  int armed_at = 0;                 ///< the step of the program

  bool has_gpus() const { return cus.find('+') != std::string::npos; }
  std::string text() const;
};

setting any_setting(dice& d);
std::unique_ptr<yoke::runtime> make_runtime(const setting& on);

/// From here on.
void set_faults(yoke::runtime& rt, const yoke::emulated_options& faults);
/// The devices work again, and have told what they met.
void mend_devices(yoke::runtime& rt);

}  // namespace attack
