#pragma once

#include <algorithm>
#include <optional>
#include <support/variable.hpp>

#include <yoke/runtime.hpp>

/// A runtime that checks, or none: a GPU checks nothing.
class checking {
 public:
  checking() {
    const support::variable check{"YOKE_CHECK", "1"};
    rt_.emplace();
  }
  yoke::runtime& rt() { return *rt_; }
  bool can() const {
    return std::ranges::all_of(rt_->devices(), [](const yoke::device* dev) { return dev->info().emulated; });
  }

 private:
  std::optional<yoke::runtime> rt_;
};
