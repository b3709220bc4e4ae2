#pragma once
/// What the tests of the emulated device share.

#include <memory>

#include <yoke/emulated.hpp>

namespace conformance {

/// An emulated device with a stream.
struct fixture {
  std::unique_ptr<yoke::emulated_device> device;
  yoke::stream_handle stream;

  explicit fixture(const yoke::emulated_options& options = {.memory = 1 << 20})
      : device{yoke::make_emulated_device(0, options)}, stream{device->create_stream()} {}
  double* make(std::size_t n) const { return static_cast<double*>(device->allocate(n * sizeof(double))); }
};

/// Launches a host function as a kernel of one item.
template <class Body>
void launch_body(yoke::device& dev, yoke::stream_handle stream, const Body& body) {
  const Body* address = &body;
  dev.launch(stream,
             {.name = "body",
              .items = {.x = 1},
              .host_entry = [](const void* arguments,
                               const yoke::item_range&) { (**static_cast<const Body* const*>(arguments))(); },
              .arguments = &address,
              .argument_bytes = sizeof address});
}

}  // namespace conformance
