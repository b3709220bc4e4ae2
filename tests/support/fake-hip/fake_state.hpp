#pragma once
/// What the calls of the fake share.

#include "fake_hip.hpp"
#include "fake_stream.hpp"

#include <hip/hip_runtime_api.h>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace fake_hip {

struct block {
  std::size_t bytes;
  int device;
};

struct state {
  std::mutex mutex{};
  int n_devices = 2;
  int busy = -1;
  std::int64_t calls = 0;
  std::int64_t failing = 0;
  bool lost = false;
  hipError_t code = hipErrorLaunchFailure;
  std::string failed{};
  bool skip_kernels = false;
  bool report = false;
  std::int64_t launches = 0;
  std::size_t most_shared = 0;

  std::map<std::uintptr_t, block> device_memory{};
  std::map<std::uintptr_t, std::size_t> pinned{};
  std::map<std::uintptr_t, std::size_t> registered{};  ///< whole pages
  std::set<hipStream_t> streams{};
  std::set<hipEvent_t> events{};
  std::set<hipGraph_t> graphs{};
  std::set<hipGraphExec_t> ready_graphs{};
};

/// Outlives all static objects of the program.
state& all();
/// Counts a call; what it shall fail with, hipSuccess if it shall not.
hipError_t due(const char* name);
/// Remembers the error for hipGetLastError, and returns it.
hipError_t remember(hipError_t code);
int& current_device();
/// Waits for all work of the device; of all devices: -1.
void wait_for_streams(int device);

/// A call that does nothing when it fails.
template <class Do>
hipError_t call(const char* name, const Do& act) {
  if (const hipError_t code = due(name); code != hipSuccess) return remember(code);
  return remember(act());
}
/// A call that gives something back, or waits: it does so even when it fails, as when it reports an earlier
/// error.
template <class Do>
hipError_t release(const char* name, const Do& act) {
  const hipError_t reported = due(name);
  const hipError_t code = act();
  return remember(reported != hipSuccess ? reported : code);
}

/// Under the lock: makes a Thing and puts it into `things`.
template <class Thing>
hipError_t make(std::set<Thing*>& things, Thing** made, Thing* thing) {
  const std::lock_guard lock{all().mutex};
  *made = *things.insert(thing).first;
  return hipSuccess;
}
/// Ends one that exists.
template <class Thing>
hipError_t end(std::set<Thing*>& things, Thing* thing) {
  {
    const std::lock_guard lock{all().mutex};
    if (things.erase(thing) == 0) return hipErrorInvalidValue;
  }
  delete thing;
  return hipSuccess;
}
template <class Thing>
bool exists(const std::set<Thing*>& things, Thing* thing) {
  const std::lock_guard lock{all().mutex};
  return things.contains(thing);
}

/// Whether the stream exists.
inline hipError_t check(hipStream_t stream) {
  return exists(all().streams, stream) ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace fake_hip
