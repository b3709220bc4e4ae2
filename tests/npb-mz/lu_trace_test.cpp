#include "lu_phases.hpp"
#include "traces.hpp"

using support::deviations;
using support::json;

namespace {

/// The first time step of all zones, phase by phase; each phase is known by its name in the traces.
class first_step {
 public:
  explicit first_step(char class_letter)
      : zones_{npb::lu::make_benchmark(npb::make_problem(npb::benchmark_kind::lu, class_letter))} {
    for (int z = 0; z < zones_.size(); ++z)
      phases_.emplace_back(zones_.bench->coefficients(), zones_.shape(z));
  }

  deviations check(const json& phase) {
    const std::string name = phase.at("name"), field = phase.at("field");
    if (name == "u_exch") zones_.exchange();
    for (int z = 0; z < zones_.size(); ++z) run(name, phases_[z], zones_.fields(z));
    deviations worst;
    for (const json& zone : phase.at("zones")) {
      const int z = zone.at("zone");
      const bool in_sweep = name == "dt_scaled" || name == "lower" || name == "upper";
      const double* values = field == "u"         ? zones_.u[z].data()
                             : field == "forcing" ? zones_.forcing[z].data()
                             : in_sweep           ? phases_[z].v.data()
                                                  : zones_.residual[z].data();
      support::compare(worst, zone, zones_.shape(z), values, phase.at("range") == "interior");
    }
    return worst;
  }

 private:
  static void run(const std::string& name, support::lu_phases& p, const npb::host_zone& z) {
    if (name == "dt_scaled") p.scale(z.residual);
    if (name == "lower") p.lower(z.u);
    if (name == "upper") p.upper(z.u);
    if (name == "update") p.update(z.u);
    if (name == "rsd_new") p.residual(z);
  }

  support::multi_zone zones_;
  std::vector<support::lu_phases> phases_;
};

}  // namespace

TEST_CASE("every phase of LU's first step has the reference's sums and samples", "[npb-mz]") {
  for (const char letter : {'S', 'W'}) {
    const json trace = support::read_trace(std::string{"lu-"} + letter);
    first_step step{letter};
    for (const json& phase : trace.at("phases")) {
      INFO("class " << letter << ", phase " << phase.at("name"));
      const deviations worst = step.check(phase);
      CHECK(worst.sums < 1e-12);
      CHECK(worst.samples < 1e-9);
    }
  }
}

TEST_CASE("LU's solver follows the reference's norms from step to step and is verified", "[npb-mz]") {
  for (const char letter : {'S', 'W'})
    support::check_run(npb::benchmark_kind::lu, letter, npb::lu::make_benchmark);
}

TEST_CASE("LU's residual of the start is that of the exact boundary, not of the neighbours'", "[npb-mz]") {
  support::multi_zone zones{npb::lu::make_benchmark(npb::make_problem(npb::benchmark_kind::lu, 'S'))};
  const std::vector<double> at_start = zones.residual[0];
  zones.exchange();
  support::lu_phases{zones.bench->coefficients(), zones.shape(0)}.residual(zones.fields(0));
  CHECK(zones.residual[0] != at_start);
  zones.initialize();
  CHECK(zones.residual[0] == at_start);
}
