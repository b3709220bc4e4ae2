#include "layout.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tools {

namespace {

/// What stands for each core: "3", "g7", "3/g7" where a managing thread shares it, "." where it is free.
std::map<int, std::string> labels_of(const layout& of, const yoke::topology& machine) {
  std::map<int, std::string> labels;
  for (const yoke::cpu_info& info : machine.cpus()) labels[info.core] = ".";
  for (std::size_t unit = 0; unit < of.places.size(); ++unit) {
    const bool is_gpu = std::cmp_greater_equal(unit, of.shape.cpu_units);
    for (const int core : machine.cores_of(of.places[unit])) {
      std::string& label = labels[core];
      label = (label == "." ? "" : label + "/") + fmt::format("{}{}", is_gpu ? "g" : "", unit);
    }
  }
  return labels;
}

constexpr std::size_t cores_of_row = 16;

/// The rows of a NUMA node.
class rows {
 public:
  explicit rows(std::size_t width) : width_{width} {}

  void add(const yoke::cpu_info& core, const std::string& label) {
    if (count_ == cores_of_row) {
      text_ += "\n" + std::string(indent, ' ');
      count_ = 0;
    } else if (count_ > 0) {
      text_ += core.cache == cache_ || has_no_borders_ ? " " : " | ";
    }
    text_ += fmt::format("{:>{}}", label, width_);
    cache_ = core.cache;
    ++count_;
  }
  void without_borders() { has_no_borders_ = true; }
  const std::string& text() const { return text_; }

  static constexpr std::size_t indent = 10;

 private:
  std::size_t width_;
  std::size_t count_ = 0;
  int cache_ = -1;
  bool has_no_borders_ = false;
  std::string text_;
};

/// Whether caches group cores: not where each core has its own, or all have one.
bool caches_group_cores(const yoke::topology& machine) {
  std::map<int, int> cores;
  for (const yoke::cpu_info& info : machine.cpus()) cores[info.cache] += info.smt_rank == 0 ? 1 : 0;
  return cores.size() > 1 && std::ranges::any_of(cores, [](const auto& each) { return each.second > 1; });
}

}  // namespace

std::string picture_of(const layout& of, const yoke::topology& machine) {
  const std::map<int, std::string> labels = labels_of(of, machine);
  std::size_t width = 1;
  for (const auto& [core, label] : labels) width = std::max(width, label.size());
  const bool are_grouped = caches_group_cores(machine);
  std::map<int, rows> nodes;
  for (const yoke::cpu_info& info : machine.cpus()) {
    if (info.smt_rank != 0) continue;
    rows& node = nodes.try_emplace(info.numa_node, width).first->second;
    if (!are_grouped) node.without_borders();
    node.add(info, labels.at(info.core));
  }
  std::string text;
  for (const auto& [number, node] : nodes) text += fmt::format("  NUMA {:<2} {}\n", number, node.text());
  text += "  one field for each core: the CPU compute unit that has it";
  if (of.shape.gpu_units > 0) text += ", gN for the managing thread of GPU compute unit N";
  if (are_grouped) text += "; | between last caches";
  return text + ", . for none\n";
}

}  // namespace tools
