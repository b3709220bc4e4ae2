#include "task_file.hpp"

#include "system_texts.hpp"

#include <cctype>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/numbers_below.hpp>
#include <yoke/text.hpp>
#include <yoke/zone_grid.hpp>

namespace tools {

/// classes.json of NPB-MZ, put into the binary by CMake.
extern const char* const npb_classes;

namespace {

constexpr const char* tasks_schema = "yoke-tasks/1";
constexpr std::size_t five_doubles = 40;

/// State and forcing term; LU keeps its residual too.
std::size_t fields_of(const std::string& benchmark) { return benchmark == "lu" ? 3 : 2; }

struct npb_class {
  const json& entry;
  const json& one;

  yoke::zone_grid grid() const {
    return {one.at("gx"), one.at("gy"), one.at("gz"), one.at("x_zones"), one.at("y_zones"), one.at("ratio")};
  }
};

npb_class class_of(const std::string& benchmark, const std::string& letter, const std::string& given) {
  static const json table = json::parse(npb_classes).at("benchmarks");
  if (!table.contains(benchmark) || !table.at(benchmark).at("classes").contains(letter))
    throw yoke::config_error{fmt::format(
        "{}: no class of NPB-MZ; SP, BT or LU and one of S, W, A, B, C, D, E, F, as SP:D", given)};
  const json& entry = table.at(benchmark);
  return {entry, entry.at("classes").at(letter)};
}

yoke::workload zones_of_class(const std::string& benchmark, const std::string& letter,
                              const std::string& given) {
  const npb_class found = class_of(benchmark, letter, given);
  yoke::workload work = yoke::zones_of(found.grid(), five_doubles * fields_of(benchmark), five_doubles);
  work.passes = found.one.at("niter");
  work.name = fmt::format("{} {}", found.entry.at("name").get<std::string>(), letter);
  return work;
}

template <class Value>
std::vector<Value> numbers(json_fields& in, const std::string& name,
                           const yoke::detail::number_range& range) {
  std::vector<Value> all;
  const json* list = in.list(name);
  if (list == nullptr) return all;
  for (const json& each : *list) {
    if (!each.is_number() || !range.has(each.get<double>()))
      in.refuse(fmt::format("{}[{}]", name, all.size()),
                fmt::format("{} is not accepted; {}", yoke::detail::json_text(each), range.accepted()));
    all.push_back(static_cast<Value>(each.get<double>()));
  }
  return all;
}

yoke::edge read_edge(const json& from, int n_tasks, const json_fields& in) {
  const bool fits = from.is_array() && from.size() == 3 && from[0].is_number_integer() &&
                    from[1].is_number_integer() && from[2].is_number() && from[0] >= 0 && from[1] >= 0 &&
                    from[0] < n_tasks && from[1] < n_tasks && from[2] >= 0 && from[2] <= most_bytes;
  if (!fits)
    in.refuse("edges", fmt::format("{} is not accepted; [from, to, bytes], up to "
                                   "{:g} bytes; there is {}",
                                   yoke::detail::json_text(from), most_bytes,
                                   yoke::detail::numbers_below(n_tasks, "task")));
  return {yoke::task_id{from[0].get<int>()}, yoke::task_id{from[1].get<int>()}, from[2].get<std::size_t>()};
}

/// Maps add them up.
void check_sum(const json_fields& in, const std::string& name, std::span<const std::size_t> bytes) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  std::size_t left = most;
  for (const std::size_t each : bytes) {
    if (each > left)
      in.refuse(name, fmt::format("add up to more than {} bytes, with {} among them", most, each));
    left -= each;
  }
}

yoke::workload read_task_file(const json& all, const std::string& path) {
  json_fields in{all, path + ": "};
  in.text("schema");
  yoke::workload work{.weights = numbers<double>(in, "weights", yoke::detail::amounts),
                      .bytes = numbers<std::size_t>(in, "bytes", {.least = 0, .most = most_bytes}),
                      .name = in.text("name", path)};
  const int given = static_cast<int>(work.weights.size());
  work.n_tasks = work.weights.empty() ? in.whole("n_tasks", 1) : in.whole("n_tasks", 1, given);
  if (!work.weights.empty() && work.n_tasks != given)
    in.refuse("n_tasks", fmt::format("is {}, but there are {} weights", work.n_tasks, given));
  if (!work.bytes.empty() && std::ssize(work.bytes) != work.n_tasks)
    in.refuse("bytes", fmt::format("has {} values for {} tasks", work.bytes.size(), work.n_tasks));
  check_sum(in, "bytes", work.bytes);
  std::vector<std::size_t> of_edges;
  if (const json* edges = in.list("edges"))
    for (const json& each : *edges) {
      work.edges.push_back(read_edge(each, work.n_tasks, in));
      of_edges.push_back(work.edges.back().bytes);
    }
  check_sum(in, "edges", of_edges);
  in.finish();
  return work;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// "SP:D" as "sp" and "D".
std::pair<std::string, std::string> words_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {lower(text), ""};
  return {lower(text.substr(0, colon)), upper(text.substr(colon + 1))};
}

}  // namespace

yoke::workload tasks_of_class(const std::string& text) {
  const auto [benchmark, letter] = words_of(text);
  return zones_of_class(benchmark, letter, "--class " + text);
}

yoke::zone_grid grid_of_class(const std::string& text) {
  const auto [benchmark, letter] = words_of(text);
  return class_of(benchmark, letter, "--class " + text).grid();
}

namespace {

/// Of a grid that is no class's the weights alone are known.
yoke::workload weights_of_run(json_fields& run, const std::string& path) {
  yoke::workload work{.name = run.text("benchmark") + " of a grid of its own"};
  const json* tasks = run.list("tasks");
  if (tasks == nullptr || tasks->empty()) run.refuse("tasks", "at least one task is needed");
  for (std::size_t n = 0; n < tasks->size(); ++n) {
    json_fields task{(*tasks)[n], fmt::format("{}: tasks[{}].", path, n)};
    if (!task.has("weight"))
      throw yoke::config_error{fmt::format("{}: is of no class, and its tasks have no weights", path)};
    work.weights.push_back(task.number("weight", yoke::detail::amounts));
  }
  work.n_tasks = static_cast<int>(work.weights.size());
  return work;
}

}  // namespace

yoke::workload tasks_of_run(const json& run, const std::string& path) {
  json_fields in{run, path + ": "};
  const std::string letter = in.text("class");
  if (letter == "custom") return weights_of_run(in, path);
  return zones_of_class(lower(in.text("benchmark").substr(0, 2)), letter, path + ": its benchmark and class");
}

yoke::workload read_tasks(const std::string& path) {
  const json all = read_json(path);
  const std::string found = json_fields{all, path + ": "}.text("schema", "");
  if (found == "yoke-npb/1") return tasks_of_run(all, path);
  if (found == tasks_schema) return read_task_file(all, path);
  throw yoke::config_error{fmt::format("{}: its \"schema\" is \"{}\"; {} or the JSON of an NPB-MZ run", path,
                                       found, tasks_schema)};
}

}  // namespace tools
