#include <cstdint>
#include <string>
#include <support/catch.hpp>
#include <thread>

#include <yoke/error.hpp>
#include <yoke/ids.hpp>
#include <yoke/kernel.hpp>

using yoke::device_ptr;

namespace {

/// Restores the thread's window at the end of a test.
class window_guard {
 public:
  explicit window_guard(yoke::detail::address_window next) : saved_{yoke::detail::this_threads_window()} {
    yoke::detail::this_threads_window() = next;
  }
  window_guard(const window_guard&) = delete;
  window_guard& operator=(const window_guard&) = delete;
  ~window_guard() { yoke::detail::this_threads_window() = saved_; }

 private:
  yoke::detail::address_window saved_;
};

struct add_row {
  YOKE_HD void operator()(yoke::item at, device_ptr<int> x, int amount) const {
    x[at.x] += amount + static_cast<int>(at.y);
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
  const auto first = reinterpret_cast<std::uintptr_t>(values);
  const window_guard guard{{.first = first, .last = first + 4 * sizeof(int), .offset = 4 * sizeof(int)}};
  CHECK(*device_ptr<int>{values + 1} == 5);
  std::string message;
  try {
    (void)device_ptr<int>{values + 4}.get();
  } catch (const yoke::usage_error& failure) {
    message = failure.what();
  }
  CHECK_THAT(message, Catch::Contains("not in its device's memory"));
  int other_thread_reads = 0;
  std::thread{[&] { other_thread_reads = *device_ptr<int>{values + 4}; }}.join();
  CHECK(other_thread_reads == 4);
}

TEST_CASE("run_on_host runs a kernel for the items of one row", "[kernel]") {
  int values[4]{};
  yoke::run_on_host<add_row>(2, 1, 3, device_ptr<int>{values}, 10);
  CHECK(values[0] == 0);
  CHECK(values[1] == 12);
  CHECK(values[2] == 12);
  CHECK(values[3] == 0);
}

TEST_CASE("identifiers of different kinds do not turn into one another", "[ids]") {
  static_assert(!std::is_convertible_v<int, yoke::unit_id>);
  static_assert(!std::is_constructible_v<yoke::task_id, yoke::unit_id>);
  static_assert(std::is_convertible_v<yoke::unit_id, int>);
  CHECK(int{yoke::unit_id{}} == -1);
  CHECK(yoke::task_id{-1} == yoke::no_task);
}
