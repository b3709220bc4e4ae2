#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include <yoke/descriptor.hpp>
#include <yoke/error.hpp>
#include <yoke/trace.hpp>

namespace yoke {

namespace {

struct recorded_span {
  const char* category;
  const char* name;
  ticks from;
  ticks to;
  const char* argument;
  std::int64_t value;
};

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
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

}  // namespace

struct trace_recorder::track {
  std::string name;
  std::vector<recorded_span> spans;
};

trace_recorder::trace_recorder(std::vector<std::string> track_names) : start_{now()} {
  for (std::string& name : track_names) tracks_.push_back(std::make_unique<track>(std::move(name)));
}

trace_recorder::~trace_recorder() = default;

void trace_recorder::span(int track, const char* category, const char* name, ticks from, ticks to,
                          const char* argument, std::int64_t value) {
  YOKE_ASSERT(track >= 0 && static_cast<std::size_t>(track) < tracks_.size(), "no such trace track");
  tracks_[static_cast<std::size_t>(track)]->spans.push_back({category, name, from, to, argument, value});
}

std::string trace_recorder::json() const {
  fmt::memory_buffer out;
  auto to = std::back_inserter(out);
  const char* separator = "";
  fmt::format_to(to, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  const auto metadata = [&](std::size_t tid, const char* name, const std::string& arguments) {
    fmt::format_to(to, "{}\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{},\"name\":\"{}\",\"args\":{{{}}}}}", separator,
                   tid, name, arguments);
    separator = ",";
  };
  metadata(0, "process_name", "\"name\":\"yoke\"");
  for (std::size_t tid = 0; tid < tracks_.size(); ++tid) {
    metadata(tid, "thread_name", "\"name\":" + quoted(tracks_[tid]->name));
    metadata(tid, "thread_sort_index", fmt::format("\"sort_index\":{}", tid));
    for (const recorded_span& span : tracks_[tid]->spans) {
      fmt::format_to(
          to, ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"cat\":{},\"name\":{},\"ts\":{:.3f},\"dur\":{:.3f}",
          tid, quoted(span.category), quoted(span.name), elapsed(start_, span.from) * 1e6,
          elapsed(span.from, span.to) * 1e6);
      if (span.argument != nullptr) {
        fmt::format_to(to, ",\"args\":{{{}:{}}}", quoted(span.argument), span.value);
      }
      out.push_back('}');
    }
  }
  fmt::format_to(to, "\n]}}\n");
  return fmt::to_string(out);
}

void trace_recorder::write(const std::string& path) const {
  const std::string text = json();
  const auto refuse = [&](int code) {
    throw config_error{fmt::format("cannot write the trace to {}: {}", path, std::strerror(code))};
  };
  const int descriptor =
      detail::above_standard_streams(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (descriptor < 0) refuse(errno);
  std::FILE* file = fdopen(descriptor, "w");
  if (file == nullptr) refuse(errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) refuse(write_error);
  if (!closed) refuse(errno);
}

}  // namespace yoke
