#pragma once
/// A record of what each compute unit did, in the Trace Event format that Perfetto and chrome://tracing open.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/clock.hpp>

namespace yoke {

/// Collects spans per track. Each track is written by one thread at a time; tracks are independent, so
/// recording takes no lock. `name` and `category` must outlive the recorder (string literals).
class trace_recorder {
 public:
  /// One track per name, shown in that order.
  explicit trace_recorder(std::vector<std::string> track_names);
  ~trace_recorder();
  trace_recorder(const trace_recorder&) = delete;
  trace_recorder& operator=(const trace_recorder&) = delete;

  /// `value` is shown as the argument `argument` of the span: a task number, a byte count.
  void span(int track, const char* category, const char* name, ticks from, ticks to,
            const char* argument = nullptr, std::int64_t value = 0);

  /// {"traceEvents":[…]}: microseconds since the recorder was made.
  std::string json() const;
  /// Errors: config_error naming the path when it cannot be written.
  void write(const std::string& path) const;

 private:
  struct track;
  std::vector<std::unique_ptr<track>> tracks_;
  ticks start_;
};

}  // namespace yoke
