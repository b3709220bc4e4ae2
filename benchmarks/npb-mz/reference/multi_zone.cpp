#include "multi_zone.hpp"

#include "bt.hpp"
#include "field.hpp"
#include "lu.hpp"
#include "sp.hpp"

namespace npb::reference {

void advance(benchmark_kind kind, const constants& c, const host_zone& zone) {
  std::vector<double> work(zone.shape.field_size());
  switch (kind) {
    case benchmark_kind::bt:
      return bt::adi({c, zone, work});
    case benchmark_kind::sp:
      return sp::adi({c, zone, work});
    case benchmark_kind::lu:
      return lu::ssor({c, zone, work});
  }
}

multi_zone::multi_zone(std::unique_ptr<benchmark> of) : bench{std::move(of)} {
  for (const zone& z : bench->what().zones) {
    u.emplace_back(z.shape.field_size());
    forcing.emplace_back(z.shape.field_size());
    residual.emplace_back(bench->has_residual() ? z.shape.field_size() : 0);
  }
  for (int z = 0; z < size(); ++z) bench->make_forcing(z, forcing[z].data(), 1);
  initialize();
}

host_zone multi_zone::fields(int z) {
  return {shape(z), u[z].data(), forcing[z].data(), residual[z].empty() ? nullptr : residual[z].data()};
}

void multi_zone::initialize() {
  for (int z = 0; z < size(); ++z) bench->initialize(z, fields(z), 1);
}

namespace {

/// u(i_to, j, k) := `from` at (i_from, j, k), for all interior j and k.
void copy_x(const field& to, int i_to, const field& from, int i_from) {
  for (int k = 1; k <= to.shape().nz - 2; ++k)
    for (int j = 1; j <= to.shape().ny - 2; ++j) to.set({i_to, j, k}, from({i_from, j, k}));
}
/// u(i, j_to, k) := `from` at (i, j_from, k).
void copy_y(const field& to, int j_to, const field& from, int j_from) {
  for (int k = 1; k <= to.shape().nz - 2; ++k)
    for (int i = 1; i <= to.shape().nx - 2; ++i) to.set({i, j_to, k}, from({i, j_from, k}));
}

}  // namespace

void multi_zone::exch_qbc() {
  const auto field_of = [&](int z) { return field{shape(z), u[z].data()}; };
  for (int z = 0; z < size(); ++z) {
    const zone& here = bench->what().zones[static_cast<std::size_t>(z)];
    const field to = field_of(z);
    copy_x(to, 0, field_of(here.west), shape(here.west).nx - 2);
    copy_x(to, here.shape.nx - 1, field_of(here.east), 1);
    copy_y(to, 0, field_of(here.south), shape(here.south).ny - 2);
    copy_y(to, here.shape.ny - 1, field_of(here.north), 1);
  }
}

void multi_zone::step() {
  step([&](const host_zone& z) { advance(bench->what().kind, bench->coefficients(), z); });
}
void multi_zone::step(host_solver& solver) {
  step([&](const host_zone& z) { solver.advance(z); });
}

std::vector<zone_norms> multi_zone::norms_of_zones() {
  std::vector<zone_norms> norms;
  for (int z = 0; z < size(); ++z) norms.push_back(bench->norms(z, fields(z)));
  return norms;
}

}  // namespace npb::reference
