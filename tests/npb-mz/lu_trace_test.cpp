#include "reference/lu.hpp"
#include "traces.hpp"

using support::deviations;
using support::json;

namespace {

/// The first time step of all zones, phase by phase; each phase is known by its name in the traces.
class first_step {
 public:
  explicit first_step(char class_letter)
      : zones_{npb::lu::make_benchmark(npb::make_problem(npb::benchmark_kind::lu, class_letter))} {
    for (int z = 0; z < zones_.size(); ++z) v_.emplace_back(zones_.shape(z).field_size());
  }

  deviations check(const json& phase) {
    const std::string name = phase.at("name"), field = phase.at("field");
    if (name == "u_exch") zones_.exch_qbc();
    for (int z = 0; z < zones_.size(); ++z)
      run(name, {zones_.bench->coefficients(), zones_.fields(z), v_[z]});
    deviations worst;
    for (const json& zone : phase.at("zones")) {
      const int z = zone.at("zone");
      const bool in_sweep = name == "dt_scaled" || name == "lower" || name == "upper";
      const double* values = field == "u"         ? zones_.u[z].data()
                             : field == "forcing" ? zones_.forcing[z].data()
                             : in_sweep           ? v_[z].data()
                                                  : zones_.residual[z].data();
      support::compare(worst, zone, zones_.shape(z), values, phase.at("range") == "interior");
    }
    return worst;
  }

 private:
  static void run(const std::string& name, const npb::reference::lu::ssor_zone& z) {
    if (name == "dt_scaled") scale(z);
    if (name == "lower") blts(z);
    if (name == "upper") buts(z);
    if (name == "update") update(z);
    if (name == "rsd_new") rhs(z);
  }

  npb::reference::multi_zone zones_;
  std::vector<std::vector<double>> v_;
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
  npb::reference::multi_zone zones{npb::lu::make_benchmark(npb::make_problem(npb::benchmark_kind::lu, 'S'))};
  const std::vector<double> at_start = zones.residual[0];
  zones.exch_qbc();
  std::vector<double> unused(zones.shape(0).field_size());
  rhs(npb::reference::lu::ssor_zone{zones.bench->coefficients(), zones.fields(0), unused});
  CHECK(zones.residual[0] != at_start);
  zones.initialize();
  CHECK(zones.residual[0] == at_start);
}
