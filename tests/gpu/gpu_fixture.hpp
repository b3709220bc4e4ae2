#pragma once
/// Opens the GPUs of this machine for tests, once per process, and says why where there are none.

#include <cstring>
#include <memory>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/gpu.hpp>
#include <yoke/kernel.hpp>
#include <yoke/owned_handle.hpp>
#include <yoke/settings.hpp>

namespace gpu_tests {

inline const yoke::backend& built_backend() { return *yoke::find_backend(yoke::gpu::backend_name); }

/// Device `index`, nullptr (after saying why) where there are not so many.
inline std::unique_ptr<yoke::device> open_or_skip(int index = 0) {
  // A kernel loaded at its first launch might wait for one that waits for the test.
  yoke::detail::set_environment("CUDA_MODULE_LOADING", "EAGER");
  const yoke::backend& gpus = built_backend();
  std::string why;
  const int count = gpus.count(why);
  if (count <= index) {
    const bool none = count == 0;
    support::skip(none ? why : "needs " + std::to_string(index + 1) + " GPUs, found " + std::to_string(count),
                  none);
    return nullptr;
  }
  return gpus.open({.index = index});
}

/// A stream of its own.
class own_stream : public yoke::owned_stream {
 public:
  explicit own_stream(yoke::device& dev) : own_stream{dev, dev.create_stream()} {}
  own_stream(yoke::device& dev, yoke::stream_handle stream) : owned_handle{dev, stream} {}
};

/// `count` values in a device's memory.
template <class T>
class device_array {
 public:
  device_array(yoke::device& dev, std::size_t count)
      : device_{dev}, count_{count}, data_{static_cast<T*>(dev.allocate(count * sizeof(T)))} {
    REQUIRE(data_ != nullptr);
  }
  ~device_array() { device_.deallocate(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return data_; }
  yoke::device_ptr<T> pointer() const { return yoke::device_ptr<T>{data_}; }

  void write(yoke::stream_handle stream, const std::vector<T>& from) {
    device_.copy(stream, data_, from.data(), from.size() * sizeof(T), yoke::copy_kind::host_to_device);
    device_.synchronize(stream);
  }
  std::vector<T> read(yoke::stream_handle stream) const {
    std::vector<T> host(count_);
    device_.copy(stream, host.data(), data_, count_ * sizeof(T), yoke::copy_kind::device_to_host);
    device_.synchronize(stream);
    return host;
  }

 private:
  yoke::device& device_;
  std::size_t count_;
  T* data_;
};

/// Pinned host memory.
template <class T>
class pinned_array {
 public:
  pinned_array(yoke::device& dev, std::size_t count)
      : device_{dev}, data_{static_cast<T*>(dev.allocate_pinned(count * sizeof(T)))} {
    std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
  }
  ~pinned_array() { device_.deallocate_pinned(data_); }
  pinned_array(const pinned_array&) = delete;
  pinned_array& operator=(const pinned_array&) = delete;
  T* data() const { return data_; }

 private:
  yoke::device& device_;
  T* data_;
};

/// The message of the device_error that `call` throws; empty when it throws nothing.
template <class Call>
std::string device_error_of(Call call) {
  try {
    call();
  } catch (const yoke::device_error& error) {
    return error.what();
  }
  return {};
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gpu_tests
