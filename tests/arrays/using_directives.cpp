/// A program that takes all names of Yoke and of the standard library, with what C and POSIX have beside
/// them: each name that it uses means one thing. Compiled only.
#include <algorithm>
#include <complex>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <math.h>
#include <numeric>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <span>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/atomic.hpp>
#include <yoke/links.hpp>
#include <yoke/yoke.hpp>

using namespace std;
using namespace yoke;
using namespace yoke::loops;

// What a program calls its own, and Yoke must not take from it.
ifstream in;
ofstream out;
int inout = 0;

namespace {

struct relax {
  static constexpr character character{.load = level::low};
  YOKE_HD void operator()(loop_index<2> at, view<const double, 2> old, view<double, 2> u,
                          partial<double>& all) const {
    u(at) = old(at.i - 1, at.j);
    all += u(at);
  }
};
struct span_of {
  YOKE_HD void operator()(loop_index<2> at, view<const double, 2> x, partial<double, smallest>& least,
                          partial<double, largest>& most) const {
    least.take(x(at));
    most.take(x(at));
  }
};
struct count : tiled<8> {
  void operator()(const tile<1>& rows, view<int, 1> x) const { atomic_add(x, {rows.begin(0)}, 1); }
};
struct both : whole_part {
  void operator()(const part<1>& mine, view<const double, 1>, view<double, 1> y) const {
    for (int64_t i = mine.begin(0); i < mine.end(0); ++i) y(i) = 1;
  }
};
struct axpy {
  YOKE_HD void operator()(item at, device_ptr<const double> x, device_ptr<double> y) const {
    y[at.x] += x[at.x];
  }
};

}  // namespace

// What the program's own names mean is theirs; roles are asked for by their namespace where it has such
// names.
void read_and_write() {
  in >> inout;
  out << index("abc", 'b') << access("/", 0) << link("a", "b");
}

namespace beside {

// A namespace of the program without such names finds roles by their argument.
template <class T>
void loops(runtime& rt, yoke::array<T, 2>& u, yoke::array<T, 2>& old) {
  double total = 0, least = 0, most = 0;
  for_each<relax>(rt, {{1, 8}, {0, 8}}, roles::in(old), roles::out(u), sum(total));
  for_each<variants<cpu<relax>, gpu<relax>>>(rt, {8, 8}, roles::in(old, faces), roles::inout(u), sum(total));
  for_each<span_of>(rt, {8, 8}, aligned(u), roles::in(old, interior), min(least), max(most));
  exchange(u);
  exchange(u, old);
  exchange(old, as_const(u), old);
  exchange(u, side::low(0));
  exchange(u, side::low(0), side::high(1));
  copy(u, old);
  swap(u, old);
  redistribute(u, dist::block);
  balance(u);
}

}  // namespace beside

void everything(runtime& rt, yoke::array<double, 2>& u, yoke::array<double, 2>& old,
                yoke::array<complex<double>, 1>& z, yoke::array<double, 1>& x, yoke::array<double, 1>& y) {
  beside::loops(rt, u, old);
  exchange(z);
  exchange(z, side::low(0));
  exchange(z, z);
  copy(z, z);
  inclusive_scan(rt, x, y);
  exclusive_scan(rt, x, y);
  transpose(u, old);
  recording steps = record(rt, [&] { for_each<both>(rt, {8}, roles::in(x), roles::out(y)); });
  steps.replay();
  placed<double> here{rt, 8, "here"};
  launch_here<axpy>({.x = 8}, "axpy", as_const(here), here);
  bring_here(here);
  prefetch(here, unit_id{0});
  placement::register_mem(x.gather().data(), 8);
  task_loop tasks = rt.make_loop({.n_tasks = 8});
  rt.run(tasks, [](span<const task_id> batch) { return void(batch.size()); });
  for (const memory_link& each : link_table{rt.devices()}.all()) fprintf(stderr, "%g", each.bandwidth);
}
