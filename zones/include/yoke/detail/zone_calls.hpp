// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How a launch over zones is handed from the template that knows its arguments to the library.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/detail/order_slot.hpp>
#include <yoke/device.hpp>

namespace yoke::detail {

/// Extents of a zone; of fewer than three dimensions the first ones are 1.
struct zone_box {
  std::array<std::int64_t, 3> n{1, 1, 1};

  std::int64_t points() const { return n[0] * n[1] * n[2]; }
  std::int64_t rows() const { return n[0] * n[1]; }
};

/// What a field has at each point.
struct element_form {
  std::size_t bytes = 1;
  std::size_t alignment = 1;
  std::int64_t components = 1;  ///< of so many bytes; each has all points of a zone, one behind the other
  bool operator==(const element_form&) const = default;
};

/// And beside each zone; dimensions as for zone_box.
struct field_form {
  element_form element;
  int dimensions = 1;
  std::array<std::int64_t, 3> halo{0, 0, 0};
  bool has_corners = false;

  std::array<std::int64_t, 3> extents(const zone_box& of) const {
    return {of.n[0] + 2 * halo[0], of.n[1] + 2 * halo[1], of.n[2] + 2 * halo[2]};
  }
  std::int64_t elements_of_component(const zone_box& of) const {
    const auto all = extents(of);
    return all[0] * all[1] * all[2];
  }
  std::int64_t elements(const zone_box& of) const { return element.components * elements_of_component(of); }
};

class zones_core;

/// What a launch does with a field.
struct zone_use {
  const zones_core* of = nullptr;
  int field = 0;
  bool reads = false;
  bool reads_halo = false;
  bool writes = false;
  bool sends = false;  ///< fills halos of neighbours in its batch
};

/// Of a field, and of its zones: these are for one thread at a time, whatever it does.
ordered_uses ordered(const zone_use& use);

/// A zone of a batch, and where each field of the launch has its elements there, the halo's first.
struct zone_memory {
  int zone = 0;
  zone_box box;
  std::vector<void*> fields;
  /// Places in the batch of the zones that are joined, and not turned: low and high side of each of three
  /// dimensions; -1: none.
  std::array<int, 6> neighbours{-1, -1, -1, -1, -1, -1};
};

/// Some points of one zone of a batch. On a device chunk_threads threads from `first` on, each with up to
/// `rows` points of a column; of a sum or a face so many for each thread from point `first` on, in the order
/// of memory; on a CPU CU so many rows.
struct zone_chunk {
  std::int32_t entry = 0;
  std::int32_t rows = 0;
  std::int64_t first = 0;
};
inline constexpr int chunk_threads = 256;
/// Of sums, everywhere.
inline constexpr std::int64_t chunk_points = 4 * chunk_threads;

/// Where a launch runs; on a CPU CU, `dev` is null and the calling thread is that of the CU.
struct zone_launch {
  const compute_unit* unit = nullptr;
  device* dev = nullptr;
  stream_handle stream{};
  const void* entries = nullptr;       ///< in the memory of the unit
  const zone_chunk* chunks = nullptr;  ///< there too
  std::int64_t n_chunks = 0;
  double* results = nullptr;  ///< of each chunk, where there are any
};

/// What runs for the zones of a batch.
class zone_call {
 public:
  zone_call() = default;
  virtual ~zone_call() = default;
  zone_call(const zone_call&) = delete;
  zone_call& operator=(const zone_call&) = delete;

  /// Of its zones, where it is a kernel.
  virtual int dimensions() const { return 3; }
  /// Bytes of an entry of a zone in the table that kernels read.
  virtual std::size_t entry_bytes() const = 0;
  virtual void write_entry(const zone_memory& of, void* to) const = 0;
  virtual void launch(const zone_launch& where, std::span<const zone_memory> batch) const = 0;
  /// Whether each chunk has a result. On CPU CUs chunks are those of devices then.
  virtual bool has_results() const { return false; }
  /// Whether it may be part of a device's graph.
  virtual bool is_recordable() const { return true; }
  /// Whether it is called once for a batch, so that it can order what it does to several zones.
  virtual bool takes_batch() const { return false; }
  /// Whether it may launch several kernels.
  virtual bool may_launch_many() const { return false; }
  /// What runs in its place for that batch of the unit, made once for each layout; null: this one.
  virtual std::shared_ptr<const zone_call> made_for(const compute_unit&, std::span<const zone_memory>) const {
    return nullptr;
  }
};

/// A launch as a step lists it.
struct zone_operation {
  std::string name;
  std::vector<zone_use> uses;
  std::shared_ptr<const zone_call> call;
};

}  // namespace yoke::detail
