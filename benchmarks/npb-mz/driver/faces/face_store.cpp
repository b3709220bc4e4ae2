#include "face_store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>
#include <utility>

#include <yoke/error.hpp>

namespace npb {

face_store::face_store(const problem& what, std::span<yoke::device* const> devices,
                       std::span<const yoke::unit> units, face_paths by)
    : devices_{devices.begin(), devices.end()}, units_{units.begin(), units.end()}, paths_{std::move(by)} {
  for (const zone& z : what.zones) {
    for (const side s : all_sides) {
      sizes_.push_back(static_cast<std::size_t>(inner_plane(z.shape, s).size()));
      receivers_.push_back(neighbour(z, s));
    }
  }
  total_ = std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0});
  for (auto& records : records_) records.resize(sizes_.size());
  for (yoke::device* dev : devices_) on_devices_.emplace_back(*dev, device_buffer::kind::device);
  plan({});
  if (route_of(0).is_read_in(yoke::host_space)) use_host();
}

void face_store::use_host() {
  if (host_ != nullptr) return;
  if (devices_.empty()) {
    pageable_ = std::vector<double>(2 * total_);
    host_ = pageable_.data();
    return;
  }
  pinned_ = device_buffer{*devices_.front(), device_buffer::kind::pinned};
  pinned_.reserve(2 * total_ * sizeof(double), "the faces of all zones in pinned host memory");
  host_ = reinterpret_cast<double*>(pinned_.data());
}

int face_store::incoming(int zone, side s) const { return face_of(receiver(face_of(zone, s)), opposite(s)); }

double* face_store::host_slot(int face, moment at) const {
  return host_ + offset_of(at) + offsets_[static_cast<std::size_t>(face)];
}

void face_store::check_on_host(int face, moment at) const {
  if (record_of(face, at).on_host != at) {
    throw yoke::error{
        fmt::format("zone {} needs a face of zone {} in host memory, which is not there: the schedule told "
                    "the map of this "
                    "pass (plan_of) and did not keep to it, or changed the pieces in "
                    "which a GPU CU "
                    "gets its share",
                    receiver(face), zone_of_face(face))};
  }
}

const double* face_store::on_host(int face, moment at) const {
  check_on_host(face, at);
  return host_slot(face, at);
}

void face_store::set_on_host(int face, moment at) { record_of(face, at).on_host = at; }

double* face_store::device_slot(yoke::space_id space, int face, moment at) const {
  auto* base = reinterpret_cast<double*>(on_devices_[static_cast<std::size_t>(space - 1)].data());
  return base + offset_of(at) + offsets_[static_cast<std::size_t>(face)];
}

bool face_store::is_on_device(yoke::space_id space, int face, moment at) const {
  const record& r = record_of(face, at);
  return r.on_device == at && r.device == space;
}

void face_store::set_on_device(yoke::space_id space, int face, moment at) {
  record& r = record_of(face, at);
  r.on_device = at;
  r.device = space;
}

void face_store::use_device(yoke::space_id space) {
  const std::lock_guard guard{growing_};
  on_devices_[static_cast<std::size_t>(space - 1)].reserve(2 * total_ * sizeof(double),
                                                           "the faces of all zones");
}

std::vector<std::size_t> face_store::layout() const {
  std::vector<int> order(sizes_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](int face) {
    const face_route& route = route_of(face);
    return std::tuple{route.is_in_message(), route.giver, route.taker, face};
  };
  std::ranges::sort(order, {}, place);
  std::vector<std::size_t> offsets(sizes_.size());
  std::size_t next = 0;
  for (const int face : order) {
    offsets[static_cast<std::size_t>(face)] = next;
    next += size(face);
  }
  return offsets;
}

void face_store::plan(std::vector<yoke::unit_id> map) {
  routes_ = std::make_shared<const face_routes>(receivers_, units_, std::move(map), paths_);
  offsets_ = layout();
  for (int face = 0; face < std::ssize(sizes_); ++face)
    for (int from = 1; from <= std::ssize(on_devices_); ++from)
      // Also within one device: whoever makes a face may be on another one in the first step.
      if (goes_directly(face, yoke::space_id{from})) use_device(route_of(face).to);
  clear();
}

}  // namespace npb
