#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/links.hpp>

namespace yoke {

namespace {

constexpr double giga = 1e9;

link_kind kind_between(std::span<device* const> devices, int from, int to) {
  const auto at = [&](int space) -> const device& { return *devices[static_cast<std::size_t>(space) - 1]; };
  if (from > 0 && to > 0) return at(from).link_to(at(to).info());
  return at(std::max(from, to)).info().emulated ? link_kind::emulated : link_kind::pcie;
}

/// Memory and a stream of a device for copies that are timed.
class probe {
 public:
  explicit probe(device& dev) : dev_{dev}, bytes_{dev.info().emulated ? megabyte : 64 * megabyte} {
    try {
      stream_ = dev.create_stream();
      host_ = dev.allocate_pinned(bytes_);
      if (memory_ = dev.allocate(bytes_); memory_ == nullptr) refuse();
    } catch (...) {
      release();
      throw;
    }
  }
  ~probe() { release(); }
  probe(const probe&) = delete;
  probe& operator=(const probe&) = delete;

  std::size_t bytes() const { return bytes_; }
  void to_host() { copy(host_, memory_, copy_kind::device_to_host); }
  void from_host() { from_host(host_); }
  void from_host(const void* where) { copy(memory_, where, copy_kind::host_to_device); }
  void to(probe& other) { copy(other.memory_, memory_, copy_kind::device_to_device); }
  const void* host() const { return host_; }

 private:
  static constexpr std::size_t megabyte = std::size_t{1} << 20;

  void copy(void* to, const void* from, copy_kind kind) {
    dev_.copy(stream_, to, from, bytes_, kind);
    dev_.synchronize(stream_);
  }
  [[noreturn]] void refuse() const {
    throw out_of_memory{fmt::format("{}: {} bytes are wanted for measuring its links, {} are free",
                                    dev_.info().name, bytes_, dev_.memory_free()),
                        bytes_, dev_.memory_free()};
  }
  void release() noexcept {
    if (memory_ != nullptr) dev_.deallocate(memory_);
    if (host_ != nullptr) dev_.deallocate_pinned(host_);
    if (stream_.native != nullptr) dev_.destroy_stream(stream_);
  }

  device& dev_;
  std::size_t bytes_;
  stream_handle stream_{};
  void* host_ = nullptr;
  void* memory_ = nullptr;
};

/// The shortest of a few, after one that counts for nothing.
seconds time_of(const std::function<void()>& copies) {
  constexpr int times = 4;
  copies();
  seconds least = 0;
  for (int n = 0; n < times; ++n) {
    const ticks begin = now();
    copies();
    const seconds took = elapsed(begin, now());
    least = n == 0 ? took : std::min(least, took);
  }
  return std::max(least, 1e-9);
}

double to_or_from_host(device& dev, bool from_host) {
  probe there{dev};
  return static_cast<double>(there.bytes()) /
         time_of([&] { from_host ? there.from_host() : there.to_host(); });
}

double between_devices(device& from, device& to, bool directly) {
  probe giver{from}, taker{to};
  const auto bytes = static_cast<double>(std::min(giver.bytes(), taker.bytes()));
  if (directly) return bytes / time_of([&] { giver.to(taker); });
  return bytes / time_of([&] {
           giver.to_host();
           taker.from_host(giver.host());
         });
}

}  // namespace

std::string_view name_of(link_kind kind) {
  switch (kind) {
    case link_kind::through_host:
      break;
    case link_kind::pcie:
      return "PCIe";
    case link_kind::nvlink:
      return "NVLink";
    case link_kind::infinity_fabric:
      return "Infinity Fabric";
    case link_kind::emulated:
      return "emulated";
    case link_kind::same_device:
      return "same device";
  }
  return "through host memory";
}

double usual_bandwidth(link_kind kind) {
  switch (kind) {
    case link_kind::through_host:
      break;
    case link_kind::pcie:
      return 25 * giga;
    case link_kind::nvlink:
      return 300 * giga;
    case link_kind::infinity_fabric:
      return 50 * giga;
    case link_kind::emulated:
      return 5 * giga;
    case link_kind::same_device:
      return 1000 * giga;
  }
  return 12 * giga;
}

link_table::link_table(std::span<device* const> devices) : n_spaces_{static_cast<int>(devices.size()) + 1} {
  for (int from = 0; from < n_spaces_; ++from)
    for (int to = 0; to < n_spaces_; ++to)
      if (from != to) links_.push_back({space_id{from}, space_id{to}, kind_between(devices, from, to)});
}

const memory_link& link_table::between(space_id from, space_id to) const {
  const int row = int{from} * (n_spaces_ - 1);
  YOKE_ASSERT(from != to && from >= 0 && to >= 0 && from < n_spaces_ && to < n_spaces_,
              "a link is asked for that joins no two memory spaces");
  return links_[static_cast<std::size_t>(row + (to > from ? to - 1 : to))];
}

bool link_table::is_direct(space_id from, space_id to) const {
  if (from == to || from == host_space || to == host_space || from >= n_spaces_ || to >= n_spaces_)
    return false;
  return between(from, to).kind != link_kind::through_host;
}

double link_table::bandwidth(space_id from, space_id to) const {
  const memory_link& found = between(from, to);
  return found.bandwidth > 0 ? found.bandwidth : usual_bandwidth(found.kind);
}

void link_table::measure(std::span<device* const> devices) {
  const auto at = [&](space_id space) -> device& { return *devices[static_cast<std::size_t>(space) - 1]; };
  for (memory_link& each : links_) {
    if (each.from == host_space)
      each.bandwidth = to_or_from_host(at(each.to), true);
    else if (each.to == host_space)
      each.bandwidth = to_or_from_host(at(each.from), false);
    else
      each.bandwidth = between_devices(at(each.from), at(each.to), each.kind != link_kind::through_host);
  }
}

}  // namespace yoke
