#pragma once
/// What the work of random programs does.

#include <cstdint>

#include <yoke/device_ptr.hpp>
#include <yoke/device_streams.hpp>

namespace engine_tests {

inline constexpr int most_arguments = 3;

/// Each number of the pieces that it writes becomes what follows from those that it reads and a number of its
/// own.
struct step_call {
  yoke::device_ptr<std::int64_t> at[most_arguments];
  int n = 0;
  unsigned reads = 0, writes = 0;
  std::int64_t number = 0;

  YOKE_HD void run(std::int64_t i) const {
    std::int64_t value = number;
    for (int k = 0; k < n; ++k)
      if ((reads >> k & 1) != 0) value = (value * 31 + at[k][i]) & 0xffffffff;
    for (int k = 0; k < n; ++k)
      if ((writes >> k & 1) != 0) at[k][i] = value;
  }
};

/// For `n` numbers.
void launch_step(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                 const step_call& call);

}  // namespace engine_tests
