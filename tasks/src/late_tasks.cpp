#include "late_tasks.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <utility>

#include <yoke/affinity.hpp>
#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

void tell_on_stderr(const late_task& late) {
  const std::string where = late.unit ? fmt::format("on CU {}", int{*late.unit}) : "an agent";
  std::fprintf(stderr, "yoke: %s, %s, has run for more than %g s\n", printable(late.name).c_str(),
               where.c_str(), late.seconds);
}

}  // namespace

late_tasks::~late_tasks() {
  {
    const std::lock_guard guard{lock_};
    is_over_ = true;
  }
  has_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void late_tasks::be_ready() {
  const std::lock_guard guard{lock_};
  if (!thread_.joinable()) thread_ = std::thread{[this] { watch(); }};
}

void late_tasks::begins(const void* which, late_task what, const time_bound& bound) {
  const auto until = clock::now() + std::chrono::duration_cast<clock::duration>(
                                        std::chrono::duration<double>{bound.seconds});
  {
    const std::lock_guard guard{lock_};
    all_.push_back({which, until, std::move(what), bound.warns});
  }
  has_changed_.notify_all();
}

void late_tasks::ends(const void* which) {
  const std::lock_guard guard{lock_};
  std::erase_if(all_, [&](const running& each) { return each.which == which; });
}

void late_tasks::watch() {
  unbind_this_thread();
  std::unique_lock guard{lock_};
  while (!is_over_) {
    const auto first = std::ranges::min_element(all_, {}, &running::until);
    if (first == all_.end()) {
      has_changed_.wait(guard);
    } else if (const auto until = first->until; clock::now() < until) {
      has_changed_.wait_until(guard, until);
    } else {
      const running late = std::move(*first);
      all_.erase(first);
      guard.unlock();
      late.warns ? late.warns(late.what) : tell_on_stderr(late.what);
      guard.lock();
    }
  }
}

}  // namespace yoke::detail
