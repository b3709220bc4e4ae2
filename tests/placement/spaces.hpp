#pragma once
/// A region table over two emulated devices, as most placement tests need.

#include <array>
#include <cstddef>
#include <latch>
#include <memory>
#include <numeric>
#include <vector>

#include <yoke/emulated.hpp>
#include <yoke/region_table.hpp>

namespace spaces {

inline constexpr yoke::space_id first{1};
inline constexpr yoke::space_id second{2};
inline constexpr yoke::space_id nowhere{};

struct two_devices {
  std::unique_ptr<yoke::emulated_device> a;
  std::unique_ptr<yoke::emulated_device> b;

  /// `peers`: 0 where they reach each other's memory, 1 where copies go through the host.
  explicit two_devices(std::size_t memory = std::size_t{64} << 20, int peers = 0)
      : a{yoke::make_emulated_device(0, {.memory = memory, .peers = peers})},
        b{yoke::make_emulated_device(1, {.memory = memory, .peers = peers})} {}
  std::array<yoke::device*, 2> list() const { return {a.get(), b.get()}; }
};

inline std::vector<double> counting(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

/// One region of 1000 numbers.
struct one_region {
  two_devices devices;
  std::array<yoke::device*, 2> list = devices.list();
  yoke::region_table table{list};
  std::vector<double> data = counting(1000);
  yoke::key key = data.data();
  std::size_t bytes = data.size() * sizeof(double);

  explicit one_region(int peers = 0) : devices{std::size_t{64} << 20, peers} {
    table.register_mem(key, bytes);
  }
};

/// Keeps an emulated stream busy until it is released.
class held_stream {
 public:
  explicit held_stream(yoke::device& dev) : device_{dev}, stream_{dev.create_stream()} {
    std::latch* released = &released_;
    dev.launch(stream_, {.name = "held",
                         .items = {.x = 1},
                         .host_entry =
                             [](const void* arguments, const yoke::item_range&) {
                               (*static_cast<std::latch* const*>(arguments))->wait();
                             },
                         .arguments = &released,
                         .argument_bytes = sizeof released});
  }
  ~held_stream() {
    release();
    device_.destroy_stream(stream_);
  }
  held_stream(const held_stream&) = delete;
  held_stream& operator=(const held_stream&) = delete;

  yoke::stream_handle stream() const { return stream_; }
  void release() {
    if (!released_.try_wait()) released_.count_down();
  }

 private:
  yoke::device& device_;
  std::latch released_{1};
  yoke::stream_handle stream_;
};

}  // namespace spaces
