#include <utility>

#include <yoke/rank_of_process.hpp>

namespace yoke {

namespace {

rank_of_process& of_this_process() {
  static rank_of_process one;
  return one;
}

}  // namespace

const rank_of_process& this_rank() { return of_this_process(); }
void set_this_rank(rank_of_process to) { of_this_process() = std::move(to); }

}  // namespace yoke
