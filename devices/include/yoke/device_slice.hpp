// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What slices of devices are made from.

#include <yoke/device_list.hpp>
#include <yoke/forwarding_device.hpp>

namespace yoke {

/// Some processors of a device. What runs on them is what is queued on streams that the slice has made;
/// memory, copies, events and graphs are those of the whole. All slices of a device come from one split:
/// backend::split, for `cuda:0/4` or `cuda:0@32`. info() has the processors granted and their share.
class device_slice : public forwarding_device {
 public:
  /// `whole` must live longer. `share`: of the whole's processors.
  device_slice(device& whole, const device_request& request, int processors, double share)
      : forwarding_device{whole}, info_{whole.info()} {
    info_.name = name_of(request);
    info_.processors = processors;
    info_.share = share;
  }

  const device_info& info() const final { return info_; }
  /// One whose work runs on these processors, whichever of the slice and the whole it is handed to.
  stream_handle make_stream(stream_kind kind) override = 0;

 private:
  device_info info_;
};

}  // namespace yoke
