#include "faults.hpp"

#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::emulated {

faults::faults(std::string device, const emulated_options& options)
    : device_{std::move(device)}, options_{options} {}

void faults::set(const emulated_options& options) {
  const std::lock_guard guard{lock_};
  options_ = options;
  calls_ = allocations_ = copies_ = launches_ = 0;
}

bool faults::enter(call_kind kind, const std::string& intent) {
  detail::refuse_in_forked_child();  // before the lock, which a thread that the child lacks may hold
  const std::lock_guard guard{lock_};
  const auto fail = [&](const std::string& why, device_failure failure) {
    throw device_error{fmt::format("{}: {} failed: {}", device_, intent, why), failure};
  };
  // Nothing has been done when one of these fails, and the next one of its kind succeeds.
  const auto fail_as_asked = [&](const char* option, std::int64_t wanted, std::int64_t& count) {
    if (++count != wanted) return;
    fail(fmt::format("call {} of its kind, as {}={} asks", count, option, wanted), device_failure::retryable);
  };
  if (options_.lost_after >= 0 && calls_ >= options_.lost_after)
    fail(fmt::format("device lost, as lost-after={} asks", options_.lost_after), device_failure::lost);
  if (++calls_ == options_.fail_call)
    fail(fmt::format("call {}, as fail-call={} asks", calls_, options_.fail_call), device_failure::retryable);
  if (kind == call_kind::allocation) return ++allocations_ != options_.fail_alloc;
  if (kind == call_kind::copy) fail_as_asked("fail-copy", options_.fail_copy, copies_);
  if (kind == call_kind::launch) fail_as_asked("fail-launch", options_.fail_launch, launches_);
  return true;
}

}  // namespace yoke::emulated
