// Compiled as CUDA or HIP where Yoke is built for it.
#include "bodies.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>

#include <yoke/arrays.hpp>
#include <yoke/gpu.hpp>

namespace shapes {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using input = yoke::view<const double, 2>;
using output = yoke::view<double, 2>;

struct add {
  static constexpr const char* words = "full, low, low";
  YOKE_HD void operator()(yoke::loop_index<2> at, input a, input b, output c) const { c(at) = a(at) + b(at); }
};
struct relax {
  static constexpr const char* words = "medium, medium, def";
  YOKE_HD void operator()(yoke::loop_index<2> at, input a, input, output c) const {
    const std::int64_t i = at.i, j = at.j, last = a.extent(0) - 1;
    const bool inner = i > 0 && j > 0 && i < last && j < last;
    c(at) = inner ? 0.25 * ((a(i - 1, j) + a(i + 1, j)) + (a(i, j - 1) + a(i, j + 1))) : a(at);
  }
};
struct multiply {
  static constexpr const char* words = "medium, medium, high";
  static constexpr yoke::character character{.sharing = yoke::level::high};
  YOKE_HD void operator()(yoke::loop_index<2> at, input a, input b, output c) const {
    double sum = 0;
    for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(at.i, k) * b(k, at.j);
    c(at) = sum;
  }
};
struct pick {
  static constexpr const char* words = "scatter, low, low";
  YOKE_HD void operator()(yoke::loop_index<2> at, input a, input, output c) const {
    const std::int64_t n = a.extent(0);
    c(at) = a((7919 * at.j + at.i) % n, (104729 * at.i + 31 * at.j) % n);
  }
};

/// The body in numbers. `Several`: a thread runs some rows whatever the extent is, else never.
template <class Body, int X, int Y, bool Several>
struct shaped : Body {
  static constexpr yoke::block_shape block{X, Y, 1};
  static constexpr std::int64_t several_from = Several ? 1 : std::numeric_limits<std::int64_t>::max();
};

class sweeper {
 public:
  sweeper(yoke::runtime& rt, std::int64_t n, const sampling& how)
      : rt_{rt}, n_{n}, how_{how}, a_{rt, {n, n}, all_of_it}, b_{rt, {n, n}, all_of_it}, c_{rt, {n, n}} {}

  template <class Body>
  body_times times_of(const char* name) {
    body_times of{.name = name, .words = Body::words, .shapes = {}};
    add_shape<Body>(of, "by its words");
    add_shapes<Body, 128, 1>(of, "128x1");
    // CPUs and emulated devices show no more than a flat and a square one do, and each is compiled for each
    // body.
    if constexpr (YOKE_HAS_GPU != 0) {
      add_shapes<Body, 64, 2>(of, "64x2");
      add_shapes<Body, 32, 4>(of, "32x4");
      add_shapes<Body, 64, 4>(of, "64x4");
      add_shapes<Body, 32, 8>(of, "32x8");
    }
    add_shapes<Body, 16, 16>(of, "16x16");
    for (int turn = 0; turn < how_.samples; ++turn)  // by turns, so that none has the quiet time
      for (std::size_t i = 0; i < of.shapes.size(); ++i) of.shapes[i].samples.push_back(runs_[i]());
    runs_.clear();
    return of;
  }

 private:
  template <class Body, int X, int Y>
  void add_shapes(body_times& of, const std::string& shape) {
    add_shape<shaped<Body, X, Y, false>>(of, shape);
    add_shape<shaped<Body, X, Y, true>>(of, shape + ", several rows a thread");
  }
  template <class Body>
  void add_shape(body_times& of, const std::string& shape) {
    const auto run = [this](int times) {
      const yoke::ticks from = yoke::now();
      for (int k = 0; k < times; ++k) yoke::for_each<Body>(rt_, {n_, n_}, in(a_), in(b_), out(c_));
      for (const yoke::compute_unit& unit : rt_.units().all())
        if (unit.dev != nullptr) unit.dev->synchronize(unit.stream);
      return yoke::elapsed(from, yoke::now()) / times;
    };
    run(1);
    const int times = std::max(1, static_cast<int>(how_.sample_ms / 1e3 / run(2)));
    of.shapes.push_back({shape, {}});
    runs_.push_back([run, times] { return run(times); });
  }

  static inline const std::initializer_list<yoke::distribution> all_of_it{dist::duplicate, dist::duplicate};
  yoke::runtime& rt_;
  std::int64_t n_;
  sampling how_;
  yoke::array<double, 2> a_, b_, c_;
  std::vector<std::function<yoke::seconds()>> runs_;
};

}  // namespace

std::vector<body_times> sweep(yoke::runtime& rt, std::int64_t n, const sampling& how) {
  sweeper all{rt, n, how};
  std::vector<body_times> times;
  times.push_back(all.times_of<add>("matrix-add"));
  times.push_back(all.times_of<relax>("stencil"));
  times.push_back(all.times_of<pick>("gather"));
  if (n <= 2000) times.push_back(all.times_of<multiply>("matrix-matrix"));
  return times;
}

}  // namespace shapes
