#include "sp_bt.hpp"
#include "traces.hpp"

using support::deviations;
using support::json;

namespace {

/// The first time step of all zones, phase by phase; each phase is known by its name in the traces.
template <class Solver>
class first_step {
 public:
  explicit first_step(char class_letter)
      : zones_{Solver::make_benchmark(npb::make_problem(Solver::kind, class_letter))} {
    for (int z = 0; z < zones_.size(); ++z) r_.emplace_back(zones_.shape(z).field_size());
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
                                                  : r_[z].data();
      support::compare(worst, zone, zones_.shape(z), values, phase.at("range") == "interior");
    }
    return worst;
  }

 private:
  void run(const std::string& name) {
    if (name == "u_init" || name == "forcing") return;
    if (name == "u_exch") return zones_.exch_qbc();
    const auto phase = Solver::named_phases().at(name);
    for (int z = 0; z < zones_.size(); ++z) phase({zones_.bench->coefficients(), zones_.fields(z), r_[z]});
  }

  npb::reference::multi_zone zones_;
  std::vector<std::vector<double>> r_;
};

}  // namespace

TEMPLATE_TEST_CASE("every phase of the first step has the reference's sums and samples", "[npb-mz]",
                   support::sp, support::bt) {
  for (const char letter : {'S', 'W'}) {
    const json trace = support::read_trace(npb::short_name(TestType::kind) + "-" + letter);
    first_step<TestType> step{letter};
    for (const json& phase : trace.at("phases")) {
      INFO("class " << letter << ", phase " << phase.at("name"));
      const deviations worst = step.check(phase);
      CHECK(worst.sums < 1e-12);
      CHECK(worst.samples < 1e-9);
    }
  }
}

TEMPLATE_TEST_CASE("the solver follows the reference's norms from step to step and is verified", "[npb-mz]",
                   support::sp, support::bt) {
  for (const char letter : {'S', 'W'}) support::check_run(TestType::kind, letter, TestType::make_benchmark);
}
