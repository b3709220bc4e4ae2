#include "emulated_memory.hpp"

#include "intents.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>

#include <yoke/endings.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/mapped.hpp>
#include <yoke/told_faults.hpp>

namespace yoke::emulated {

namespace {

/// nullptr where there are not so many, which no rounding up may hide.
void* whole_pages(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  if (bytes > std::numeric_limits<std::size_t>::max() - page) return nullptr;
  return std::aligned_alloc(page, std::max<std::size_t>(1, (bytes + page - 1) / page) * page);
}

}  // namespace

emulated_memory::emulated_memory(int index, const emulated_options& options)
    : info_{.name = fmt::format("emulated:{}", index),
            .model = "emulated",
            .ordinal = index,
            .emulated = true,
            .memory = options.memory,
            .processors = options.processors,
            .shared_memory = options.shared_memory,
            .shared_memory_of_processor = options.shared_memory},
      peers_{options.peers},
      is_slowed_{options.slowdown > 1},
      own_{options.memory, info_.name} {
  detail::watch_forks();
}

link_kind emulated_memory::link_to(const device_info& other) const {
  if (!other.emulated || other.model != info_.model) return link_kind::through_host;
  if (other.ordinal == info_.ordinal) return link_kind::same_device;
  const bool are_peers = peers_ == 0 || other.ordinal / peers_ == info_.ordinal / peers_;
  return are_peers ? link_kind::emulated : link_kind::through_host;
}

void emulated_memory::refuse(const std::string& intent, const std::string& why) const {
  throw device_error{fmt::format("{}: {} failed: {}", info_.name, intent, why), device_failure::refused};
}

void* emulated_memory::allocate(std::size_t bytes) {
  detail::refuse_in_forked_child();
  void* address = own_.allocate(bytes);
  if (address == nullptr) return nullptr;
  ++allocations_;
  // No kernel of a GPU waits for pages: what that takes is not to be slowed down with it.
  if (is_slowed_) touch_pages(own_.translate(address, bytes), bytes);
  return address;
}

void emulated_memory::deallocate(void* address) noexcept {
  // A forked child shares the pages: giving them back would empty the parent's.
  if (!detail::leaves_all()) own_.deallocate(address);
}

void* emulated_memory::allocate_pinned(std::size_t bytes) {
  detail::refuse_in_forked_child();
  void* address = whole_pages(bytes);
  if (address == nullptr)
    throw device_error{
        fmt::format("{}: {} failed: the host does not have that many", info_.name, pinned_intent(bytes)),
        device_failure::out_of_memory};
  ++pinned_;
  if (is_slowed_) touch_pages(address, bytes);
  return address;
}

void emulated_memory::deallocate_pinned(void* address) noexcept {
  if (address != nullptr) --pinned_;
  std::free(address);
}

void emulated_memory::pin(void* first, std::size_t bytes) {
  if (bytes == 0) return;
  detail::refuse_in_forked_child();
  const std::string intent = pin_intent(first, bytes);
  host_end(first, intent);
  const auto check = [&](void* pages, std::size_t length) {
    if (!detail::is_mapped(pages, length)) refuse(intent, "not all of it is memory of this program");
  };
  pages_.add(first, bytes, check, [](void*) {});
}

void emulated_memory::unpin(void* first, std::size_t bytes) noexcept {
  if (bytes > 0 && !detail::leaves_all()) pages_.remove(first, bytes, [](void*) {});
}

void* emulated_memory::page_of(const void* address, std::size_t bytes, bool elsewhere,
                               const std::string& intent) const {
  void* page = own_.translate(address, bytes);
  if (page == nullptr && elsewhere) page = address_space::translate_anywhere(address, bytes);
  if (page != nullptr) return page;
  refuse(intent, fmt::format("[{}, {} bytes further) is not inside an allocation of {}", address, bytes,
                             elsewhere ? "an emulated device" : "this device"));
}

void* emulated_memory::host_end(const void* address, const std::string& intent) const {
  if (!detail::is_told(detail::touched::device_address, address)) return const_cast<void*>(address);
  refuse(intent, fmt::format("{} was given as a host address but is the address of a device", address));
}

void emulated_memory::tell(device_statistics& of) const {
  of.allocations = allocations_;
  of.bytes_allocated = own_.limit() - own_.free_bytes();
  of.pinned_buffers = pinned_;
  of.pinned_runs = pages_.n_runs();
}

}  // namespace yoke::emulated
