#pragma once
/// What queued work may still use when nobody else does.

#include <mutex>
#include <utility>
#include <vector>

#include <yoke/event.hpp>

namespace yoke::detail {

/// Things that end when an event has happened. Thread-safe.
template <class Thing>
class leaving {
 public:
  void add(Thing&& what, event until) {
    const std::lock_guard guard{lock_};
    all_.emplace_back();  // first, so that without memory for it nothing ends early
    all_.back() = {std::move(what), std::move(until)};
  }
  /// Ends those whose event has happened; with `wait`, all. False where there was none.
  bool collect(bool wait) noexcept {
    const std::lock_guard guard{lock_};
    return std::erase_if(all_, [wait](const entry& each) { return is_over(each.until, wait); }) > 0;
  }

 private:
  struct entry {
    Thing what{};
    event until{};
  };
  static bool is_over(const event& until, bool wait) noexcept {
    try {
      if (wait) until.wait();
      return until.done();
    } catch (...) {
      return true;  // a device that reports an error here runs nothing more that uses it
    }
  }

  std::mutex lock_;
  std::vector<entry> all_;
};

}  // namespace yoke::detail
