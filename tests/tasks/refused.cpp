/// Does not compile, for two reasons.
#include <yoke/arrays.hpp>
#include <yoke/tasks.hpp>

namespace {

struct sets {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const { x[at.x] = 1; }
};

}  // namespace

int main() {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {8}};
  yoke::task_group g{rt};
  g.run("run", inout(x), [](yoke::task_context&) {});
  g.launch<sets>({.x = 8}, "launch", inout(x));
}
