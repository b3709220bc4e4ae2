#include <yoke/speed_fit.hpp>

namespace yoke {

void speed_fit::add(double weight, seconds time) { samples_.emplace_back(weight, time); }

int speed_fit::samples() const { return static_cast<int>(samples_.size()); }

}  // namespace yoke
