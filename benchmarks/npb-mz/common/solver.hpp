#pragma once
/// What a benchmark (BT, SP, LU) gives the driver: fields, initial values, solvers for both kinds of compute
/// unit, and norms.

#include "constants.hpp"
#include "norms.hpp"
#include "problem.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <yoke/device.hpp>
#include <yoke/kernel.hpp>

namespace npb {

/// The fields of one zone in host memory, each [5][nz][ny][nx].
struct host_zone {
  zone_shape shape;
  double* u = nullptr;              ///< state, with fresh boundary planes
  const double* forcing = nullptr;  ///< constant
  double* residual = nullptr;       ///< LU: carried from step to step; null in BT and SP
};

/// A boundary plane of a zone on a device, [component][k][j or i] at any strides, as kernels receive it.
struct neighbour_plane {
  yoke::device_ptr<double> first;  ///< null: the face is not the solver's to send
  std::int64_t component = 0;
  int line_stride = 0;
  int k_stride = 0;
};

/// The fields of one zone on a device, as kernels receive them in a table in device memory.
struct device_zone {
  int nx = 0;
  int ny = 0;
  int nz = 0;
  yoke::device_ptr<double> u;
  yoke::device_ptr<double> forcing;
  yoke::device_ptr<double> residual;  ///< LU only
  yoke::device_ptr<double> work;      ///< device_solver::scratch_bytes, contents need not survive a step
  neighbour_plane to[4] = {};         ///< west, east, south, north: see device_solver::sends_faces
};

/// Zones of one device: `table` is in its memory and has one entry for each of `shapes`.
struct zones_on_device {
  yoke::device& device;
  yoke::stream_handle stream;
  yoke::device_ptr<const device_zone> table;
  std::span<const zone_shape> shapes;

  std::int64_t n() const { return static_cast<std::int64_t>(shapes.size()); }
};

/// Advances zones on one CPU CU. Owns its scratch; not thread-safe: one for each CU.
class host_solver {
 public:
  virtual ~host_solver() = default;
  /// One time step of one zone. With n_threads > 1 an inner team of so many threads runs it; the bits of the
  /// result do not depend on the team.
  virtual void advance(const host_zone& zone) = 0;
};

/// One whose step is a sequence of phases, which a thread alone may run and time one by one.
class phased_solver : public host_solver {
 public:
  virtual int phases() const = 0;
  /// Phase 0, 1, ... of one step of one zone, by the calling thread; all of them in order are a step.
  virtual void run_phase(int phase, const host_zone& zone) = 0;
};

/// Launches one time step for all zones of a batch on a stream: one launch per phase for the whole batch,
/// zones of different sizes included.
class device_solver {
 public:
  virtual ~device_solver() = default;
  /// Work memory of a zone on the device.
  virtual std::size_t scratch_bytes(const zone_shape& shape) const = 0;
  /// A step. Asynchronous, as its two parts are.
  void advance(const zones_on_device& zones) {
    begin(zones);
    finish(zones);
  }
  /// The two parts of a step, on one stream, for the same zones. The first changes no u.
  virtual void begin(const zones_on_device&) {}
  virtual void finish(const zones_on_device& zones) = 0;
  /// Whether `begin` reads no boundaries, so that faces may be copied meanwhile.
  virtual bool begins_before_faces() const { return false; }
  /// Whether `finish` reads none, and copies the first interior planes to where device_zone::to says: no
  /// kernel has to gather them for the next step. Who takes them must be past its own `begin`.
  virtual bool sends_faces() const { return false; }
  /// LU: the residual of the state inside of each zone, which a step finds there. Asynchronous.
  virtual void make_residual(const zones_on_device&) {}
};

/// One benchmark on one problem. Thread-safe: all functions may be called for different zones at once.
class benchmark {
 public:
  explicit benchmark(problem what) : problem_{std::move(what)}, constants_{make_constants(problem_)} {}
  virtual ~benchmark() = default;
  benchmark(const benchmark&) = delete;
  benchmark& operator=(const benchmark&) = delete;

  const problem& what() const { return problem_; }
  const constants& coefficients() const { return constants_; }

  /// True for LU: a third field is carried from step to step and travels with the zone.
  virtual bool has_residual() const { return false; }

  /// Constant field of a zone; once, before the first step. `n_threads`: of a team of the caller's.
  virtual void make_forcing(int zone, double* forcing, int n_threads) const = 0;
  /// Initial state of a zone (and residual, which needs the forcing); before the warm-up step and again
  /// before the timed loop.
  virtual void initialize(int zone, const host_zone& fields, int n_threads) const = 0;

  /// `largest` bounds every zone that the solver will see, in each direction.
  virtual std::unique_ptr<host_solver> make_host_solver(int n_threads, const zone_shape& largest) const = 0;
  /// Bytes that such a solver owns.
  virtual std::size_t host_scratch_bytes(int n_threads, const zone_shape& largest) const = 0;
  virtual std::unique_ptr<device_solver> make_device_solver() const = 0;

  /// What a zone contributes to the verification norms, SPEC.md §13; the same bits whoever computes it.
  /// Add the contributions with total_norms, which goes by zone number.
  virtual zone_norms norms(int zone, const host_zone& fields) const = 0;

 private:
  problem problem_;
  constants constants_;
};

namespace bt {
/// BT-MZ on `what`. Requires: what.kind == benchmark_kind::bt.
std::unique_ptr<benchmark> make_benchmark(problem what);
}  // namespace bt

namespace sp {
/// SP-MZ on `what`. Requires: what.kind == benchmark_kind::sp.
std::unique_ptr<benchmark> make_benchmark(problem what);
}  // namespace sp

namespace lu {
/// LU-MZ on `what`. Requires: what.kind == benchmark_kind::lu.
std::unique_ptr<benchmark> make_benchmark(problem what);
}  // namespace lu

}  // namespace npb
