/// Scans of arrays, by an operation whose order counts.
#include "../../arrays/random_arrays.hpp"
#include "rooms.hpp"
#include "scan_kernels.hpp"

#include <array>
#include <fmt/format.h>

#include <yoke/error.hpp>

namespace attack {

namespace {

class scan_room final : public room {
 public:
  scan_room(yoke::runtime& rt, dice& d, journal& tells) : rt_{rt}, dice_{d}, tells_{tells} {
    extents_[0] = dice_.one_in(20) ? 0 : dice_.between(1, dice_.one_in(3) ? 5000 : 60);
    tells_.add(fmt::format("room: scans of {}", extents_[0]));
    how_ = any_cuts();
    arrays_test::with_extents<1>(extents_, [&](arrays_test::extents_of<1> n) {
      arrays_[0] =
          arrays_test::cut_array<affine, 1>(rt_, n, how_.dims, how_.grid(), arrays_test::no_memory<affine>{});
      arrays_[1] = {rt_, n, yoke::dist::as(arrays_[0])};
    });
    for (auto& each : model_) each.assign(static_cast<std::size_t>(extents_[0]), affine{});
    for (std::size_t i = 0; i < 2; ++i) fill_part(i, 0, extents_[0]);
  }

  void step(bool) override {
    const auto i = static_cast<std::size_t>(dice_.upto(1));
    switch (dice_.upto(6)) {
      case 0:
        return compare();
      case 1:
        return redistribute();
      case 2: {
        const std::int64_t from = dice_.upto(extents_[0]);
        return fill_part(i, from, dice_.between(from, extents_[0]));
      }
      case 3:
        tells_.add("swap");
        swap(arrays_[0], arrays_[1]);
        return std::swap(model_[0], model_[1]);
      default:
        return scan_to(i, static_cast<std::size_t>(dice_.upto(1)));
    }
  }

  void compare() override {
    for (std::size_t i = 0; i < 2; ++i) {
      tells_.add(fmt::format("gather {}", i));
      if (arrays_[i].gather() != model_[i]) throw difference{fmt::format("array {} of scans differs", i)};
    }
  }

 private:
  arrays_test::cuts any_cuts() {
    return arrays_test::random_cuts{rt_, dice_, std::span{extents_}.first(1)}.any();
  }

  void fill_part(std::size_t i, std::int64_t from, std::int64_t to) {
    const auto by = static_cast<std::uint64_t>(dice_.upto(1000));
    tells_.add(fmt::format("fill [{}, {}) of {}", from, to, i));
    fill(rt_, from, to, arrays_[i], by);
    for (std::int64_t at = from; at < to; ++at) model_[i][static_cast<std::size_t>(at)] = element_of(at, by);
  }

  void scan_to(std::size_t from, std::size_t to) {
    const bool is_inclusive = dice_.one_in(2);
    const affine start{static_cast<std::uint64_t>(dice_.upto(99)), 5};
    tells_.add(fmt::format("{} scan of {} into {}", is_inclusive ? "inclusive" : "exclusive", from, to));
    const affine found = scan(rt_, is_inclusive, arrays_[from], arrays_[to], start);
    affine all = is_inclusive ? affine{} : start;
    std::vector<affine> made;
    for (const affine& each : model_[from]) {
      if (!is_inclusive) made.push_back(all);
      all = then::combine(all, each);
      if (is_inclusive) made.push_back(all);
    }
    model_[to] = made;
    if (found != all) throw difference{"what a scan returns is not the model's"};
  }

  void redistribute() {
    const arrays_test::cuts how = any_cuts();
    tells_.add("redistribute");
    arrays_[0].handle().redistribute(how.dims, how.grid());
    try {
      yoke::redistribute(arrays_[1], yoke::dist::as(arrays_[0]));
    } catch (const yoke::out_of_memory&) {
      arrays_[0].handle().redistribute(how_.dims, how_.grid());
      throw;
    }
    how_ = how;
  }

  yoke::runtime& rt_;
  dice& dice_;
  journal& tells_;
  arrays_test::cuts how_;
  std::array<std::int64_t, 4> extents_{1, 1, 1, 1};
  std::array<affine_array, 2> arrays_;
  std::array<std::vector<affine>, 2> model_;
};

}  // namespace

std::unique_ptr<room> make_scan_room(yoke::runtime& rt, dice& d, journal& tells) {
  return std::make_unique<scan_room>(rt, d, tells);
}

}  // namespace attack
