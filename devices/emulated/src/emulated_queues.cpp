#include "emulated_queues.hpp"

#include <utility>

#include <yoke/endings.hpp>
#include <yoke/forks.hpp>

namespace yoke::emulated {

stream_handle emulated_queues::make_stream_of(double share) {
  detail::refuse_in_forked_child();
  std::shared_ptr<worker_stream> stream{new worker_stream{memory_.window(), slowdown_ / share},
                                        &worker_stream::end};
  void* native = stream.get();
  const std::lock_guard guard{streams_lock_};
  streams_.emplace(native, std::move(stream));
  return {native};
}

void emulated_queues::destroy_stream(stream_handle stream) noexcept {
  if (detail::leaves_all()) return;
  std::shared_ptr<worker_stream> ending;  // joins outside the lock
  const std::lock_guard guard{streams_lock_};
  if (auto found = streams_.extract(stream.native)) ending = std::move(found.mapped());
}

worker_stream& emulated_queues::usable(stream_handle handle, const std::string& intent) const {
  detail::refuse_in_forked_child();
  if (handle.native == nullptr) memory_.refuse(intent, "the stream is null: make one with create_stream");
  auto& stream = *static_cast<worker_stream*>(handle.native);
  if (std::exception_ptr met = stream.take_error()) std::rethrow_exception(met);
  return stream;
}

void emulated_queues::tell(device_statistics& of) const {
  of.bytes_to_device = to_device_;
  of.bytes_to_host = to_host_;
  of.bytes_inside = inside_;
  of.copies = copies_;
  of.launches = launches_;
  of.replays = replays_;
}

}  // namespace yoke::emulated
