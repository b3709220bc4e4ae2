#pragma once
/// A variable of the environment for the life of one object, which then puts back what was there.

#include <optional>
#include <string>
#include <utility>

#include <yoke/settings.hpp>

namespace support {

class variable {
 public:
  variable(std::string name, const std::string& value)
      : name_{std::move(name)}, before_{yoke::detail::get_environment(name_.c_str())} {
    yoke::detail::set_environment(name_.c_str(), value);
  }
  /// Unset.
  explicit variable(std::string name)
      : name_{std::move(name)}, before_{yoke::detail::get_environment(name_.c_str())} {
    yoke::detail::unset_environment(name_.c_str());
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() {
    if (before_) {
      yoke::detail::set_environment(name_.c_str(), *before_);
    } else {
      yoke::detail::unset_environment(name_.c_str());
    }
  }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace support
