#include "emulated_fixture.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <support/catch.hpp>
#include <support/closed_stream.hpp>
#include <unistd.h>
#include <vector>

#include <yoke/pinned_range.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using conformance::fixture;
using yoke::copy_kind;

}  // namespace

TEST_CASE("an emulated device gives all its memory, no more, and joins what is freed", "[emulated]") {
  const fixture on;
  std::vector<void*> all;
  while (void* address = on.device->allocate(1000)) all.push_back(address);
  CHECK(all.size() == 1024);
  CHECK(on.device->memory_free() == 0);
  CHECK(on.device->allocate(1) == nullptr);
  std::mt19937 random{3};
  std::ranges::shuffle(all, random);
  for (void* address : all) on.device->deallocate(address);
  CHECK(on.device->memory_free() == 1 << 20);
  void* whole = on.device->allocate(1 << 20);
  CHECK(whole != nullptr);
  on.device->deallocate(whole);
  on.device->deallocate(nullptr);
  CHECK(on.device->statistics().bytes_allocated == 0);
}

TEST_CASE("statistics tell how many runs of the program's pages are pinned now", "[emulated][pin]") {
  const fixture on;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<char> host(20 * page);
  const auto part = [&](std::size_t first, std::size_t pages) {
    return yoke::pinned_range{*on.device, std::span{host}.subspan(first * page, pages * page)};
  };
  const auto runs = [&] { return on.device->statistics().pinned_runs; };
  CHECK(runs() == 0);
  {
    const yoke::pinned_range low = part(0, 4), high = part(10, 4);
    CHECK(runs() == 2);
  }
  CHECK(runs() == 0);
  CHECK(on.device->statistics().pinned_buffers == 0);
}

TEST_CASE("holes between allocations are no loss of memory", "[emulated]") {
  const fixture on;
  std::vector<void*> all;
  while (void* address = on.device->allocate(1024)) all.push_back(address);
  for (std::size_t i = 0; i < all.size(); i += 2) on.device->deallocate(all[i]);
  void* half = on.device->allocate(1 << 19);
  CHECK(half != nullptr);
  CHECK(on.device->memory_free() == 0);
  CHECK(on.device->allocate(1) == nullptr);
  on.device->deallocate(half);
  for (std::size_t i = 1; i < all.size(); i += 2) on.device->deallocate(all[i]);
}

TEST_CASE("device memory never takes the number of a closed standard stream", "[emulated]") {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    bool is_free = false;
    {
      const support::closed_stream closed{number};
      const fixture on;
      is_free = closed.is_free();
    }
    CHECK(is_free);
  }
}

TEST_CASE("pages that were freed are given back to the system, and come again as zeros", "[emulated]") {
  const fixture on{{.memory = 64 << 20}};
  constexpr std::size_t bytes = 8 << 20;
  std::vector<char> host(bytes, 1);
  void* x = on.device->allocate(bytes);
  on.device->copy(on.stream, x, host.data(), bytes, copy_kind::host_to_device);
  on.device->synchronize(on.stream);
  on.device->deallocate(x);
  void* again = on.device->allocate(bytes);
  REQUIRE(again == x);
  on.device->copy(on.stream, host.data(), again, bytes, copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(host == std::vector<char>(bytes, 0));
}
