#include <cstddef>
#include <fmt/format.h>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/error.hpp>
#include <yoke/parse.hpp>
#include <yoke/rank_of_process.hpp>

namespace yoke {

namespace {
constexpr std::string_view grammar =
    "NxM | NxM+G | +G: N CPU compute units of M CPUs each, G GPU compute units, each at least 1 (7x2+2, "
    "16x1, +1)";
constexpr int most = 65535;
}  // namespace

std::string configuration::text() const {
  std::string out = cpu_units > 0 ? fmt::format("{}x{}", cpu_units, cpus_per_unit) : "";
  if (gpu_units > 0) out += fmt::format("+{}", gpu_units);
  return out;
}

namespace {

configuration parse_one(const sourced& text) {
  detail::text_parser in{text, grammar};
  configuration wanted;
  if (in.peek() != '+') {
    wanted.cpu_units = in.number("the number of CPU compute units", 1, most);
    in.expect('x', "'x' and the CPUs of one compute unit");
    const std::size_t start = in.position();
    wanted.cpus_per_unit = in.number("the number of CPUs of one compute unit", 1, most);
    if (long{wanted.cpu_units} * wanted.cpus_per_unit > most) {
      in.fail_at(start,
                 fmt::format("{}x{} is more than {} CPUs", wanted.cpu_units, wanted.cpus_per_unit, most));
    }
  }
  if (in.accept('+')) {
    wanted.gpu_units = in.number("the number of GPU compute units", 1, most);
    const std::size_t start = in.position();
    if (in.accept('x')) {
      const int managers = in.number("the number of CPUs that manage one GPU", 1, most);
      if (managers > 1) {
        in.fail_at(start,
                   fmt::format(
                       "NxM+GxK with K > 1 is not supported: a GPU compute unit has one managing CPU, not {}",
                       managers));
      }
    }
  }
  in.expect_end();
  return wanted;
}

/// "1x2,+1" as its items; what has no comma is one.
std::vector<sourced> items_of(const sourced& list) {
  std::vector<sourced> all;
  std::size_t from = 0;
  for (std::size_t comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = list.value.find(',', from);
    all.push_back({list.value.substr(from, comma - from), list.origin});
  }
  return all;
}

}  // namespace

configuration parse_configuration(const sourced& text, int rank, int size) {
  if (size < 2) return parse_one(text);
  std::vector<configuration> all;
  for (const sourced& each : items_of(text)) all.push_back(parse_one(each));
  const int n = static_cast<int>(all.size());
  if (size % n != 0)
    throw config_error{
        fmt::format("{}: {} configurations for {} ranks; accepted: one, one for each rank, or so many that "
                    "ranks are some "
                    "times as many",
                    text.quoted(), n, size)};
  return all[static_cast<std::size_t>(rank % n)];
}

configuration parse_configuration(const sourced& text) {
  return parse_configuration(text, this_rank().rank, this_rank().size);
}

}  // namespace yoke
