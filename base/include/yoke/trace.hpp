// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A record of what each compute unit did, in the Trace Event format that Perfetto and chrome://tracing open.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/clock.hpp>

namespace yoke {

namespace detail {
class output_file;
}

/// What a span says beside its name: a pass, a task, its weight, a byte count. Without a name: nothing.
struct trace_argument {
  const char* name = nullptr;
  double value = 0;
};
/// Those of a span; unused ones stay without a name.
using trace_arguments = std::array<trace_argument, 4>;

/// Collects spans per track. Thread-safe; a track has a lock of its own, which nobody else wants as long as
/// the track is one thread's. A span never fails for want of memory, so that a run goes on without it:
/// `write` tells. `category` and the names of arguments must outlive the recorder (string literals).
class trace_recorder {
 public:
  /// One track per name, shown in that order.
  explicit trace_recorder(std::vector<std::string> track_names);
  ~trace_recorder();
  trace_recorder(const trace_recorder&) = delete;
  trace_recorder& operator=(const trace_recorder&) = delete;

  void span(int track, const char* category, std::string_view name, ticks from, ticks to,
            const trace_arguments& arguments = {});

  /// {"traceEvents":[…]}: microseconds since the recorder was made. On one track spans are disjoint or inside
  /// each other, as Perfetto wants it: a track that several threads write to is shown as several, "name",
  /// "name (2)", ….
  std::string json() const;
  /// Spans for which there was no memory. They are missing in the trace.
  std::size_t lost() const noexcept;
  /// Errors: config_error naming the path when it cannot be written; out_of_memory, naming it too, where
  /// there is no memory for the text, or spans are missing in what was written.
  void write(const std::string& path) const;
  void write(detail::output_file& to) const;

 private:
  struct track;
  std::vector<std::unique_ptr<track>> tracks_;
  ticks start_;
  std::atomic<std::size_t> lost_{0};
};

}  // namespace yoke
