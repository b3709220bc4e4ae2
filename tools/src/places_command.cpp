#include "commands.hpp"
#include "layout.hpp"

#include <fmt/format.h>

#include <yoke/places_text.hpp>

namespace tools {

int run_places(const places_options& options) {
  const yoke::topology machine = machine_of(options.machine);
  const bool is_this = options.machine.is_this();
  const layout made =
      lay_out(machine, is_this ? smt_of(options.machine.smt) : options.machine.smt,
              {options.cus, "configuration"}, is_this ? devices_of(options.devices) : options.devices);
  if (options.json) {
    print_json(as_json(made));
    return fine;
  }
  fmt::print("OMP_PLACES=\"{}\"\nOMP_PROC_BIND=close,master\n\n", yoke::short_places_text(made.places));
  fmt::print("{} on {} cores, {} CPUs\n{}{}", made.shape.text(), machine.n_cores(), machine.n_cpus(),
             picture_of(made, machine), table_of(made));
  for (const std::string& each : made.remarks) fmt::print("  note: {}\n", each);
  return fine;
}

}  // namespace tools
