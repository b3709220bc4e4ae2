#include "device_zones.hpp"

#include "common/norm_rows.hpp"
#include "common/setup_kernels.hpp"
#include "driver/gpu/device_table.hpp"

#include <memory>
#include <vector>

namespace npb {

namespace {

/// Work memory of zones begins on lines of its own.
std::size_t rounded_up(std::size_t doubles) { return (doubles + 15) / 16 * 16; }
/// Of kernels that use none: an address all the same, which they look at.
std::size_t no_work(const zone_shape&) { return rounded_up(1); }

void add_takers(std::vector<device_zone>& entries, const zones_on_host& zones) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (const side at : all_sides) {
      const int place = zones.takers[i][static_cast<std::size_t>(at)];
      if (place < 0) continue;
      const auto taker = static_cast<std::size_t>(place);
      const plane p = outer_plane(zones.fields[taker].shape, opposite(at));
      entries[i].to[static_cast<std::size_t>(at)] = {entries[taker].u + p.first, p.component, p.line_stride,
                                                     p.k_stride};
    }
}

/// A table of zones, with work memory for each of them.
class placed_zones {
 public:
  /// `kept`: whose work memory it shares; null: it has its own.
  template <class WorkSize>
  placed_zones(const zones_there& batch, const WorkSize& doubles_of, kept_work* kept = nullptr)
      : device_{batch.dev}, table_{batch.dev} {
    for (const host_zone& each : batch.zones.fields) doubles_ += doubles_of(each.shape);
    const auto make = [&] {
      device_buffer work{batch.dev, device_buffer::kind::device};
      work.reserve(doubles_ * sizeof(double), "work memory of zones");
      return work;
    };
    work_ = kept != nullptr ? kept->get(batch, make) : std::make_shared<const device_buffer>(make());
    yoke::device_ptr<double> work{work_at()};
    std::vector<device_zone> entries;
    for (const host_zone& each : batch.zones.fields) {
      entries.push_back({.nx = each.shape.nx,
                         .ny = each.shape.ny,
                         .nz = each.shape.nz,
                         .u = yoke::device_ptr<double>{each.u},
                         .forcing = yoke::device_ptr<double>{const_cast<double*>(each.forcing)},
                         .residual = yoke::device_ptr<double>{each.residual},
                         .work = work});
      work = work + static_cast<std::ptrdiff_t>(doubles_of(each.shape));
      shapes_.push_back(each.shape);
    }
    if (!batch.zones.takers.empty()) add_takers(entries, batch.zones);
    at_ = table_.upload(batch.stream, entries);
    device_.synchronize(batch.stream);
  }

  zones_on_device on(yoke::stream_handle stream) const { return {device_, stream, at_, shapes_}; }
  double* work_at() const { return reinterpret_cast<double*>(work_->data()); }
  /// Of work memory.
  std::size_t doubles() const { return doubles_; }

 private:
  yoke::device& device_;
  std::vector<zone_shape> shapes_;
  device_table<device_zone> table_;
  std::shared_ptr<const device_buffer> work_;
  std::size_t doubles_ = 0;
  yoke::device_ptr<const device_zone> at_;
};

}  // namespace

std::shared_ptr<const device_buffer> kept_work::get(const zones_there& batch,
                                                    const std::function<device_buffer()>& make) {
  auto& kept = all_[{&batch.dev, std::vector(batch.zones.numbers.begin(), batch.zones.numbers.end())}];
  std::shared_ptr<const device_buffer> found = kept.lock();
  if (found == nullptr) kept = found = std::make_shared<const device_buffer>(make());
  return found;
}

std::function<void(yoke::stream_handle)> prepare_steps(const benchmark& what, const zones_there& batch,
                                                       kept_work& work) {
  const std::shared_ptr<device_solver> solver = what.make_device_solver();
  const auto size_of = [&](const zone_shape& shape) {
    return rounded_up(solver->scratch_bytes(shape) / sizeof(double));
  };
  const auto zones = std::make_shared<const placed_zones>(batch, size_of, &work);
  return [solver, zones](yoke::stream_handle stream) { solver->advance(zones->on(stream)); };
}

void start(const benchmark& what, const zones_there& batch, bool with_forcing) {
  const placed_zones zones{batch, no_work};
  const zones_on_device there = zones.on(batch.stream);
  if (with_forcing) launch_forcing(there, what.what().kind, what.coefficients());
  launch_initial_state(there, what.what().kind, what.coefficients());
  what.make_device_solver()->make_residual(there);
  batch.dev.synchronize(batch.stream);
}

void sum_norms(const benchmark& what, const zones_there& batch, bool all, std::span<zone_norms> by_zone) {
  const benchmark_kind kind = what.what().kind;
  const auto size_of = [&](const zone_shape& shape) {
    const norm_rows rows{kind, shape};
    return static_cast<std::size_t>(all ? rows.size() : rows.xce_at());
  };
  const placed_zones zones{batch, size_of};
  (all ? launch_norm_rows : launch_xcr_rows)(zones.on(batch.stream), kind, what.coefficients());
  device_buffer on_host{batch.dev, device_buffer::kind::pinned};
  on_host.reserve(zones.doubles() * sizeof(double), "the sums of the norms, in pinned memory");
  batch.dev.copy(batch.stream, on_host.data(), zones.work_at(), zones.doubles() * sizeof(double),
                 yoke::copy_kind::device_to_host);
  batch.dev.synchronize(batch.stream);
  const auto* sums = reinterpret_cast<const double*>(on_host.data());
  for (std::size_t i = 0; i < batch.zones.numbers.size(); ++i) {
    const norm_rows rows{kind, batch.zones.fields[i].shape};
    zone_norms& to = by_zone[static_cast<std::size_t>(batch.zones.numbers[i])];
    if (all)
      to = norms_of_sums(what.coefficients(), rows, sums);
    else
      to.xcr = xcr_of_sums(rows, sums);
    sums += size_of(batch.zones.fields[i].shape);
  }
}

}  // namespace npb
