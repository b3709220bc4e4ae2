#include "program.hpp"

#include <fmt/format.h>

namespace program {

std::string text_of(const step& of) {
  const auto work = [&](const char* name) {
    return fmt::format("{} piece {} in memory {} on stream {}", name, of.p, of.to, of.s);
  };
  const auto memory = [&](const char* name) {
    return fmt::format("{} piece {} in memory {}", name, of.p, of.to);
  };
  switch (of.what) {
    case step::write:
      return work("write");
    case step::read:
      return work("read");
    case step::copy:
      return fmt::format("copy piece {} from memory {} to {} on stream {}", of.p, of.from, of.to, of.s);
    case step::end:
      return fmt::format("end on stream {}", of.s);
    case step::fail:
      return fmt::format("fail on stream {}", of.s);
    case step::drop:
      return memory("drop");
    case step::evict:
      return memory("evict");
    default:
      return fmt::format("lose memory {}", of.to);
  }
}

std::string text_of(const std::vector<step>& all) {
  std::string text;
  for (const step& each : all) text += text_of(each) + "; ";
  return text;
}

std::vector<step> steps_of(const sizes& all) {
  std::vector<step> steps;
  const auto add = [&](step::kind what, int p, int from, int to, int s) {
    const auto small = [](int i) { return static_cast<std::uint8_t>(i); };
    steps.push_back({what, small(p), small(from), small(to), small(s)});
  };
  for (int s = 0; s < all.streams; ++s) {
    add(step::end, 0, 0, 0, s);
    add(step::fail, 0, 0, 0, s);
  }
  for (int to = 0; to < all.memories; ++to) {
    add(step::lose, 0, 0, to, 0);
    for (int p = 0; p < all.pieces; ++p) {
      add(step::drop, p, 0, to, 0);
      add(step::evict, p, 0, to, 0);
      for (int s = 0; s < all.streams; ++s) {
        add(step::write, p, 0, to, s);
        add(step::read, p, 0, to, s);
        for (int from = 0; from < all.memories; ++from)
          if (from != to) add(step::copy, p, from, to, s);
      }
    }
  }
  return steps;
}

}  // namespace program
