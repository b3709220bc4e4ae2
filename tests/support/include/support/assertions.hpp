#pragma once
/// Broken invariants as exceptions, for tests that show one to be checked.

#include <stdexcept>
#include <string>

#include <yoke/error.hpp>

/// While it lives, an invariant that is broken throws std::logic_error instead of ending the process.
class throwing_assertions {
 public:
  throwing_assertions()
      : before_{yoke::detail::set_assertion_handler(
            [](const std::string& message) { throw std::logic_error{message}; })} {}
  ~throwing_assertions() { yoke::detail::set_assertion_handler(before_); }
  throwing_assertions(const throwing_assertions&) = delete;
  throwing_assertions& operator=(const throwing_assertions&) = delete;

 private:
  yoke::detail::assertion_handler before_;
};
