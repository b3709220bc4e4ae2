#pragma once
/// The memory of a field over all zones: one slab for CPU CUs, one for each GPU CU, there and on the host.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <yoke/detail/zone_calls.hpp>
#include <yoke/runtime_engine.hpp>

namespace yoke::detail {

/// Which unit has which zones.
struct zone_layout {
  std::vector<unit_id> map;                ///< by zone, whose memory it is in; -1: on another rank
  std::vector<unit_id> dealt;              ///< by zone, as the schedule has it
  std::vector<unit_id> sharing;            ///< units that share all that they have: the first has it in `map`
  std::vector<std::vector<int>> zones_of;  ///< by unit, ascending

  zone_layout() = default;
  zone_layout(std::vector<unit_id> dealt, int n_units, std::vector<unit_id> sharing);
  bool leads(unit_id unit) const { return !sharing.empty() && sharing.front() == unit; }
  /// The unit's number among those that share; -1: it is none.
  int member(unit_id unit) const;
  bool is_here(int zone) const { return unit_of(zone) >= 0; }
  unit_id unit_of(int zone) const { return map[static_cast<std::size_t>(zone)]; }
  unit_id dealt_to(int zone) const { return dealt[static_cast<std::size_t>(zone)]; }
  std::span<const int> of(unit_id unit) const { return zones_of[static_cast<std::size_t>(unit)]; }
};

/// Give memory back to the device that gave it.
struct device_deallocation {
  device_memory* dev = nullptr;
  void operator()(void* address) const noexcept { dev->deallocate(address); }
};
struct pinned_deallocation {
  device_memory* dev = nullptr;
  void operator()(void* address) const noexcept { dev->deallocate_pinned(address); }
};

/// Bytes of a memory space that its device gives; freed with the object.
class device_slab {
 public:
  device_slab() = default;
  /// Errors: out_of_memory naming what it is for.
  device_slab(device_memory& dev, std::size_t bytes, const std::string& purpose);
  std::byte* data() const { return static_cast<std::byte*>(at_.get()); }

 private:
  std::unique_ptr<void, device_deallocation> at_;
};

/// Zeroed pages of the host, which are there once they are used: more may be asked for than there is memory.
class host_slab {
 public:
  host_slab() = default;
  /// Errors: out_of_memory naming what it is for.
  host_slab(std::size_t bytes, const std::string& purpose);
  std::byte* data() const { return at_.get(); }

 private:
  struct give_back {
    std::size_t bytes;
    void operator()(std::byte* address) const noexcept;
  };
  std::unique_ptr<std::byte, give_back> at_;
};

/// A piece of the engine, removed with the object, which waits for what uses it.
class owned_piece {
 public:
  owned_piece() = default;
  owned_piece(flow::engine& of, std::string name, std::size_t bytes, std::vector<void*> addresses)
      : of_{&of}, what_{of.add(std::move(name), bytes, std::move(addresses))} {}
  owned_piece(owned_piece&& other) noexcept { *this = std::move(other); }
  owned_piece& operator=(owned_piece&& other) noexcept {
    std::swap(of_, other.of_);
    std::swap(what_, other.what_);
    return *this;
  }
  ~owned_piece();

  versions::piece what() const { return what_; }
  /// In host memory, when that has returned; `writes`: it is to be changed there. Errors: those of what wrote
  /// it; device_error.
  void bring_to_host(bool writes) const;

 private:
  flow::engine* of_ = nullptr;
  versions::piece what_{};
};

/// Forgets them. Errors: the first one's, when all are over: what they use may be given back then.
void wait_for_all(std::span<flow::completion> all);

/// One piece of the engine for each unit that has zones. In host memory a zone is in its place for good,
/// whichever CPU CU has it.
class field_memory {
 public:
  /// Zeros. Errors: out_of_memory; device_error.
  field_memory(runtime& rt, std::string name, const field_form& form, std::span<const zone_box> zones,
               const zone_layout& layout);
  /// With what is in `before`, in another layout: zones of CPU CUs stay where they are, and zones of a GPU CU
  /// on the device. Waits; nobody may use `before` any more. Errors: out_of_memory; those of what wrote it.
  field_memory(runtime& rt, const field_memory& before, const zone_layout& layout);
  field_memory(const field_memory&) = delete;
  field_memory& operator=(const field_memory&) = delete;

  versions::piece piece_of(unit_id unit) const { return pieces_[static_cast<std::size_t>(unit)].what(); }
  /// The first byte of a zone, its halo's, where its unit computes.
  void* at_unit(int zone) const;
  void* on_host(int zone) const;
  std::size_t bytes_of(int zone) const { return bytes_[static_cast<std::size_t>(zone)]; }
  /// As owned_piece::bring_to_host.
  void bring_to_host(unit_id unit, bool writes) const {
    pieces_[static_cast<std::size_t>(unit)].bring_to_host(writes);
  }

 private:
  /// Of a GPU CU.
  struct slab {
    host_slab host{};
    device_slab device{};
  };
  bool is_on_device(int zone) const { return is_on_device(layout_.unit_of(zone)); }
  bool is_on_device(unit_id unit) const { return device_of(unit) != nullptr; }
  device* device_of(unit_id unit) const;
  void lay_out();
  void allocate(const compute_unit& unit, std::size_t bytes);
  void add_piece(const compute_unit& unit, std::size_t bytes);
  void fill_with_zeros(unit_id unit) const;
  /// To where the others find them on the host.
  flow::completion send_leaving(unit_id unit, const field_memory& to) const;
  flow::completion take_over(unit_id unit, const field_memory& before) const;

  runtime& rt_;
  flow::runtime_engine& engine_;
  std::string name_;
  zone_layout layout_;
  std::vector<std::size_t> bytes_;    ///< by zone
  std::vector<std::size_t> offsets_;  ///< by zone, in the slab of its GPU CU
  std::vector<std::size_t> places_;   ///< by zone, among those of CPU CUs
  std::vector<slab> slabs_;           ///< by unit
  std::shared_ptr<const host_slab> of_cpus_;
  std::vector<owned_piece> pieces_;  ///< by unit; they end before their memory
};

}  // namespace yoke::detail
