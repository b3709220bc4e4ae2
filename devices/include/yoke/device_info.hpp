// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a device says about itself.

#include <cstddef>
#include <string>

#include <yoke/cpp20.hpp>

namespace yoke {

/// What lies between two memories. Direct are all but the first.
enum class link_kind { through_host, pcie, nvlink, infinity_fabric, emulated, same_device };

/// Constant as long as the device exists. Of a slice, its own: processors, share and name; memory is that of
/// the whole device.
struct device_info {
  std::string name;        ///< as messages and reports call it: "cuda:0", "emulated:0"
  std::string model;       ///< "NVIDIA H200", "emulated"
  int ordinal = 0;         ///< the number for cudaSetDevice in this process; position among its kind
  bool emulated = false;   ///< its kernels run on the host's CPUs
  std::size_t memory = 0;  ///< bytes, the limit where one was set
  int processors = 0;      ///< SMs or CUs of the (slice of the) device; 1 where nobody knows
  double share = 1;        ///< of the device's processors; less than 1 for a slice
  /// Bytes of memory on chip that one block of a block kernel may have at most, and that a processor has for
  /// all its blocks.
  std::size_t shared_memory = 0;
  std::size_t shared_memory_of_processor = 0;
};

}  // namespace yoke
