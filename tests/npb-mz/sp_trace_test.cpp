#include "sp_phases.hpp"
#include "traces.hpp"

#include <functional>
#include <map>

using support::deviations;
using support::json;

namespace {

/// The first time step of all zones, phase by phase; each phase is known by its name in the traces.
class first_step {
 public:
  explicit first_step(char class_letter)
      : zones_{npb::sp::make_benchmark(npb::make_problem(npb::benchmark_kind::sp, class_letter))} {
    for (int z = 0; z < zones_.size(); ++z)
      phases_.emplace_back(zones_.bench->coefficients(), zones_.shape(z));
  }

  deviations check(const json& phase) {
    const std::string name = phase.at("name");
    run(name);
    deviations worst;
    for (const json& zone : phase.at("zones")) {
      const int z = zone.at("zone");
      const std::string field = phase.at("field");
      const double* values = field == "u"         ? zones_.u[z].data()
                             : field == "forcing" ? zones_.forcing[z].data()
                                                  : phases_[z].r.data();
      support::compare(worst, zone, zones_.shape(z), values, phase.at("range") == "interior");
    }
    return worst;
  }

 private:
  void run(const std::string& name) {
    if (name == "u_init" || name == "forcing") return;
    if (name == "u_exch") return zones_.exchange();
    for (int z = 0; z < zones_.size(); ++z) run(name, phases_[z], zones_.fields(z));
  }
  static void run(const std::string& name, support::sp_phases& p, const npb::host_zone& z) {
    const std::map<std::string, std::function<void()>> actions{
        {"rhs", [&] { p.compute_rhs(z.u, z.forcing); }},
        {"txinvr", [&] { p.txinvr(z.u); }},
        {"x_sweep", [&] { p.sweep<0>(z.u); }},
        {"x_solve", [&] { p.ninvr(); }},
        {"y_sweep", [&] { p.sweep<1>(z.u); }},
        {"y_solve", [&] { p.pinvr(); }},
        {"z_sweep", [&] { p.sweep<2>(z.u); }},
        {"z_solve", [&] { p.tzetar(z.u); }},
        {"add", [&] { p.add(z.u); }}};
    actions.at(name)();
  }

  support::multi_zone zones_;
  std::vector<support::sp_phases> phases_;
};

}  // namespace

TEST_CASE("every phase of SP's first step has the reference's sums and samples", "[npb-mz]") {
  for (const char letter : {'S', 'W'}) {
    const json trace = support::read_trace(std::string{"sp-"} + letter);
    first_step step{letter};
    for (const json& phase : trace.at("phases")) {
      INFO("class " << letter << ", phase " << phase.at("name"));
      const deviations worst = step.check(phase);
      CHECK(worst.sums < 1e-12);
      CHECK(worst.samples < 1e-9);
    }
  }
}

TEST_CASE("SP's solver follows the reference's norms from step to step and is verified", "[npb-mz]") {
  for (const char letter : {'S', 'W'})
    support::check_run(npb::benchmark_kind::sp, letter, npb::sp::make_benchmark);
}
