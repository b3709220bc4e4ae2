#include "aliased_device.hpp"

#include "intents.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/mapped.hpp>

namespace yoke {

namespace emulated {

namespace {

/// nullptr where there are not so many, which no rounding up may hide.
void* whole_pages(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  if (bytes > std::numeric_limits<std::size_t>::max() - page) return nullptr;
  return std::aligned_alloc(page, std::max<std::size_t>(1, (bytes + page - 1) / page) * page);
}

}  // namespace

aliased_device::aliased_device(int index, const emulated_options& options)
    : info_{.name = fmt::format("emulated:{}", index),
            .model = "emulated",
            .ordinal = index,
            .emulated = true,
            .memory = options.memory,
            .processors = options.processors,
            .shared_memory = options.shared_memory,
            .shared_memory_of_processor = options.shared_memory},
      slowdown_{options.slowdown},
      peers_{options.peers},
      memory_{options.memory, info_.name} {
  detail::watch_forks();
}

link_kind aliased_device::link_to(const device_info& other) const {
  if (!other.emulated || other.model != info_.model) return link_kind::through_host;
  if (other.ordinal == info_.ordinal) return link_kind::same_device;
  const bool are_peers = peers_ == 0 || other.ordinal / peers_ == info_.ordinal / peers_;
  return are_peers ? link_kind::emulated : link_kind::through_host;
}

void aliased_device::refuse(const std::string& intent, const std::string& why) const {
  throw device_error{fmt::format("{}: {} failed: {}", info_.name, intent, why), device_failure::refused};
}

void* aliased_device::allocate(std::size_t bytes) {
  detail::refuse_in_forked_child();
  void* address = memory_.allocate(bytes);
  if (address != nullptr) ++allocations_;
  return address;
}

void aliased_device::deallocate(void* address) noexcept {
  // A forked child shares the pages: giving them back would empty the parent's.
  if (!detail::is_forked_child()) memory_.deallocate(address);
}

void* aliased_device::allocate_pinned(std::size_t bytes) {
  detail::refuse_in_forked_child();
  void* address = whole_pages(bytes);
  if (address == nullptr)
    throw device_error{
        fmt::format("{}: {} failed: the host has not so many", info_.name, pinned_intent(bytes)),
        device_failure::out_of_memory};
  ++pinned_;
  return address;
}

void aliased_device::deallocate_pinned(void* address) noexcept {
  if (address != nullptr) --pinned_;
  std::free(address);
}

void aliased_device::pin(void* first, std::size_t bytes) {
  if (bytes == 0) return;
  detail::refuse_in_forked_child();
  const std::string intent = pin_intent(first, bytes);
  host_end(first, intent);
  const auto check = [&](void* pages, std::size_t length) {
    if (!detail::is_mapped(pages, length)) refuse(intent, "not all of it is memory of this program");
  };
  pages_.add(first, bytes, check, [](void*) {});
}

void aliased_device::unpin(void* first, std::size_t bytes) noexcept {
  if (bytes > 0 && !detail::is_forked_child()) pages_.remove(first, bytes, [](void*) {});
}

stream_handle aliased_device::make_stream_of(double share) {
  detail::refuse_in_forked_child();
  std::shared_ptr<worker_stream> stream{new worker_stream{memory_.window(), slowdown_ / share},
                                        &worker_stream::end};
  void* native = stream.get();
  const std::lock_guard guard{streams_lock_};
  streams_.emplace(native, std::move(stream));
  return {native};
}

void aliased_device::destroy_stream(stream_handle stream) noexcept {
  if (detail::is_forked_child()) return;
  std::shared_ptr<worker_stream> ending;  // joins outside the lock
  const std::lock_guard guard{streams_lock_};
  if (auto found = streams_.extract(stream.native)) ending = std::move(found.mapped());
}

worker_stream& aliased_device::usable(stream_handle handle, const std::string& intent) const {
  detail::refuse_in_forked_child();
  if (handle.native == nullptr) refuse(intent, "the stream is null: make one with create_stream");
  auto& stream = *static_cast<worker_stream*>(handle.native);
  if (std::exception_ptr met = stream.take_error()) std::rethrow_exception(met);
  return stream;
}

device_statistics aliased_device::statistics() const {
  return {.bytes_to_device = to_device_,
          .bytes_to_host = to_host_,
          .bytes_inside = inside_,
          .allocations = allocations_,
          .bytes_allocated = memory_.limit() - memory_.free_bytes(),
          .pinned_buffers = pinned_,
          .pinned_runs = pages_.n_runs(),
          .copies = copies_,
          .launches = launches_,
          .replays = replays_};
}

}  // namespace emulated

}  // namespace yoke
