#pragma once
/// A kernel reaches a device as data: entries, arguments, and over how many items it runs.

#include <cstddef>
#include <cstdint>

namespace yoke {

/// How many items a kernel runs over: x is contiguous, y counts zones, blocks or rows (y <= 65535).
struct extent {
  std::int64_t x = 0;
  std::int64_t y = 1;
};

/// Items [first_x, last_x) of the rows [first_y, last_y).
struct item_range {
  std::int64_t first_x = 0;
  std::int64_t last_x = 0;
  std::int64_t first_y = 0;
  std::int64_t last_y = 1;
};

/// One kernel with its arguments, ready for any device. Made by yoke::launch (kernel.hpp); `arguments` need
/// only live during the call of device::launch.
struct kernel_call {
  const char* name = "";
  extent items{};
  int block = 128;  ///< GPU threads of a block along x
  const void* gpu_entry =
      nullptr;  ///< __global__ function (arguments, extent); null where not compiled for a GPU
  /// Runs these items on the calling host thread, a CPU CU's or an emulated device's.
  void (*host_entry)(const void* arguments, const item_range& items) = nullptr;
  const void* arguments = nullptr;
  std::size_t argument_bytes = 0;
  bool by_blocks = false;        ///< items are blocks of `block` threads that share memory
  std::size_t shared_bytes = 0;  ///< of each such block
};

}  // namespace yoke
