#pragma once
/// What the probe programs print about the compute units they run on. These functions have OpenMP constructs;
/// main has none.

#include <string>
#include <support/fake_device.hpp>
#include <vector>

#include <yoke/compute_units.hpp>

namespace probe {

/// As a runtime does it: prepares, verifies and makes the units of a configuration, with a fake device
/// (ordinal 10, 11, …) for each GPU.
class session {
 public:
  /// `cus` empty: as YOKE_CUS says.
  session(const std::string& cus, bool emulated);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session();

  void print_places() const;
  /// One line per compute unit and per inner thread: the queries, and the CPUs the thread may run on.
  void print_units() const;

 private:
  std::vector<support::fake_device> devices_;
  std::unique_ptr<yoke::compute_units> units_;
  std::unique_ptr<yoke::thread_binding> binding_;
};

/// The CPUs that each thread of a plain parallel region may run on, and what the environment says.
void print_untouched();

std::string joined(const std::vector<int>& numbers);

}  // namespace probe
