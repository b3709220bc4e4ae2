#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <new>

#include <yoke/error.hpp>
#include <yoke/output_file.hpp>
#include <yoke/text.hpp>
#include <yoke/trace.hpp>

namespace yoke {

namespace {

struct recorded_span {
  const char* category;
  std::string name;
  ticks from;
  ticks to;
  trace_arguments arguments;
};

/// A span in nanoseconds since the recorder was made: rounded once, so that spans which nest still do.
struct shown_span {
  std::int64_t from;
  std::int64_t to;
  const recorded_span* recorded;
};

using sink = std::back_insert_iterator<fmt::memory_buffer>;

std::string in_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : detail::valid_text(text)) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// JSON has no other numbers.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

/// In order of their beginning, a span before those inside it.
std::vector<shown_span> in_order(const std::vector<recorded_span>& spans, ticks start) {
  const auto nanoseconds = [&](ticks at) { return std::llround(elapsed(start, at) * 1e9); };
  std::vector<shown_span> shown;
  for (const recorded_span& span : spans)
    shown.push_back({nanoseconds(span.from), nanoseconds(std::max(span.from, span.to)), &span});
  std::ranges::sort(shown, [](const shown_span& a, const shown_span& b) {
    return a.from != b.from ? a.from < b.from : a.to > b.to;
  });
  return shown;
}

/// Spans of one track, and when those end that the next one may be inside of.
struct lane {
  std::vector<shown_span> spans;
  std::vector<std::int64_t> open_until;

  bool takes(const shown_span& span) {
    while (!open_until.empty() && open_until.back() <= span.from) open_until.pop_back();
    if (!open_until.empty() && open_until.back() < span.to) return false;
    open_until.push_back(span.to);
    spans.push_back(span);
    return true;
  }
};

/// As few lanes as it takes, one at least.
std::vector<lane> in_lanes(const std::vector<shown_span>& spans) {
  std::vector<lane> lanes(1);
  for (const shown_span& span : spans) {
    if (std::ranges::any_of(lanes, [&](lane& one) { return one.takes(span); })) continue;
    lanes.emplace_back().takes(span);
  }
  return lanes;
}

void print_metadata(sink to, std::size_t tid, const char* name, const std::string& arguments) {
  fmt::format_to(to, "\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{},\"name\":\"{}\",\"args\":{{{}}}}},", tid, name,
                 arguments);
}

void print_span(sink to, std::size_t tid, const shown_span& shown) {
  const recorded_span& span = *shown.recorded;
  fmt::format_to(to, "\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"cat\":{},\"name\":{},\"ts\":{}.{:03}", tid,
                 in_json(span.category), in_json(span.name), shown.from / 1000, shown.from % 1000);
  const std::int64_t length = shown.to - shown.from;
  fmt::format_to(to, ",\"dur\":{}.{:03},\"args\":{{", length / 1000, length % 1000);
  const char* separator = "";
  for (const trace_argument& argument : span.arguments) {
    if (argument.name == nullptr) continue;
    fmt::format_to(to, "{}{}:{}", separator, in_json(argument.name), number(argument.value));
    separator = ",";
  }
  fmt::format_to(to, "}}}},");
}

}  // namespace

struct trace_recorder::track {
  std::string name;
  std::mutex lock{};
  std::vector<recorded_span> spans{};
};

trace_recorder::trace_recorder(std::vector<std::string> track_names) : start_{now()} {
  for (std::string& name : track_names) tracks_.push_back(std::make_unique<track>(std::move(name)));
}

trace_recorder::~trace_recorder() = default;

void trace_recorder::span(int track, const char* category, std::string_view name, ticks from, ticks to,
                          const trace_arguments& arguments) {
  YOKE_ASSERT(track >= 0 && static_cast<std::size_t>(track) < tracks_.size(), "no such trace track");
  trace_recorder::track& of = *tracks_[static_cast<std::size_t>(track)];
  const std::lock_guard lock{of.lock};
  try {
    of.spans.push_back({category, std::string{name}, from, to, arguments});
  } catch (const std::bad_alloc&) {
    lost_.fetch_add(1, std::memory_order_relaxed);
  }
}

std::string trace_recorder::json() const {
  fmt::memory_buffer out;
  const sink to = std::back_inserter(out);
  fmt::format_to(to, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  std::size_t tid = 0;
  for (const auto& track : tracks_) {
    const std::lock_guard lock{track->lock};
    std::string name = track->name;
    int number = 1;
    for (const lane& one : in_lanes(in_order(track->spans, start_))) {
      print_metadata(to, tid, "thread_name", "\"name\":" + in_json(name));
      print_metadata(to, tid, "thread_sort_index", fmt::format("\"sort_index\":{}", tid));
      for (const shown_span& span : one.spans) print_span(to, tid, span);
      name = fmt::format("{} ({})", track->name, ++number);
      ++tid;
    }
  }
  // Last, because no comma follows it.
  fmt::format_to(to,
                 "\n{{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{{\"name\":"
                 "\"yoke\"}}}}\n]}}\n");
  return fmt::to_string(out);
}

std::size_t trace_recorder::lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

void trace_recorder::write(const std::string& path) const {
  detail::output_file file{path};
  write(file);
}

void trace_recorder::write(detail::output_file& to) const {
  const std::string path = detail::printable(to.path());
  int problem = 0;
  try {
    problem = to.write(json());
  } catch (const std::bad_alloc&) {
    throw out_of_memory{fmt::format("cannot write the trace to {}: there is no memory for its text", path), 0,
                        0};
  }
  if (problem != 0)
    throw config_error{fmt::format("cannot write the trace to {}: {}", path, std::strerror(problem))};
  if (lost() > 0)
    throw out_of_memory{
        fmt::format("the trace in {} lacks {} events, for which there was no memory; give more, or trace a "
                    "shorter run",
                    path, lost()),
        0, 0};
}

}  // namespace yoke
