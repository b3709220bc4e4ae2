#pragma once
/// What the conformance suite of distributions runs against: all of the list (distribution.hpp), each in
/// every form that programs may give it. A new one is here by its line there.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <yoke/arrays.hpp>

namespace conformance {

struct distribution_form {
  std::string name;
  std::function<yoke::distribution(yoke::runtime& rt, std::int64_t n)> of;  ///< for n elements on all units
};

std::vector<distribution_form> distributions();

}  // namespace conformance
