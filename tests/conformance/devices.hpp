#pragma once
/// The devices that the conformance suite runs against: the first one of every backend that is usable here, a
/// slice of it, one of two memory spaces on it, and the wrapper of the tests around it.

#include <memory>
#include <string>
#include <vector>

#include <yoke/device.hpp>

namespace conformance {

/// Names of the backends with a usable device, and "NAME/2" for a slice of one, "NAME*2" for a memory space
/// on one, "NAME+failing" for one in a wrapper that was not told to fail; the first call says which are
/// skipped and why.
const std::vector<std::string>& usable_backends();
std::unique_ptr<yoke::device> open_device(const std::string& backend, int index = 0);
/// Null, after saying so, where there is one only.
std::unique_ptr<yoke::device> open_second_device(const std::string& backend);

/// Work at the head of a stream that does not end before release is called, whatever the device.
class blocker {
 public:
  blocker(yoke::device& dev, yoke::stream_handle stream);
  ~blocker();
  blocker(const blocker&) = delete;
  blocker& operator=(const blocker&) = delete;
  void release();

 private:
  struct state;
  yoke::device& device_;
  std::unique_ptr<state> state_;
};

}  // namespace conformance
