#include "../../placement/src/device_slabs.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <support/catch.hpp>
#include <support/fake_device.hpp>
#include <utility>
#include <vector>

#include <yoke/forwarding_device.hpp>

namespace {

using yoke::detail::device_slabs;
constexpr std::size_t mebi = std::size_t{1} << 20;

/// A GPU, as it says, with so much memory and a list of what was taken of it.
class small_gpu final : public yoke::forwarding_device {
 public:
  explicit small_gpu(std::size_t bytes, bool emulated = false) : forwarding_device{inner_}, bytes_{bytes} {
    info_ = inner_.info();
    info_.emulated = emulated;
    info_.memory = bytes;
  }

  const yoke::device_info& info() const override { return info_; }
  std::size_t memory_free() const override { return bytes_ - used(); }
  void* allocate(std::size_t bytes) override {
    if (bytes > memory_free()) return nullptr;
    void* const address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    taken[address] = bytes;
    return address;
  }
  void deallocate(void* address) noexcept override {
    taken.erase(address);
    std::free(address);
  }

  std::map<void*, std::size_t> taken;

 private:
  std::size_t used() const {
    std::size_t sum = 0;
    for (const auto& [address, bytes] : taken) sum += bytes;
    return sum;
  }
  support::fake_device inner_;
  std::size_t bytes_;
  yoke::device_info info_;
};

struct block {
  std::byte* first;
  std::size_t bytes;
};

bool overlap(const block& a, const block& b) {
  return a.first < b.first + b.bytes && b.first < a.first + a.bytes;
}

}  // namespace

TEST_CASE("copies on a device never overlap, small ones share slabs, and all of it goes back",
          "[placement]") {
  small_gpu gpu{512 * mebi};
  std::vector<block> live;
  bool good = true;
  {
    device_slabs memory{gpu};
    std::mt19937 random{7};
    for (int step = 0; step < 4000; ++step) {
      if (random() % 5 < 2 && !live.empty()) {
        std::swap(live[random() % live.size()], live.back());
        memory.deallocate(live.back().first);
        live.pop_back();
        continue;
      }
      const std::size_t bytes = 1 + random() % (random() % 8 == 0 ? 6 * mebi : mebi);
      auto* const address = static_cast<std::byte*>(memory.allocate(bytes));
      if (address == nullptr) {
        good = good && memory.memory_free() < 8 * device_slabs::slab_bytes;
        continue;
      }
      const block fresh{address, bytes};
      good = good && reinterpret_cast<std::uintptr_t>(address) % 256 == 0;
      good = good && std::ranges::none_of(live, [&](const block& each) { return overlap(each, fresh); });
      good = good && (gpu.taken.contains(address) || bytes <= device_slabs::most_in_slab);
      live.push_back(fresh);
    }
    CHECK(live.size() > 100);
    CHECK(gpu.taken.size() < live.size());
    for (const block& each : live) memory.deallocate(each.first);
    CHECK(memory.memory_free() == 512 * mebi);
    CHECK(gpu.taken.size() == 1);  // a slab is kept for the next
  }
  CHECK(good);
  CHECK(gpu.taken.empty());
}

TEST_CASE("an empty slab is given back where a large copy needs its memory", "[placement]") {
  small_gpu gpu{40 * mebi};
  device_slabs memory{gpu};
  void* const small = memory.allocate(1000);
  REQUIRE(small != nullptr);
  CHECK(memory.memory_free() == 40 * mebi - 1024);
  CHECK(memory.allocate(36 * mebi) == nullptr);
  CHECK(gpu.taken.size() == 1);
  memory.deallocate(small);
  void* const large = memory.allocate(36 * mebi);
  CHECK(large != nullptr);
  CHECK(memory.memory_free() == 4 * mebi);
  memory.deallocate(large);
  CHECK(gpu.taken.empty());
}

TEST_CASE("where there is no room for a slab, and on emulated devices, each copy is alone", "[placement]") {
  const bool emulated = GENERATE(false, true);
  small_gpu gpu{emulated ? 100 * mebi : mebi, emulated};
  device_slabs memory{gpu};
  void* const one = memory.allocate(1000);
  void* const other = memory.allocate(2000);
  CHECK(gpu.taken == std::map<void*, std::size_t>{{one, 1000}, {other, 2000}});
  CHECK(memory.memory_free() == gpu.memory_free());
  memory.deallocate(one);
  memory.deallocate(other);
  memory.deallocate(nullptr);
  CHECK(gpu.taken.empty());
}
