#include "copies.hpp"

#include "host_range.hpp"
#include "region_registry.hpp"

#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/host_memory.hpp>

namespace yoke::detail {

copies::copies(const transfer_engine& spaces) : spaces_{spaces} {
  for (int space = 1; space < spaces_.n_spaces(); ++space)
    devices_.push_back(std::make_unique<device_copies>(*spaces_.device_of(space_id{space})));
}

copies::~copies() {
  for (const auto& each : devices_) each->gone.collect(true);
}

void copies::check_space(space_id space) const {
  if (space >= 0 && space < spaces_.n_spaces()) return;
  const int n = spaces_.n_spaces() - 1;
  const std::string others = n == 0   ? "there is no other, as no device is used"
                             : n == 1 ? "1 that of the device"
                                      : fmt::format("1 to {} those of the devices", n);
  throw usage_error{fmt::format("space {}: there is no such memory space; 0 is the host's memory, {}",
                                static_cast<int>(space), others)};
}

std::string copies::name_of(space_id space) const {
  const device_memory* dev = spaces_.device_of(space);
  return fmt::format("space {} ({})", static_cast<int>(space), dev == nullptr ? "host" : dev->info().name);
}

std::size_t copies::memory_free(space_id space) const {
  return space == host_space ? yoke::free_host_memory().free : on_device(space).memory.memory_free();
}

void copies::exhausted(const region& to, space_id space) const {
  const std::size_t wanted = to.bytes;
  const std::size_t free = memory_free(space);
  const std::string_view advice =
      !to.advice.empty() ? to.advice
                         : "dealloc what is not needed there, or have less of the data there at a time";
  throw out_of_memory{fmt::format("{}: {} bytes wanted in {}, {} bytes free; {}", detail::name_of(to), wanted,
                                  name_of(space), free, advice),
                      wanted, free};
}

void* copies::allocate(const region& to, space_id space) {
  const std::size_t bytes = to.bytes;
  if (space == host_space) {
    void* range = const_cast<void*>(to.start.load());
    return give_pages(range, bytes) ? range : nullptr;
  }
  device_copies& there = on_device(space);
  there.gone.collect(false);
  if (void* address = there.memory.allocate(bytes)) return address;
  return there.gone.collect(true) ? there.memory.allocate(bytes) : nullptr;
}

copies::added copies::add(region& to, space_id space) {
  if (void* address = to.address_in(space)) return {.address = address};
  void* address = allocate(to, space);
  if (address == nullptr) exhausted(to, space);
  to.at(space).owned = true;
  to.at(space).address.store(address, std::memory_order_release);
  return {.address = address, .fresh = true};
}

void copies::adopt(region& to, void* address, space_id space) const {
  const auto refuse = [&](const std::string& why) {
    throw usage_error{
        fmt::format("{}: adopting {} in {}: {}", detail::name_of(to), address, name_of(space), why)};
  };
  if (space == host_space) refuse("on the host a region is at its key; adoption is for device memory");
  if (address == nullptr) refuse("there is no memory at the null pointer");
  if (to.address_in(space) != nullptr) refuse("it is allocated there already; dealloc that copy first");
  to.at(space).owned = false;
  to.at(space).address.store(address, std::memory_order_release);
}

void copies::remove(region& from, space_id space) noexcept {
  void* address = from.at(space).address.exchange(nullptr);
  if (address == nullptr || !from.at(space).owned) return;
  if (space == host_space) {
    take_pages(address, from.bytes);
  } else {
    on_device(space).memory.deallocate(address);
  }
}

void copies::remove_later(region& from, space_id space, event done) {
  if (from.at(space).owned) {
    device_copies& there = on_device(space);
    there.gone.collect(false);
    there.gone.add({from.address_in(space), {&there.memory}}, std::move(done));
  }
  from.at(space).address.store(nullptr, std::memory_order_release);
}

}  // namespace yoke::detail
