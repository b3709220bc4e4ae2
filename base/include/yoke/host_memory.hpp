// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How much more of the host's memory this process may take.

#include <cstddef>
#include <string>

#include <yoke/cpp20.hpp>

namespace yoke {

/// In bytes; the most a size_t holds where nothing limits it.
struct host_memory {
  /// The least of what the machine has available, what control groups (both versions, with their parents)
  /// leave to the process, and what `ulimit -d` leaves.
  std::size_t free = 0;
  std::size_t addresses = 0;  ///< what `ulimit -v` leaves, reserved ranges included
  bool is_limit = false;      ///< whether `free` is of `ulimit -d`, which counts the stacks of threads too
};

/// Reads files: some 100 µs.
host_memory free_host_memory();

namespace detail {
/// The same with /proc and /sys below `root`, and limits in bytes.
host_memory free_host_memory(const std::string& root, std::size_t most_addresses, std::size_t most_data);
}  // namespace detail

}  // namespace yoke
