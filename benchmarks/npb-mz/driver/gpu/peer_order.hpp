#pragma once
/// The order between a GPU CU's share and those on other devices that give it faces directly: devices wait
/// for each other, and threads for what is announced.

#include "device_work.hpp"

#include <array>
#include <span>

namespace npb {

class peer_order {
 public:
  explicit peer_order(device_work& work);

  /// Whether the faces of these are there, or under way to here; zones of theirs are through with the step
  /// before.
  bool have_faces(std::span<const peer> peers, moment at) const;
  /// What the stream gets from here on begins behind these faces. Those of whom nothing is announced have
  /// been waited for by the host.
  void hold_up(yoke::stream_handle stream, std::span<const peer> peers, moment at) const;
  /// From here on other devices may be told to wait for what the stream has by now, the faces of this moment.
  void announce(yoke::stream_handle stream, moment at);
  /// What was announced last of such a moment, even or odd.
  const stream_mark& gone(moment at) const { return gone_[static_cast<std::size_t>(at.parity())]; }

 private:
  const device_work& work_;
  std::array<stream_mark, 2> gone_;  ///< behind the copies to other devices, by parity
};

}  // namespace npb
