#include "transfer_engine.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Half of a lane's staging: long enough that waiting for it costs little beside the transfer.
constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

copy_kind kind_of(location from, location to) {
  if (from.space == host_space) return copy_kind::host_to_device;
  return to.space == host_space ? copy_kind::device_to_host : copy_kind::device_to_device;
}

}  // namespace

pinned_buffer::pinned_buffer(device_memory& dev, std::size_t bytes)
    : device_{&dev}, address_{static_cast<std::byte*>(dev.allocate_pinned(bytes))} {}

pinned_buffer::pinned_buffer(pinned_buffer&& other) noexcept
    : device_{other.device_}, address_{std::exchange(other.address_, nullptr)} {}

pinned_buffer& pinned_buffer::operator=(pinned_buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  return *this;
}

pinned_buffer::~pinned_buffer() {
  if (address_ != nullptr) device_->deallocate_pinned(address_);
}

stream_handle transfer_engine::lane::ready() {
  if (stream.native == nullptr) stream = dev->create_stream();
  return stream;
}

void transfer_engine::lane::drop() noexcept {
  if (stream.native != nullptr) dev->destroy_stream(std::exchange(stream, {}));
}

std::shared_ptr<queued_work> transfer_engine::lane::queued(stream_handle on, versions::worker& by) {
  const std::lock_guard guard{order};
  return std::make_shared<queued_work>(*dev, on, ++n_queued, by);
}

transfer_engine::transfer_engine(std::span<device* const> devices, versions::worker& by)
    : by_{by}, links_{devices}, counters_((devices.size() + 1) * (devices.size() + 1)) {
  lanes_.push_back(std::make_unique<lane>());
  for (device* each : devices) {
    lanes_.push_back(std::make_unique<lane>());
    lanes_.back()->dev = each;
  }
}

transfer_engine::~transfer_engine() {
  for (const auto& each : lanes_) {
    each->drop();
    each->in_use.collect(true);
  }
}

bool transfer_engine::goes_by_host(space_id from, space_id to) const {
  return from > host_space && to > host_space && from != to && !links_.is_direct(from, to);
}

void transfer_engine::copy(location from, location to, std::size_t bytes) {
  if (goes_by_host(from.space, to.space)) {
    copy_by_host(from, to, bytes);
  } else if (from.space == host_space && to.space == host_space) {
    std::memcpy(to.address, from.address, bytes);
  } else {
    lane& on = lane_of(to.space == host_space ? from.space : to.space);
    const std::lock_guard guard{on.lock};
    copy_one_device(on, from, to, bytes);
  }
  count(from.space, to.space, bytes);
}

void transfer_engine::copy_one_device(lane& on, location from, location to, std::size_t bytes) {
  try {
    const stream_handle stream = on.ready();
    on.dev->copy(stream, to.address, from.address, bytes, kind_of(from, to));
    on.dev->synchronize(stream);
  } catch (...) {
    on.drop();
    throw;
  }
}

void transfer_engine::copy_by_host(location from, location to, std::size_t bytes) {
  lane& source = lane_of(from.space);
  lane& target = lane_of(to.space);
  const std::scoped_lock guard{source.lock, target.lock};
  try {
    if (source.staging.get() == nullptr) source.staging = pinned_buffer{*source.dev, 2 * chunk_bytes};
    exchange_chunks(source, target, from, to, bytes);
  } catch (...) {
    // A chunk may still be on its way out of the staging memory that the next transfer takes.
    for (lane* each : {&source, &target})
      if (each->stream.native != nullptr) quiesce(*each, each->stream, true);
    throw;
  }
}

void transfer_engine::exchange_chunks(lane& source, lane& target, location from, location to,
                                      std::size_t bytes) {
  const stream_handle out = source.ready();
  const stream_handle in = target.ready();
  for (std::size_t at = 0, i = 0; at < bytes; at += chunk_bytes, ++i) {
    const std::size_t n = std::min(chunk_bytes, bytes - at);
    std::byte* half = source.staging.get() + (i % 2) * chunk_bytes;
    source.dev->copy(out, half, static_cast<std::byte*>(from.address) + at, n, copy_kind::device_to_host);
    // Chunk i leaves the source while chunk i-1 enters the target.
    target.dev->synchronize(in);
    source.dev->synchronize(out);
    target.dev->copy(in, static_cast<std::byte*>(to.address) + at, half, n, copy_kind::host_to_device);
  }
  target.dev->synchronize(in);
}

transfer_engine::started transfer_engine::copy_async(location from, location to, std::size_t bytes,
                                                     stream_handle stream, const waits& before) {
  lane& on = lane_of(to.space == host_space ? from.space : to.space);
  std::unique_lock guard{on.lock, std::defer_lock};
  pinned_buffer staging;
  location source = from;
  if (goes_by_host(from.space, to.space)) {
    staging = pinned_buffer{*on.dev, bytes};
    source = {host_space, staging.get()};
    lane& first = lane_of(from.space);
    const std::lock_guard first_guard{first.lock};
    copy_one_device(first, from, source, bytes);
  }
  const bool own = stream.native == nullptr;
  if (own) guard.lock();
  const stream_handle used = own ? on.ready() : stream;
  try {
    before.before(used);
    on.dev->copy(used, to.address, source.address, bytes, kind_of(source, to));
    started result{.for_caller = event{*on.dev, used}, .work = on.queued(used, by_)};
    if (staging.get() != nullptr) {
      event until{*on.dev, used};
      on.in_use.add(std::move(staging), std::move(until));
    }
    count(from.space, to.space, bytes);
    return result;
  } catch (...) {
    quiesce(on, used, own);
    throw;
  }
}

void transfer_engine::quiesce(lane& on, stream_handle used, bool own) noexcept {
  try {
    on.dev->synchronize(used);
  } catch (...) {
    // The caller rethrows the first error. Nothing runs on a stream whose synchronization has failed.
  }
  if (own) on.drop();
}

void transfer_engine::free_staging() {
  for (const auto& each : lanes_) each->in_use.collect(false);
}

std::shared_ptr<queued_work> transfer_engine::queued(space_id space, stream_handle stream) {
  return lane_of(space).queued(stream, by_);
}

event transfer_engine::mark(space_id space, stream_handle stream, const waits& before) {
  lane& on = lane_of(space);
  std::unique_lock guard{on.lock, std::defer_lock};
  const bool own = stream.native == nullptr;
  if (own) guard.lock();
  const stream_handle used = own ? on.ready() : stream;
  before.before(used);
  return event{*on.dev, used};
}

void transfer_engine::count(space_id from, space_id to, std::size_t bytes) {
  counter& of = counters_[static_cast<std::size_t>(from * n_spaces() + to)];
  of.bytes.fetch_add(bytes, std::memory_order_relaxed);
  of.copies.fetch_add(1, std::memory_order_relaxed);
}

std::vector<transfer_count> transfer_engine::counts() const {
  std::vector<transfer_count> all;
  for (int from = 0; from < n_spaces(); ++from) {
    for (int to = 0; to < n_spaces(); ++to) {
      const counter& of = counters_[static_cast<std::size_t>(from * n_spaces() + to)];
      if (of.copies == 0) continue;
      all.push_back({.from = space_id{from}, .to = space_id{to}, .bytes = of.bytes, .copies = of.copies});
    }
  }
  return all;
}

}  // namespace yoke::detail
