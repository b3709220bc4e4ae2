#include "multi_zone.hpp"
#include "sp/sp_host.hpp"
#include "sp_phases.hpp"

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <support/catch.hpp>

using nlohmann::json;

namespace {

json read_trace(const std::string& name) {
  std::ifstream file{std::string{NPB_DATA_DIR} + "/trace/" + name + ".json"};
  return json::parse(file);
}

double deviation(double value, double expected) { return std::abs(value - expected) / std::abs(expected); }

/// Largest deviations of a field from one zone's entry of a phase.
struct deviations {
  double sums = 0;
  double samples = 0;
};

void compare(deviations& worst, const json& zone, const npb::zone_shape& s, const double* field,
             bool interior) {
  const int margin = interior ? 1 : 0;
  for (int m = 0; m < 5; ++m) {
    long double sum = 0;
    for (int k = margin; k < s.nz - margin; ++k)
      npb::for_each_in_plane(s, k, margin, [&](int, int, std::size_t at) {
        const long double x = field[m * s.points() + at];
        sum += x * x;
      });
    worst.sums = std::max(worst.sums, deviation(static_cast<double>(sum), zone.at("sumsq").at(m)));
  }
  for (const json& sample : zone.at("samples")) {
    const json& ijk = sample.at("ijk");
    const auto value = npb::load(field, s, npb::index_of(s, ijk.at(0), ijk.at(1), ijk.at(2)));
    for (int m = 0; m < 5; ++m)
      worst.samples = std::max(worst.samples, deviation(value[m], sample.at("v").at(m)));
  }
}

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
      compare(worst, zone, zones_.shape(z), values, phase.at("range") == "interior");
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

void check_norms(const json& expected, const npb::zone_norms& got) {
  for (int m = 0; m < 5; ++m) {
    CHECK(deviation(got.xcr[m], expected.at("xcr").at(m)) < 1e-11);
    CHECK(deviation(got.xce[m], expected.at("xce").at(m)) < 1e-11);
  }
}

}  // namespace

TEST_CASE("every phase of SP's first step has the reference's sums and samples", "[npb-mz]") {
  for (const char letter : {'S', 'W'}) {
    const json trace = read_trace(std::string{"sp-"} + letter);
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
  for (const char letter : {'S', 'W'}) {
    const json trace = read_trace(std::string{"sp-"} + letter);
    support::multi_zone zones{npb::sp::make_benchmark(npb::make_problem(npb::benchmark_kind::sp, letter))};
    const auto solver = zones.bench->make_host_solver(1, zones.bench->what().largest_zone());
    zones.step(*solver);
    zones.initialize();
    int step = 0;
    for (const json& norms : trace.at("norms")) {
      for (; step < norms.at("step").get<int>(); ++step) zones.step(*solver);
      INFO("class " << letter << ", step " << step);
      check_norms(norms.at("total"), zones.norms());
    }
    REQUIRE(step == zones.bench->what().niter);
    CHECK(npb::verify(zones.bench->what(), step, zones.norms()) == npb::verification::successful);
    CHECK(npb::largest_deviation(zones.bench->what().references[0], zones.norms()) < 1e-11);
  }
}
