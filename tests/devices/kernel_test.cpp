#include <cstdint>
#include <span>
#include <string>
#include <support/catch.hpp>
#include <thread>
#include <type_traits>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/ids.hpp>
#include <yoke/kernel.hpp>
#include <yoke/view.hpp>

using yoke::device_ptr;

namespace {

/// Runs `body` as an emulated device does: on a thread of its own, whose window is `window`.
template <class Body>
void run_within(const yoke::detail::address_window& window, const Body& body) {
  std::thread{[&] {
    yoke::detail::use_window_in_this_thread(window);
    body();
  }}.join();
}

/// Makes [first, last) stand for what lies `distance` further.
template <class T>
yoke::detail::address_window window_over(T* first, T* last, std::ptrdiff_t distance) {
  return {.first = reinterpret_cast<std::uintptr_t>(first),
          .reach = static_cast<std::uintptr_t>(last - first) * sizeof(T) - 1,
          .offset = distance * static_cast<std::ptrdiff_t>(sizeof(T))};
}

struct add_row {
  YOKE_HD void operator()(yoke::item at, device_ptr<int> x, int amount) const {
    x[at.x] += amount + static_cast<int>(at.y);
  }
};

constexpr std::int64_t width = 37, height = 11;

double blend(double here, double west, double east, double south, double north) {
  return here + 0.1 * (((west + east) + (south + north)) - 4.3 * here);
}

/// Writes the inner points of a grid of width x height, and counts them in bytes and in integers, which a
/// compiler may take for anything.
struct relax {
  YOKE_HD void operator()(yoke::item at, device_ptr<const double> from, device_ptr<double> to,
                          device_ptr<unsigned char> bytes, device_ptr<std::uint64_t> words) const {
    const std::int64_t i = (at.y + 1) * width + at.x + 1;
    to[i] = blend(from[i], from[i - 1], from[i + 1], from[i - width], from[i + width]);
    bytes[i] += 1;
    words[i] += bytes[i];
  }
};

struct grids {
  std::vector<double> from = std::vector<double>(width * height);
  std::vector<double> to = std::vector<double>(width * height);
  std::vector<unsigned char> bytes = std::vector<unsigned char>(width * height);
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(width * height);

  grids() {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = 1 / (1.5 + static_cast<double>(i * i % 101));
  }
  bool operator==(const grids&) const = default;

  void relax_by_launch() {
    for (std::int64_t y = 0; y < height - 2; ++y) {
      yoke::run_on_host<relax>(y, 0, width - 2, device_ptr<const double>{from.data()}, device_ptr{to.data()},
                               device_ptr{bytes.data()}, device_ptr{words.data()});
    }
  }
  void relax_by_loop() {
    for (std::size_t i = width + 1; i < (height - 1) * width - 1; ++i) {
      if (i % width == 0 || i % width == width - 1) continue;
      to[i] = blend(from[i], from[i - 1], from[i + 1], from[i - width], from[i + width]);
      bytes[i] += 1;
      words[i] += bytes[i];
    }
  }
};

}  // namespace

TEST_CASE("outside of an emulated kernel a device_ptr is the address itself", "[kernel]") {
  int values[3]{1, 2, 3};
  const device_ptr<int> pointer{values};
  CHECK(pointer.get() == values);
  CHECK((pointer + 2)[0] == 3);
  CHECK_FALSE(device_ptr<int>{});
}

TEST_CASE("inside its window a device_ptr is translated, outside it is refused", "[kernel]") {
  int values[8]{0, 1, 2, 3, 4, 5, 6, 7};
  int translated = 0;
  std::string message;
  run_within(window_over(values, values + 4, 4), [&] {
    translated = *device_ptr<int>{values + 1};
    try {
      (void)device_ptr<int>{values + 4}.get();
    } catch (const yoke::usage_error& failure) {
      message = failure.what();
    }
  });
  CHECK(translated == 5);
  CHECK_THAT(message, Catch::Contains("not in its device's memory"));
  CHECK(*device_ptr<int>{values + 4} == 4);  // this thread has no window
}

TEST_CASE("rows give the bits of a plain loop, at host addresses and through a window", "[kernel]") {
  grids plain, launched, translated;
  plain.relax_by_loop();
  launched.relax_by_launch();
  CHECK(launched == plain);
  run_within({}, [&] { translated.relax_by_launch(); });
  CHECK(translated == plain);
}

TEST_CASE("run_on_host runs a kernel for the items of one row", "[kernel]") {
  int values[4]{};
  yoke::run_on_host<add_row>(2, 1, 3, device_ptr<int>{values}, 10);
  CHECK(values[0] == 0);
  CHECK(values[1] == 12);
  CHECK(values[2] == 12);
  CHECK(values[3] == 0);
}

TEST_CASE("raw pointers and spans are no arguments of kernels; values, device_ptrs and views are",
          "[kernel]") {
  using yoke::detail::is_kernel_argument;
  struct own_type {
    yoke::view<const double, 3> u;
    device_ptr<int> flags;
    double factor;
  };
  STATIC_REQUIRE(is_kernel_argument<double>);
  STATIC_REQUIRE(is_kernel_argument<device_ptr<double>>);
  STATIC_REQUIRE(is_kernel_argument<yoke::view<double, 2>>);
  STATIC_REQUIRE(is_kernel_argument<own_type>);
  STATIC_REQUIRE_FALSE(is_kernel_argument<double*>);
  STATIC_REQUIRE_FALSE(is_kernel_argument<const double*>);
  STATIC_REQUIRE_FALSE(is_kernel_argument<std::span<double>>);
  STATIC_REQUIRE_FALSE(is_kernel_argument<std::span<const double, 3>>);
  STATIC_REQUIRE_FALSE(is_kernel_argument<std::vector<double>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<yoke::view<const double, 2>, yoke::view<double, 2>>);
}

TEST_CASE("a view on the host is pointer and strides", "[kernel]") {
  double values[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const yoke::view<double, 3> u{device_ptr{&values[0]}, {2, 3, 2}};
  const yoke::view<const double, 2> column{device_ptr<const double>{&values[1]}, {2, 3}, {6, 2}};
  CHECK(u(1, 2, 0) == 10);
  CHECK(column(1, 1) == 9);
  CHECK(yoke::view<const double, 3>{u}(1, 2, 1) == 11);
  u(0, 0, 1) = -1;
  CHECK(values[1] == -1);
}

TEST_CASE("identifiers of different kinds do not turn into one another", "[ids]") {
  static_assert(!std::is_convertible_v<int, yoke::unit_id>);
  static_assert(!std::is_constructible_v<yoke::task_id, yoke::unit_id>);
  static_assert(std::is_convertible_v<yoke::unit_id, int>);
  CHECK(int{yoke::unit_id{}} == -1);
  CHECK(yoke::task_id{-1} == yoke::no_task);
}
