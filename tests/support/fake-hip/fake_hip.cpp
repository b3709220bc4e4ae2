// Devices, memory and errors of the fake; streams and what runs on them are in fake_work.cpp.
#include "fake_state.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace fake_hip {

namespace {

thread_local hipError_t last_error = hipSuccess;

void read_environment(state& s) {
  const char* text = std::getenv("FAKE_HIP");
  if (text == nullptr) return;
  if (const char* k = std::strstr(text, "fail=")) s.failing = std::atoll(k + 5);
  if (const char* i = std::strstr(text, "busy=")) s.busy = std::atoi(i + 5);
  s.lost = std::strstr(text, "lost") != nullptr;
  s.skip_kernels = std::strstr(text, "skip-kernels") != nullptr;
  s.report = std::strstr(text, "report") != nullptr;
}

void at_the_end() {
  const state& s = all();
  if (s.report)
    std::fprintf(stderr, "[fake hip] calls %lld, launches %lld, shared memory of a block %zu, failed %s\n",
                 static_cast<long long>(s.calls), static_cast<long long>(s.launches), s.most_shared,
                 s.failed.c_str());
  const std::string left = left_behind();
  if (left.empty()) return;
  std::fprintf(stderr, "[fake hip] left behind: %s\n", left.c_str());
  std::fflush(nullptr);
  _exit(99);
}

bool is_device(int device) { return device >= 0 && device < all().n_devices; }

std::size_t used(int device) {
  std::size_t bytes = 0;
  for (const auto& [address, each] : all().device_memory) bytes += each.device == device ? each.bytes : 0;
  return bytes;
}

void* aligned(std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  if (rounded < bytes) return nullptr;  // went round
  void* address = std::aligned_alloc(alignment, rounded);
  // NaN among doubles, where a program is most likely to read what it has not written.
  if (address != nullptr) std::memset(address, 0xff, std::min<std::size_t>(rounded, 1 << 16));
  return address;
}

}  // namespace

state& all() {
  static state* const the = [] {
    auto* made = new state;
    read_environment(*made);
    std::atexit(at_the_end);
    return made;
  }();
  return *the;
}

int& current_device() {
  thread_local int device = 0;
  return device;
}

hipError_t remember(hipError_t code) {
  if (code != hipSuccess) last_error = code;
  return code;
}

hipError_t due(const char* name) {
  state& s = all();
  const std::lock_guard lock{s.mutex};
  ++s.calls;
  const bool now = s.failing > 0 && (s.lost ? s.calls >= s.failing : s.calls == s.failing);
  if (now && s.failed.empty()) s.failed = name;
  return now ? s.code : hipSuccess;
}

void fail_call(std::int64_t k, bool lost, hipError_t code) {
  state& s = all();
  const std::lock_guard lock{s.mutex};
  s.calls = 0;
  s.failing = k;
  s.lost = lost;
  s.code = code;
  s.failed.clear();
}

std::int64_t calls() {
  const std::lock_guard lock{all().mutex};
  return all().calls;
}

std::string failed_call() {
  const std::lock_guard lock{all().mutex};
  return all().failed;
}

void set_device_count(int n) { all().n_devices = n; }
void set_busy(int device) { all().busy = device; }

std::string left_behind() {
  const state& s = all();
  std::string words;
  const auto add = [&](std::size_t n, const char* what) {
    if (n > 0) words += (words.empty() ? "" : ", ") + std::to_string(n) + " " + what;
  };
  add(s.device_memory.size(), "allocations");
  add(s.pinned.size(), "pinned allocations");
  add(s.registered.size(), "registrations of host memory");
  add(s.streams.size(), "streams");
  add(s.events.size(), "events");
  add(s.graphs.size(), "graphs");
  add(s.ready_graphs.size(), "graphs made ready");
  return words;
}

}  // namespace fake_hip

using namespace fake_hip;

extern "C" {

const char* hipGetErrorName(hipError_t code) {
  switch (code) {
    case hipSuccess:
      return "hipSuccess";
    case hipErrorInvalidValue:
      return "hipErrorInvalidValue";
    case hipErrorOutOfMemory:
      return "hipErrorOutOfMemory";
    case hipErrorNoDevice:
      return "hipErrorNoDevice";
    case hipErrorInvalidDevice:
      return "hipErrorInvalidDevice";
    case hipErrorContextAlreadyInUse:
      return "hipErrorContextAlreadyInUse";
    case hipErrorNotReady:
      return "hipErrorNotReady";
    case hipErrorPeerAccessAlreadyEnabled:
      return "hipErrorPeerAccessAlreadyEnabled";
    case hipErrorHostMemoryAlreadyRegistered:
      return "hipErrorHostMemoryAlreadyRegistered";
    case hipErrorHostMemoryNotRegistered:
      return "hipErrorHostMemoryNotRegistered";
    case hipErrorLaunchFailure:
      return "hipErrorLaunchFailure";
    case hipErrorStreamCaptureUnsupported:
      return "hipErrorStreamCaptureUnsupported";
    case hipErrorStreamCaptureInvalidated:
      return "hipErrorStreamCaptureInvalidated";
    default:
      return "hipErrorUnknown";
  }
}

const char* hipGetErrorString(hipError_t) { return "as the fake says"; }

hipError_t hipGetLastError() {
  const hipError_t code = last_error;
  last_error = hipSuccess;
  return code;
}

hipError_t hipGetDeviceCount(int* count) {
  return call("hipGetDeviceCount", [&] {
    *count = all().n_devices;
    return *count > 0 ? hipSuccess : hipErrorNoDevice;
  });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  return call("hipGetDeviceProperties", [&] {
    if (!is_device(device)) return hipErrorInvalidDevice;
    *properties = {};
    std::strcpy(properties->name, "a GPU that is made up");
    properties->totalGlobalMem = memory;
    properties->sharedMemPerBlock = shared_memory;
    properties->maxSharedMemoryPerMultiProcessor = shared_memory;
    properties->multiProcessorCount = 60;
    std::strcpy(properties->gcnArchName, "gfx906:sramecc+:xnack-");
    return hipSuccess;
  });
}

hipError_t hipGetDevice(int* device) {
  return call("hipGetDevice", [&] {
    *device = current_device();
    return hipSuccess;
  });
}

hipError_t hipSetDevice(int device) {
  return call("hipSetDevice", [&] {
    if (!is_device(device)) return hipErrorInvalidDevice;
    if (device == all().busy) return hipErrorContextAlreadyInUse;
    current_device() = device;
    return hipSuccess;
  });
}

hipError_t hipDeviceCanAccessPeer(int* possible, int device, int peer) {
  return call("hipDeviceCanAccessPeer", [&] {
    if (!is_device(device) || !is_device(peer)) return hipErrorInvalidDevice;
    *possible = device != peer;
    return hipSuccess;
  });
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned) {
  return call("hipDeviceEnablePeerAccess", [&] {
    static std::set<std::pair<int, int>> enabled;
    const std::lock_guard lock{all().mutex};
    return enabled.emplace(current_device(), peer).second ? hipSuccess : hipErrorPeerAccessAlreadyEnabled;
  });
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr, int device, int peer) {
  return call("hipDeviceGetP2PAttribute", [&] {
    if (!is_device(device) || !is_device(peer) || device == peer) return hipErrorInvalidDevice;
    *value = 1;
    return hipSuccess;
  });
}

hipError_t hipMalloc(void** address, std::size_t bytes) {
  return call("hipMalloc", [&] {
    const std::lock_guard lock{all().mutex};
    if (bytes > memory - used(current_device())) return hipErrorOutOfMemory;
    *address = aligned(bytes);
    if (*address == nullptr) return hipErrorOutOfMemory;
    all().device_memory[reinterpret_cast<std::uintptr_t>(*address)] = {bytes, current_device()};
    return hipSuccess;
  });
}

hipError_t hipFree(void* address) {
  return release("hipFree", [&] {
    wait_for_streams(-1);  // as HIP does
    const std::lock_guard lock{all().mutex};
    if (all().device_memory.erase(reinterpret_cast<std::uintptr_t>(address)) == 0)
      return hipErrorInvalidValue;
    std::free(address);
    return hipSuccess;
  });
}

hipError_t hipHostMalloc(void** address, std::size_t bytes, unsigned) {
  return call("hipHostMalloc", [&] {
    const std::lock_guard lock{all().mutex};
    *address = aligned(bytes);
    if (*address == nullptr) return hipErrorOutOfMemory;
    all().pinned[reinterpret_cast<std::uintptr_t>(*address)] = bytes;
    return hipSuccess;
  });
}

hipError_t hipHostFree(void* address) {
  return release("hipHostFree", [&] {
    wait_for_streams(-1);  // as HIP does
    const std::lock_guard lock{all().mutex};
    if (all().pinned.erase(reinterpret_cast<std::uintptr_t>(address)) == 0) return hipErrorInvalidValue;
    std::free(address);
    return hipSuccess;
  });
}

hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total) {
  return call("hipMemGetInfo", [&] {
    const std::lock_guard lock{all().mutex};
    *free = memory - used(current_device());
    *total = memory;
    return hipSuccess;
  });
}

}  // extern "C"
