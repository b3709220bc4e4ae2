#include "green_contexts.hpp"

#include <algorithm>
#include <cudaTypedefs.h>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace yoke::gpu {

struct driver_entries {
  PFN_cuDeviceGet_v2000 device_get = nullptr;
  PFN_cuDeviceGetDevResource_v12040 device_resource = nullptr;
  PFN_cuDevSmResourceSplitByCount_v12040 split = nullptr;
  PFN_cuDevResourceGenerateDesc_v12040 describe = nullptr;
  PFN_cuGreenCtxCreate_v12040 create = nullptr;
  PFN_cuGreenCtxDestroy_v12040 destroy = nullptr;
  PFN_cuGreenCtxGetDevResource_v12040 granted = nullptr;
  PFN_cuGreenCtxStreamCreate_v12050 make_stream = nullptr;
};

struct sm_groups::parts {
  parts(const driver_entries& entries, std::string of) : driver{entries}, name{std::move(of)} {}

  const driver_entries& driver;
  std::string name;
  CUdevice device{};
  std::vector<CUdevResource> groups;
};

namespace {

/// Nobody can do anything about a context that cannot be given back; the driver keeps no last error.
void forget(CUresult /*code*/) {}

/// The first version that has all of them.
constexpr unsigned version_of_entries = 12050;

template <class Function>
void find(Function& entry, const char* symbol) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  const error code =
      cudaGetDriverEntryPointByVersion(symbol, &found, version_of_entries, cudaEnableDefault, &result);
  check(code, [&] { return fmt::format("asking the driver for {}", symbol); });
  if (result != cudaDriverEntryPointSuccess || found == nullptr)
    throw device_error{
        fmt::format("the driver has no {}: slices of a GPU need one for CUDA 12.5 or newer", symbol),
        device_failure::refused};
  entry = reinterpret_cast<Function>(found);
}

driver_entries find_all() {
  driver_entries all;
  find(all.device_get, "cuDeviceGet");
  find(all.device_resource, "cuDeviceGetDevResource");
  find(all.split, "cuDevSmResourceSplitByCount");
  find(all.describe, "cuDevResourceGenerateDesc");
  find(all.create, "cuGreenCtxCreate");
  find(all.destroy, "cuGreenCtxDestroy");
  find(all.granted, "cuGreenCtxGetDevResource");
  find(all.make_stream, "cuGreenCtxStreamCreate");
  return all;
}

const driver_entries& driver() {
  static const driver_entries all = find_all();
  return all;
}

/// The runtime's codes are the driver's.
void require(CUresult code, std::string_view intent, std::string_view device) {
  check(static_cast<error>(code), [&] { return fmt::format("{} of {}", intent, device); });
}

}  // namespace

sm_groups::sm_groups(int ordinal, std::string name, int at_least)
    : parts_{std::make_unique<parts>(driver(), std::move(name))} {
  parts& my = *parts_;
  CUdevResource all{};
  require(my.driver.device_get(&my.device, ordinal), "finding the driver's number", my.name);
  require(my.driver.device_resource(my.device, &all, CU_DEV_RESOURCE_TYPE_SM), "asking for the SMs", my.name);
  const auto count = [&](unsigned sms) {
    unsigned n = 0;
    require(my.driver.split(nullptr, &n, &all, nullptr, 0, sms), "counting the groups of SMs", my.name);
    return n;
  };
  const auto wanted = static_cast<unsigned>(at_least);
  unsigned sms = wanted > 0 ? std::max(all.sm.smCount / wanted, 1U) : 1;
  while (sms > 1 && count(sms) < wanted) --sms;
  unsigned n = count(sms);
  my.groups.resize(n);
  require(my.driver.split(my.groups.data(), &n, &all, nullptr, 0, sms), "splitting the SMs", my.name);
  my.groups.resize(n);
}

sm_groups::~sm_groups() = default;

int sm_groups::size() const { return static_cast<int>(parts_->groups.size()); }

int sm_groups::sms_in_group() const {
  return parts_->groups.empty() ? 0 : static_cast<int>(parts_->groups.front().sm.smCount);
}

green_context::green_context(const sm_groups& groups, int first, int n)
    : driver_{groups.parts_->driver}, name_{groups.parts_->name} {
  CUdevResourceDesc description{};
  CUgreenCtx made{};
  CUdevResource granted{};
  require(driver_.describe(&description, &groups.parts_->groups[static_cast<std::size_t>(first)],
                           static_cast<unsigned>(n)),
          "describing some SMs", name_);
  require(driver_.create(&made, description, groups.parts_->device, CU_GREEN_CTX_DEFAULT_STREAM),
          "making a green context on some SMs", name_);
  context_ = made;
  try {
    require(driver_.granted(made, &granted, CU_DEV_RESOURCE_TYPE_SM), "asking for the SMs of a slice", name_);
  } catch (...) {  // no destructor runs for an object that was not made
    forget(driver_.destroy(made));
    throw;
  }
  sms_ = static_cast<int>(granted.sm.smCount);
}

green_context::~green_context() { forget(driver_.destroy(static_cast<CUgreenCtx>(context_))); }

stream green_context::make_stream(int priority) const {
  CUstream made{};
  require(driver_.make_stream(&made, static_cast<CUgreenCtx>(context_), CU_STREAM_NON_BLOCKING, priority),
          "creating a stream on a slice", name_);
  return made;
}

}  // namespace yoke::gpu
