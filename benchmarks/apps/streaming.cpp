// Compiled by a GPU's compiler where there is one.
#include "streaming.hpp"

#include "kernels.hpp"
#include "plain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>

#include <yoke/arrays.hpp>
#include <yoke/clock.hpp>

namespace apps {

namespace {

using namespace yoke::loops;

constexpr double factor = 0.5;
constexpr double bytes_of_element = 3 * sizeof(double);

/// Elements i and i + period are the same.
constexpr std::size_t period = 10'007;

std::vector<double> wave() {
  std::vector<double> values(period);
  for (std::size_t i = 0; i < period; ++i) values[i] = std::sin(0.37 * static_cast<double>(i));
  return values;
}

/// Memory and a stream of a device for one chunk.
class chunk_copies {
 public:
  static constexpr std::int64_t elements = std::int64_t{1} << 21;

  explicit chunk_copies(yoke::device& dev)
      : dev_{dev}, memory_{static_cast<double*>(dev.allocate(2 * elements * sizeof(double)))} {
    if (memory_ == nullptr) throw std::runtime_error{"no memory for plain copies on " + dev.info().name};
    stream_ = dev.create_stream();
  }
  ~chunk_copies() {
    dev_.destroy_stream(stream_);
    dev_.deallocate(memory_);
  }
  chunk_copies(const chunk_copies&) = delete;
  chunk_copies& operator=(const chunk_copies&) = delete;

  void wait() { dev_.synchronize(stream_); }
  /// x and y come, and y goes.
  void queue(const double* x, double* y, std::int64_t n) {
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
    dev_.copy(stream_, memory_, x, bytes, yoke::copy_kind::host_to_device);
    dev_.copy(stream_, memory_ + elements, y, bytes, yoke::copy_kind::host_to_device);
    dev_.copy(stream_, y, memory_ + elements, bytes, yoke::copy_kind::device_to_host);
  }

 private:
  yoke::device& dev_;
  double* memory_;
  yoke::stream_handle stream_{};
};

/// A unit's part of two vectors, chunk after chunk, from the start again behind the end.
class turns {
 public:
  turns(yoke::bound part, std::int64_t chunk) : part_{part}, chunk_{chunk}, next_{part.begin} {}
  yoke::bound take() {
    if (next_ >= part_.end) next_ = part_.begin;
    const std::int64_t from = next_;
    next_ = std::min(from + chunk_, part_.end);
    done_ += next_ - from;
    return {from, next_};
  }
  std::int64_t done() const { return done_; }

 private:
  yoke::bound part_;
  std::int64_t chunk_, next_, done_ = 0;
};

/// Elements a second.
double copy_rate(yoke::device& dev, yoke::bound part, const double* x, double* y, yoke::seconds window) {
  std::array<chunk_copies, 3> all{chunk_copies{dev}, chunk_copies{dev}, chunk_copies{dev}};
  turns of{part, chunk_copies::elements};
  const yoke::ticks from = yoke::now();
  for (std::size_t turn = 0; yoke::elapsed(from, yoke::now()) < window; turn = (turn + 1) % all.size()) {
    all[turn].wait();
    const yoke::bound next = of.take();
    all[turn].queue(x + next.begin, y + next.begin, next.size());
  }
  for (chunk_copies& each : all) each.wait();
  return static_cast<double>(of.done()) / yoke::elapsed(from, yoke::now());
}

double triad_rate(int threads, yoke::bound part, const double* x, double* y, yoke::seconds window) {
  turns of{part, chunk_copies::elements / 4};
  const yoke::ticks from = yoke::now();
  while (yoke::elapsed(from, yoke::now()) < window) {
    const yoke::bound next = of.take();
    plain::axpy(threads, next.size(), factor, x + next.begin, y + next.begin);
  }
  return static_cast<double>(of.done()) / yoke::elapsed(from, yoke::now());
}

/// As many elements for each, of n.
yoke::bound part_of(std::int64_t n, int unit, int n_units) {
  return {n * unit / n_units, n * (unit + 1) / n_units};
}

}  // namespace

streaming_axpy::streaming_axpy(yoke::runtime& rt, std::int64_t elements) : rt_{rt}, n_{elements} {
  const std::vector<double> values = wave();
  x_.resize(static_cast<std::size_t>(n_));
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = values[i % period];
  y_ = y_plain_ = x_;
  for (yoke::device* dev : rt_.devices())
    for (std::vector<double>* each : {&x_, &y_, &y_plain_}) pinned_.emplace_back(*dev, std::span{*each});
}

void streaming_axpy::measure_plain(yoke::seconds window, streaming_rates& found) {
  std::vector<double> rates(static_cast<std::size_t>(rt_.units().size()));
  rt_.each_unit([&](yoke::unit_id id) {
    const yoke::compute_unit& unit = rt_.units().at(id);
    const yoke::bound part = part_of(n_, id, rt_.units().size());
    double& rate = rates[static_cast<std::size_t>(int{id})];
    rate = unit.dev != nullptr
               ? copy_rate(*unit.dev, part, x_.data(), y_plain_.data(), window)
               : triad_rate(static_cast<int>(unit.cpus.size()), part, x_.data(), y_plain_.data(), window);
  });
  for (const yoke::compute_unit& unit : rt_.units().all())
    (unit.dev != nullptr ? found.copies : found.triad) +=
        bytes_of_element * rates[static_cast<std::size_t>(int{unit.id})];
}

double streaming_axpy::elements_of_yoke(yoke::seconds window) {
  const yoke::streamed x{rt_, x_, {n_}};
  yoke::streamed y{rt_, y_, {n_}};
  yoke::seconds took = 0;
  std::int64_t runs = 0;
  for (const yoke::ticks from = yoke::now(); took < window; took = yoke::elapsed(from, yoke::now())) {
    yoke::for_each<axpy_kernel>(rt_, {n_}, in(x), inout(y), factor);
    ++runs;
  }
  runs_ += runs;
  return static_cast<double>(runs * n_) / took;
}

streaming_rates streaming_axpy::measure(yoke::seconds window) {
  streaming_rates found;
  measure_plain(window, found);
  found.yoke = bytes_of_element * elements_of_yoke(window);
  return found;
}

bool streaming_axpy::agree() const {
  const std::vector<double> x = wave();
  std::vector<double> wanted = x;
  for (std::int64_t run = 0; run < runs_; ++run)
    for (std::size_t i = 0; i < period; ++i) wanted[i] += factor * x[i];
  for (std::size_t i = 0; i < y_.size(); ++i)
    if (y_[i] != wanted[i % period]) return false;
  return true;
}

}  // namespace apps
