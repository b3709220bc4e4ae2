// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What Yoke throws. Each message says what was asked, what was found and what to do.
///
/// A program catches config_error where it reads its options, out_of_memory and device_error where it can go
/// on with less, and leaves usage_error alone, which is a mistake in its own text:
///
///   int main() try {
///     …
///   } catch (const yoke::config_error& problem) {
///     std::fprintf(stderr, "%s\n", problem.what());
///     return 2;
///   }
///
/// No exception crosses a parallel region: what a body throws leaves the call that runs it, when all units
/// have stopped.

#include <cstddef>
#include <stdexcept>
#include <string>

#include <yoke/cpp20.hpp>

namespace yoke {

/// Base of everything Yoke throws; a broken internal invariant is not an error but aborts (see YOKE_ASSERT).
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user's configuration cannot be used: option, variable, place, device list. The message is for the
/// user, with the value, where it came from and what is accepted: show it. Programs exit with 2 on it.
class config_error : public error {
 public:
  using error::error;
};

/// A primitive was called with something it does not accept: unknown key, unit out of range, double free. To
/// be mended in the program; there is nothing to wait for or to try again.
class usage_error : public error {
 public:
  using error::error;
};

/// A memory space cannot hold what was asked for. The call can be made again when something has been given
/// back, with less, or in another space.
class out_of_memory : public error {
 public:
  out_of_memory(const std::string& message, std::size_t wanted, std::size_t free)
      : error{message}, wanted_{wanted}, free_{free} {}
  /// What the call that failed asked for, and what was free then; 0 where nobody knows.
  std::size_t bytes_wanted() const noexcept { return wanted_; }
  std::size_t bytes_free() const noexcept { return free_; }

 private:
  std::size_t wanted_;
  std::size_t free_;
};

/// What the failure of a device call means to who wants to go on.
enum class device_failure {
  other,          ///< none of the below, or not known
  lost,           ///< nothing works on the device any more in this process; give back, and go on without it
  out_of_memory,  ///< there is not enough memory, pinned or of the device; the device is as before
  retryable,      ///< nothing was done, and the same call may succeed later
  refused,        ///< the call can never succeed: a shape, an address, a kernel without code
};

/// A device call failed: place and intent are in the message, with the vendor's own code. It may come from
/// work that was queued earlier, at the next call that waits. failure() says whether going on makes sense.
class device_error : public error {
 public:
  explicit device_error(const std::string& message, device_failure failure = device_failure::other)
      : error{message}, failure_{failure} {}
  device_failure failure() const noexcept { return failure_; }

 private:
  device_failure failure_;
};

namespace detail {
/// Aborts after printing to stderr, or calls the handler that a test has set.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line,
                                   const std::string& message);
/// Gets the whole message.
using assertion_handler = void (*)(const std::string& message);
/// Returns the previous handler. A handler must throw; null restores aborting.
assertion_handler set_assertion_handler(assertion_handler handler) noexcept;
}  // namespace detail

}  // namespace yoke

/// Our own invariants: aborts when broken (throws where a test has set a handler).
#define YOKE_ASSERT(condition, message) \
  ((condition) ? void(0) : ::yoke::detail::assertion_failed(#condition, __FILE__, __LINE__, (message)))
