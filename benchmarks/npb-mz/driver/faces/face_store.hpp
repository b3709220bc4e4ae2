#pragma once
/// Where the faces are: a slot for every face and parity of the step, in host memory and on each device.

#include "device_buffer.hpp"
#include "faces.hpp"
#include "moment.hpp"
#include "routes.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <yoke/device.hpp>
#include <yoke/ids.hpp>
#include <yoke/schedule.hpp>

namespace npb {

/// The faces of a problem. A face is written for step s+1 by whoever has run its zone in step s, into the
/// slots of parity (s+1) mod 2, before the zone is published; it is read by the neighbour at the start of
/// step s+1.
///
/// Two parities are enough: the slot of face f (of zone z, for neighbour n) for step s+1 held the face for
/// s-1. Zone z writes it at the end of its step s, which it began after n was published for s, that is,
/// after n had finished step s-1 and with it the reading of the slot. This holds because the neighbourhood
/// is symmetric and because a slot belongs to one face for as long as units run: a layout changes in plan()
/// only.
class face_store {
 public:
  /// `devices[s-1]` is the device of space s; `units` are those that may run zones.
  face_store(const problem& what, std::span<yoke::device* const> devices, std::span<const yoke::unit> units,
             face_paths by = {});

  std::size_t size(int face) const { return sizes_[static_cast<std::size_t>(face)]; }
  /// The zone that receives `face`.
  int receiver(int face) const { return receivers_[static_cast<std::size_t>(face)]; }
  /// The face that `zone` receives at `s`.
  int incoming(int zone, side s) const;

  /// Where the face at a moment is in host memory, when it is; the memory is there after use_host, and from
  /// the beginning unless all units are on one device.
  double* host_slot(int face, moment at) const;
  /// Allocates the slots in host memory. Only while no unit runs.
  void use_host();
  /// The face at a moment in host memory.
  /// Errors: yoke::error when it is not there (the schedule told a map that it did not keep to).
  const double* on_host(int face, moment at) const;
  void check_on_host(int face, moment at) const;
  void set_on_host(int face, moment at);

  /// The slot on the device of `space`; memory is there after use_device.
  double* device_slot(yoke::space_id space, int face, moment at) const;
  bool is_on_device(yoke::space_id space, int face, moment at) const;
  void set_on_device(yoke::space_id space, int face, moment at);
  /// Allocates the slots on a device, once for all of its CUs. Thread-safe. Errors: out_of_memory.
  void use_device(yoke::space_id space);

  /// From now on every zone stays with its unit of `map`: faces of one message then lie side by side, in host
  /// memory and on devices, and slots are there on devices that others write to. An empty map: anything may
  /// happen. No face is there then. Only while no unit runs. Errors: out_of_memory.
  void plan(std::vector<yoke::unit_id> map);
  const face_route& route_of(int face) const { return routes_->of(face); }
  /// How a face leaves the device of `space`, where a batch of the CU makes it.
  bool goes_directly(int face, yoke::space_id space) const {
    return routes_->goes_directly(route_of(face), space);
  }
  bool goes_through_host(int face, yoke::space_id space) const {
    return routes_->goes_through_host(route_of(face), space);
  }
  /// Another object after each call of plan().
  const std::shared_ptr<const face_routes>& routes() const { return routes_; }
  /// No face is there. Only while no unit runs.
  void clear() { ++generation_; }
  /// The beginning of `step`, now that faces were last cleared.
  moment moment_of(int step) const { return {generation_, step}; }

 private:
  struct record {
    moment on_host, on_device;  ///< when it was last there
    yoke::space_id device{};
  };
  const record& record_of(int face, moment at) const {
    return records_[at.parity()][static_cast<std::size_t>(face)];
  }
  record& record_of(int face, moment at) { return records_[at.parity()][static_cast<std::size_t>(face)]; }
  std::size_t offset_of(moment at) const { return at.parity() == 0 ? 0 : total_; }
  std::vector<std::size_t> layout() const;

  std::vector<yoke::device*> devices_;
  std::vector<std::size_t> sizes_;
  std::vector<int> receivers_;
  std::vector<std::size_t> offsets_;  ///< by face, in every space; those of one message follow each other
  std::size_t total_ = 0;
  std::vector<record> records_[2];
  device_buffer pinned_;
  std::vector<double> pageable_;  ///< where there is no device
  double* host_ = nullptr;
  std::vector<device_buffer> on_devices_;
  std::mutex growing_;  ///< of those
  std::vector<yoke::unit> units_;
  face_paths paths_;
  std::shared_ptr<const face_routes> routes_;
  long generation_ = 0;
};

}  // namespace npb
