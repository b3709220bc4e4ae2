#include "exchange.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

namespace {

/// Of unlike devices: through the host, at once.
void copy_through_host(const gpu_unit& from, const gpu_unit& to, const box_copy& what) {
  std::vector<std::byte> rows(bytes_of(what));
  const box_pitch packed{.row = what.bytes, .plane = what.bytes * what.rows};
  box_copy out = what, in = what;
  out.to = rows.data();
  out.to_pitch = packed;
  in.from = rows.data();
  in.from_pitch = packed;
  queue_copy(&from, nullptr, out);
  from.dev->synchronize(from.stream);
  queue_copy(nullptr, &to, in);
  to.dev->synchronize(to.stream);
}

}  // namespace

ordered_copies::ordered_copies(const array_context& context) : context_{&context} {}

void ordered_copies::go_beside(std::shared_ptr<halo_streams> streams) {
  beside_ = std::move(streams);
  for (const gpu_unit& gpu : context_->gpus)
    of(gpu).ready.emplace(*gpu.dev, gpu.stream).before(*gpu.dev, receiver(gpu).stream);
}

void ordered_copies::between(const gpu_unit& from, const gpu_unit& to, const box_copy& what) {
  at_gpu& source = of(from);
  if (!source.ready) source.ready.emplace(*from.dev, from.stream);
  const auto is_in = [&](const std::vector<const gpu_unit*>& list) {
    return std::ranges::find(list, &to) != list.end();
  };
  const gpu_unit& receiving = receiver(to);
  if (!is_in(source.waiting)) {
    source.ready->before(*to.dev, receiving.stream);
    source.waiting.push_back(&to);
  }
  if (!is_in(source.readers)) source.readers.push_back(&to);
  queue_copy(&from, &receiving, what);
}

const gpu_unit& ordered_copies::receiver(const gpu_unit& gpu) const {
  return beside_ == nullptr ? gpu : beside_->beside(gpu);
}

void ordered_copies::has_more_to_copy(const gpu_unit& from) {
  of(from).ready.reset();
  of(from).waiting.clear();
}

void ordered_copies::add(const gpu_unit* from, const gpu_unit* to, const box_copy& what) {
  if (from != to)
    (from == nullptr || to == nullptr ? bytes_with_host_ : bytes_between_gpus_) += bytes_of(what);
  if (from != nullptr && to != nullptr && from != to) {
    if (backend_of(*from->dev) != backend_of(*to->dev)) return copy_through_host(*from, *to, what);
    return between(*from, *to, what);
  }
  if (from == to && to != nullptr) return queue_copy(from, &receiver(*to), what);
  queue_copy(from, to, what);
  if (from == to) return;
  of(from != nullptr ? *from : *to).meets_host = true;
}

void ordered_copies::close() {
  if (gpus_.empty()) return;
  for (const gpu_unit& gpu : context_->gpus) {
    at_gpu& source = of(gpu);
    for (const gpu_unit* to : source.readers) {
      waits_.push_back({.of = {*to->dev, receiver(*to).stream}, .by = &gpu});
    }
    if (source.meets_host) host_waits_.emplace_back(*gpu.dev, gpu.stream);
  }
  if (beside_ == nullptr) join();
}

// Each wait that a CU comes to between two loops costs it microseconds: beside, all are one.
void ordered_copies::join() {
  for (const wait& each : waits_) each.of.before(*each.by->dev, receiver(*each.by).stream);
  waits_.clear();
  if (beside_ == nullptr) return;
  for (const gpu_unit& gpu : context_->gpus) event{*gpu.dev, receiver(gpu).stream}.before(gpu.stream);
}

void ordered_copies::wait_on_host() {
  for (const event& each : host_waits_) each.wait();
  host_waits_.clear();
}

double ordered_copies::share_of_host() const {
  constexpr double times_as_slow = 5;  // a link to the host beside one between GPUs, as of an H200
  const double host = times_as_slow * static_cast<double>(bytes_with_host_);
  return host > 0 ? host / (host + static_cast<double>(bytes_between_gpus_)) : 0;
}

}  // namespace yoke::detail
