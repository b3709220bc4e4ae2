#pragma once
/// A trace of virtual time, in the format that Perfetto opens.

#include "json_fields.hpp"

#include <string>
#include <vector>

#include <yoke/simulated_machine.hpp>
#include <yoke/text.hpp>

namespace tools {

class virtual_trace {
 public:
  explicit virtual_trace(const yoke::simulated_machine& machine);
  void add(const yoke::simulated_batch& batch, const yoke::workload& work);
  std::string text() const { return yoke::detail::json_text(json{{"traceEvents", events_}}) + "\n"; }

 private:
  json events_ = json::array();
};

/// "CU 3 (gpu)"
std::string name_of_unit(const yoke::simulated_machine& machine, std::size_t unit);

}  // namespace tools
