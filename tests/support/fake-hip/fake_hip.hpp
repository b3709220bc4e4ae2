#pragma once
/// A HIP runtime of two made-up GPUs over host memory, for programs that are linked with it: their calls can
/// be made to fail, and what they leave behind is counted. Its streams are threads, so they are as
/// asynchronous as real ones.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <hip/hip_runtime_api.h>
#include <string>

#include <yoke/device.hpp>

namespace fake_hip {

/// What a kernel is to the fake: its host entry. The backend of programs that are linked with it puts this in
/// place of the entry that hipcc would have made.
struct kernel_entry {
  decltype(yoke::kernel_call::host_entry) host_entry;
  std::size_t argument_bytes;
  yoke::kernel_form form;
  bool operator<(const kernel_entry& other) const { return std::less{}(host_entry, other.host_entry); }
};

/// The k-th call from here on fails with `code`, and all after it when the device is lost then. 0: none. A
/// call that gives something back does so all the same. For a whole program: FAKE_HIP=fail=k[,lost] does
/// this, skip-kernels launches kernels without running them, and report says at the end on stderr what has
/// been called.
void fail_call(std::int64_t k, bool lost = false, hipError_t code = hipErrorLaunchFailure);
/// Calls since then, and the name of the one that failed ("" if none).
std::int64_t calls();
std::string failed_call();

/// What exists now, in words; empty when there is nothing. A program in which something exists at its end
/// says so and exits with 99.
std::string left_behind();

/// What each made-up GPU has. The shared memory and the largest grid are those of an MI50.
inline constexpr std::size_t memory = std::size_t{4} << 30;
inline constexpr std::uint64_t threads_along_x = (std::uint64_t{1} << 32) - 1;
inline constexpr std::size_t shared_memory = std::size_t{64} << 10;
/// How many GPUs there are from here on; 2 at first.
void set_device_count(int n);
/// From here on another process has this one for itself; -1: none has. For a whole program: FAKE_HIP=busy=i.
void set_busy(int device);

}  // namespace fake_hip
