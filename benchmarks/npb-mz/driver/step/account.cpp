#include "account.hpp"

namespace npb {

void unit_account::reset(int steps) {
  *this = {};
  compute.assign(static_cast<std::size_t>(steps), 0);
  exchange.assign(static_cast<std::size_t>(steps), 0);
}

stopwatch::~stopwatch() {
  const yoke::ticks to = yoke::now();
  sum_ += to - from_;
  if (trace_ != nullptr) trace_->span(unit_, what_, what_, from_, to);
}

}  // namespace npb
