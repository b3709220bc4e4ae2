#pragma once
/// Green contexts: some SMs of a GPU as the driver deals them out.

#include <memory>
#include <string>
#include <vector>

#include <yoke/gpu.hpp>

namespace yoke::gpu {

/// The driver's functions, found at run time: a program that is linked with the driver does not start without
/// one.
struct driver_entries;

/// Equal groups of SMs that come from one split of a GPU.
class sm_groups {
 public:
  /// `at_least` of them, as large as they can be then; as small as the driver makes them where it does not
  /// make so many, or `at_least` is 0. `name` is for messages. Errors: device_error, also from a driver that
  /// has no green contexts.
  sm_groups(int ordinal, std::string name, int at_least);
  ~sm_groups();
  sm_groups(const sm_groups&) = delete;
  sm_groups& operator=(const sm_groups&) = delete;

  int size() const;
  int sms_in_group() const;

 private:
  friend class green_context;
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Streams on some of the groups. Outlived by none of its streams.
class green_context {
 public:
  /// Of the `n` groups from the `first`. Errors: device_error.
  green_context(const sm_groups& groups, int first, int n);
  ~green_context();
  green_context(const green_context&) = delete;
  green_context& operator=(const green_context&) = delete;

  /// As the driver has granted them.
  int sms() const { return sms_; }
  /// `priority` as the vendor counts it. Errors: device_error.
  stream make_stream(int priority) const;

 private:
  const driver_entries& driver_;
  std::string name_;
  void* context_ = nullptr;
  int sms_ = 0;
};

}  // namespace yoke::gpu
