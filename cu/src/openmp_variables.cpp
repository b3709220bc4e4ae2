// Values of libomp's variables that it does not survive, at its first entry: it aborts, starts threads
// without end ("x" in a list), or frees what it never allocated. Others it warns of.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <sys/mman.h>

#include <yoke/error.hpp>
#include <yoke/openmp.hpp>
#include <yoke/parse.hpp>

namespace yoke::openmp {

namespace {

using detail::text_parser;

struct rule {
  const char* variable;
  std::string_view accepted;
  void (*check)(const sourced& value, std::string_view accepted);
};

void skip_spaces(text_parser& in) {
  while (in.accept(' ')) {
  }
}

/// Whole numbers of [Least, Most], at most `Count` of them, separated by commas.
template <int Count, int Least, int Most>
void check_numbers(const sourced& value, std::string_view accepted) {
  text_parser in{value, accepted};
  int count = 0;
  do {
    if (count++ == Count) in.fail("there are too many numbers");
    skip_spaces(in);
    in.number("a number", Least, Most);
    skip_spaces(in);
  } while (in.accept(','));
  in.expect_end();
}

/// Powers of 1024; a bare number counts units of 1024 to the `Default`-th.
template <int Default>
int power_of_unit(text_parser& in) {
  constexpr std::string_view units = "bkmgt";
  const auto power = units.find(static_cast<char>(in.peek() | 0x20));
  if (in.at_end() || power == std::string_view::npos) return Default;
  in.accept(in.peek());
  if (power > 0 && !in.accept('b')) in.accept('B');
  return static_cast<int>(power);
}

/// Whether a thread could have a stack of so many bytes.
bool is_stack(double bytes) {
  constexpr double address_space = 0x1p47;
  if (bytes >= address_space) return false;
  const auto size = static_cast<std::size_t>(bytes);
  void* stack = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  munmap(stack, size);
  return true;
}

template <int DefaultUnit>
void check_stack(const sourced& value, std::string_view accepted) {
  text_parser in{value, accepted};
  skip_spaces(in);
  const int number = in.number("a size", 1, std::numeric_limits<int>::max());
  skip_spaces(in);
  const int power = power_of_unit<DefaultUnit>(in);
  skip_spaces(in);
  in.expect_end();
  if (!is_stack(std::ldexp(number, 10 * power)))
    in.fail_at(0, "the system gives a thread no stack of that size");
}

/// A number that is none of an int makes libomp abort; words and what else it knows are left to it.
void check_time(const sourced& value, std::string_view accepted) {
  text_parser in{value, accepted};
  skip_spaces(in);
  if (detail::is_digit(in.peek())) in.number("a time", 0, std::numeric_limits<int>::max());
}

/// The words of a binding, in any case, separated by commas.
void check_binding(const sourced& value, std::string_view accepted) {
  constexpr std::array<std::string_view, 6> words{"false", "true", "master", "primary", "close", "spread"};
  sourced lower = value;
  for (char& c : lower.value) {
    if (c >= 'A' && c <= 'Z') c |= 0x20;
  }
  text_parser in{lower, accepted};
  do {
    skip_spaces(in);
    const std::size_t start = in.position();
    if (std::ranges::find(words, in.word()) == words.end()) in.fail_at(start, "expected a binding");
    skip_spaces(in);
  } while (in.accept(','));
  in.expect_end();
}

void refuse(const sourced& value, std::string_view) {
  throw config_error{fmt::format("{}: makes OpenMP ignore its places; unset it", value.quoted())};
}

constexpr std::string_view two_numbers = "one or two whole numbers from 1 to 31, as 2,2";

constexpr std::array rules{
    rule{"OMP_NUM_THREADS", "whole numbers from 1 to 65535 separated by commas, as 4 or 4,2",
         check_numbers<std::numeric_limits<int>::max(), 1, 65535>},
    rule{"OMP_STACKSIZE", "a size in KiB, or with a unit of B, K, M, G or T, as 8M", check_stack<1>},
    rule{"GOMP_STACKSIZE", "a size in KiB, or with a unit of B, K, M, G or T, as 8M", check_stack<1>},
    rule{"KMP_STACKSIZE", "a size in bytes, or with a unit of B, K, M, G or T, as 8M", check_stack<0>},
    rule{"OMP_PROC_BIND",
         "false, true, or a list of master, primary, close and spread; Yoke itself needs close,master",
         check_binding},
    rule{"KMP_BLOCKTIME", "a time from 0 to 2147483647, or infinite", check_time},
    rule{"KMP_HOT_TEAMS_MAX_LEVEL", "a whole number from 0 to 65535", check_numbers<1, 0, 65535>},
    rule{"KMP_PLAIN_BARRIER", two_numbers, check_numbers<2, 1, 31>},
    rule{"KMP_FORKJOIN_BARRIER", two_numbers, check_numbers<2, 1, 31>},
    rule{"KMP_REDUCTION_BARRIER", two_numbers, check_numbers<2, 1, 31>},
    rule{"KMP_AFFINITY", "", refuse},
    rule{"GOMP_CPU_AFFINITY", "", refuse},
};

}  // namespace

std::string how_it_limits(const sourced& variable, int wanted) {
  std::string value = variable.value;
  std::erase(value, ' ');
  if (variable.origin == "KMP_LIBRARY") {
    std::ranges::transform(value, value.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
    return value == "serial" && wanted > 1 ? "makes each team one thread" : "";
  }
  // What is no number libomp takes for as many as the machine has CPUs, or warns of.
  const bool is_number = !value.empty() && value.size() < 9 && std::ranges::all_of(value, detail::is_digit);
  return is_number && std::stoi(value) < wanted ? fmt::format("allows {}", value) : "";
}

std::string limit_in_environment(int wanted) {
  for (const char* name : limiting_variables) {
    const sourced variable{detail::get_environment(name).value_or(""), name};
    const std::string how = how_it_limits(variable, wanted);
    if (!how.empty()) return fmt::format("{} {}", variable.quoted(), how);
  }
  return {};
}

void check_variable(const sourced& value) {
  const auto* const its = std::ranges::find(rules, std::string_view{value.origin},
                                            [](const rule& each) { return std::string_view{each.variable}; });
  if (its != rules.end()) its->check(value, its->accepted);
}

std::vector<std::string> checked_variables() {
  std::vector<std::string> names;
  for (const rule& each : rules) names.emplace_back(each.variable);
  return names;
}

void check_variables() {
  for (const std::string& name : checked_variables())
    if (is_set_by_user(name.c_str()))
      check_variable({detail::get_environment(name.c_str()).value_or(""), name});
}

}  // namespace yoke::openmp
