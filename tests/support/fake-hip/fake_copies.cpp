// Copies of the fake, and host memory that is pinned where it is.
#include "fake_state.hpp"

#include <cstring>
#include <vector>

#include <yoke/mapped.hpp>

namespace fake_hip {

namespace {

using yoke::box_copy;

/// The fake is stricter than HIP: what is registered are whole pages.
constexpr std::uintptr_t page = 4096;

/// Whether [first, first + bytes) lies in one of `blocks`. Under the lock.
template <class Blocks, class Size>
bool lies_in(const Blocks& blocks, std::uintptr_t first, std::size_t bytes, const Size& size) {
  auto found = blocks.upper_bound(first);
  return found != blocks.begin() && first + bytes <= (--found)->first + size(found->second);
}
std::size_t itself(std::size_t bytes) { return bytes; }

bool on_device(const void* address, std::size_t bytes) {
  const std::lock_guard lock{all().mutex};
  return lies_in(all().device_memory, reinterpret_cast<std::uintptr_t>(address), bytes,
                 [](const block& of) { return of.bytes; });
}

enum class host_memory { pageable, pinned, partly_pinned };

/// What the copies of a GPU find on the host.
host_memory kind_of(const void* address, std::size_t bytes) {
  const state& s = all();
  const std::lock_guard lock{all().mutex};
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (lies_in(s.pinned, first, bytes, itself) || lies_in(s.registered, first, bytes, itself))
    return host_memory::pinned;
  const auto after = s.registered.lower_bound(first + bytes);
  const bool touched =
      after != s.registered.begin() && std::prev(after)->first + std::prev(after)->second > first;
  return touched ? host_memory::partly_pinned : host_memory::pageable;
}

/// One end of a copy.
struct end_of_copy {
  const void* address;
  std::size_t bytes;  ///< from the first to behind the last, gaps included
  bool on_host;

  bool good() const {
    return on_host ? kind_of(address, bytes) != host_memory::partly_pinned : on_device(address, bytes);
  }
  bool pageable() const { return on_host && kind_of(address, bytes) == host_memory::pageable; }
};

operation copy(const box_copy& what) {
  return [=] {
    yoke::detail::for_each_row(what, [&](void* to, const void* from) { std::memcpy(to, from, what.bytes); });
  };
}
/// Pageable memory has been read when the call returns.
operation staged_copy(const box_copy& what) {
  std::vector<unsigned char> staged(yoke::detail::bytes_of(what));
  box_copy in = what, out = what;
  in.to_pitch = out.from_pitch = {.row = what.bytes, .plane = what.rows * what.bytes};
  in.to = staged.data();
  copy(in)();
  return [out, staged = std::move(staged)]() mutable {
    out.from = staged.data();
    copy(out)();
  };
}

bool is_box(const box_copy& what) {
  return what.rows == 1 || (what.to_pitch.row >= what.bytes && what.from_pitch.row >= what.bytes);
}

hipError_t queue(const box_copy& what, hipMemcpyKind kind, hipStream_t stream) {
  const end_of_copy to{what.to, yoke::detail::span_of(what, what.to_pitch), kind == hipMemcpyDeviceToHost};
  const end_of_copy from{what.from, yoke::detail::span_of(what, what.from_pitch),
                         kind == hipMemcpyHostToDevice};
  if (check(stream) != hipSuccess || !is_box(what) || !to.good() || !from.good()) return hipErrorInvalidValue;
  stream->add(from.pageable() && !stream->capturing ? staged_copy(what) : copy(what));
  // As HIP does: pageable memory has been written when the call returns.
  if (to.pageable() && !stream->capturing) stream->worker.wait();
  return hipSuccess;
}

}  // namespace

}  // namespace fake_hip

using namespace fake_hip;

extern "C" {

hipError_t hipHostRegister(void* address, std::size_t bytes, unsigned) {
  return call("hipHostRegister", [&] {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    if (first % page != 0 || bytes == 0 || bytes % page != 0) return hipErrorInvalidValue;
    if (!yoke::detail::is_mapped(address, bytes)) return hipErrorInvalidValue;
    if (kind_of(address, bytes) != host_memory::pageable) return hipErrorHostMemoryAlreadyRegistered;
    const std::lock_guard lock{all().mutex};
    all().registered[first] = bytes;
    return hipSuccess;
  });
}

hipError_t hipHostUnregister(void* address) {
  return release("hipHostUnregister", [&] {
    wait_for_streams(-1);  // as HIP does
    const std::lock_guard lock{all().mutex};
    const bool was = all().registered.erase(reinterpret_cast<std::uintptr_t>(address)) > 0;
    return was ? hipSuccess : hipErrorHostMemoryNotRegistered;
  });
}

hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return call("hipMemcpyAsync",
              [&] { return queue({.to = to, .from = from, .bytes = bytes}, kind, stream); });
}

hipError_t hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                            std::size_t bytes, std::size_t rows, hipMemcpyKind kind, hipStream_t stream) {
  return call("hipMemcpy2DAsync", [&] {
    return queue({.to = to,
                  .from = from,
                  .bytes = bytes,
                  .rows = rows,
                  .to_pitch = {.row = to_pitch},
                  .from_pitch = {.row = from_pitch}},
                 kind, stream);
  });
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* what, hipStream_t stream) {
  return call("hipMemcpy3DAsync", [&] {
    const hipPitchedPtr &to = what->dstPtr, &from = what->srcPtr;
    if (to.ysize < what->extent.height || from.ysize < what->extent.height) return hipErrorInvalidValue;
    return queue({.to = to.ptr,
                  .from = from.ptr,
                  .bytes = what->extent.width,
                  .rows = what->extent.height,
                  .planes = what->extent.depth,
                  .to_pitch = {.row = to.pitch, .plane = to.pitch * to.ysize},
                  .from_pitch = {.row = from.pitch, .plane = from.pitch * from.ysize}},
                 what->kind, stream);
  });
}

}  // extern "C"
