// Compiled by a GPU's compiler where there is one.
#include "base.hpp"
#include "cross_sections.hpp"

#include <algorithm>

namespace apps {

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct lookup_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> energies,
                          yoke::view<const double, 1> values, yoke::view<const std::int32_t, 1> first,
                          yoke::view<const std::int32_t, 1> nuclides, yoke::view<const double, 1> densities,
                          std::int64_t n_points, yoke::partial<std::int64_t>& sum) const {
    sum += look_up(at.i, n_points, energies, values, first, nuclides, densities);
  }
};

/// Independent look-ups in tables that each memory has.
class lookup final : public base {
 public:
  lookup(yoke::runtime& rt, const sizes& of)
      : base{rt, of},
        n_{std::max<std::int64_t>(of.elements / 16, 1)},
        tables_{make_cross_sections(std::max<std::int64_t>(of.elements / (n_nuclides * n_channels), 2))},
        energies_{replica(tables_.energies)},
        values_{replica(tables_.values)},
        densities_{replica(tables_.densities)},
        first_{replica(tables_.first)},
        nuclides_{replica(tables_.nuclides)} {
    describe("lookup", std::to_string(n_) + " in " + std::to_string(tables_.n_points),
             static_cast<double>(n_) * (2 + 2 * n_channels) * mean_nuclides());
  }
  void run_plain() override { sum_ += plain::look_up(threads(), n_, tables_); }
  void run_yoke() override {
    yoke::for_each<lookup_kernel>(rt(), {n_}, in(energies_), in(values_), in(first_), in(nuclides_),
                                  in(densities_), tables_.n_points, sum(sum_of_yoke_));
  }
  bool agree() const override { return sum_ == sum_of_yoke_ && sum_ > 0; }

 private:
  template <class T>
  yoke::array<const T, 1> replica(const std::vector<T>& of) {
    return {rt(), {std::ssize(of)}, {dist::duplicate}, yoke::attach(of)};
  }
  double mean_nuclides() const { return static_cast<double>(tables_.nuclides.size()) / n_materials; }

  std::int64_t n_;
  const cross_sections tables_;
  yoke::array<const double, 1> energies_, values_, densities_;
  yoke::array<const std::int32_t, 1> first_, nuclides_;
  std::int64_t sum_ = 0, sum_of_yoke_ = 0;
};

}  // namespace

std::vector<known_app> lookups() { return {known<lookup>("lookup")}; }

}  // namespace apps
