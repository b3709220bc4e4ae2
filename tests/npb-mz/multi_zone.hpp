#pragma once
/// All zones of a problem in host memory, driven one after the other: the smallest correct driver.

#include "common/field.hpp"
#include "common/solver.hpp"

#include <memory>
#include <vector>

namespace support {

struct multi_zone {
  std::unique_ptr<npb::benchmark> bench;
  std::vector<std::vector<double>> u;
  std::vector<std::vector<double>> forcing;
  std::vector<std::vector<double>> residual;  ///< empty vectors in BT and SP

  explicit multi_zone(std::unique_ptr<npb::benchmark> b) : bench{std::move(b)} {
    for (const npb::zone& z : bench->what().zones) {
      u.emplace_back(z.shape.field_size());
      forcing.emplace_back(z.shape.field_size());
      residual.emplace_back(bench->has_residual() ? z.shape.field_size() : 0);
    }
    for (int z = 0; z < size(); ++z) bench->make_forcing(z, forcing[z].data());
    initialize();
  }

  int size() const { return static_cast<int>(u.size()); }
  const npb::zone_shape& shape(int z) const { return bench->what().zones[z].shape; }
  npb::host_zone fields(int z) {
    return {shape(z), u[z].data(), forcing[z].data(), residual[z].empty() ? nullptr : residual[z].data()};
  }
  void initialize() {
    for (int z = 0; z < size(); ++z) bench->initialize(z, fields(z));
  }

  void exchange() {
    for (int z = 0; z < size(); ++z) {
      const npb::zone& here = bench->what().zones[z];
      const auto [nx, ny, nz] = here.shape;
      copy_x(z, 0, here.west, shape(here.west).nx - 2);
      copy_x(z, nx - 1, here.east, 1);
      copy_y(z, 0, here.south, shape(here.south).ny - 2);
      copy_y(z, ny - 1, here.north, 1);
    }
  }
  void step(npb::host_solver& solver) {
    exchange();
    for (int z = 0; z < size(); ++z) solver.advance(fields(z));
  }

  std::vector<npb::zone_norms> norms_of_zones() {
    std::vector<npb::zone_norms> norms;
    for (int z = 0; z < size(); ++z) norms.push_back(bench->norms(z, fields(z)));
    return norms;
  }
  npb::zone_norms norms() { return npb::total_norms(norms_of_zones()); }

 private:
  void copy_x(int to, int i_to, int from, int i_from) {
    const auto [nx, ny, nz] = shape(to);
    for (int k = 1; k < nz - 1; ++k)
      for (int j = 1; j < ny - 1; ++j)
        npb::store(u[to].data(), shape(to), npb::index_of(shape(to), i_to, j, k),
                   npb::load(u[from].data(), shape(from), npb::index_of(shape(from), i_from, j, k)));
  }
  void copy_y(int to, int j_to, int from, int j_from) {
    const auto [nx, ny, nz] = shape(to);
    for (int k = 1; k < nz - 1; ++k)
      for (int i = 1; i < nx - 1; ++i)
        npb::store(u[to].data(), shape(to), npb::index_of(shape(to), i, j_to, k),
                   npb::load(u[from].data(), shape(from), npb::index_of(shape(from), i, j_from, k)));
  }
};

}  // namespace support
