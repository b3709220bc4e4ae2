#pragma once
/// What all arrays of one runtime share.

#include "turns.hpp"

#include <atomic>
#include <compare>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/balancer.hpp>
#include <yoke/runtime.hpp>

namespace yoke::detail {

class array_state;
class halo_streams;
class result_memory;

/// A GPU CU as arrays use it: on the stream of the CU.
struct gpu_unit {
  int unit = 0;
  space_id space;
  device* dev = nullptr;
  stream_handle stream{};
};

/// What memory that serves for a while is for, in messages.
struct scratch_purpose {
  const char* what;  ///< "partial results"
  const char* loop;
  std::string_view advice;  ///< where there is none; lives as long as the program

  region_label label() const;
};

/// Loops that learn together how their indices are dealt: of one body, nearly as long, on the same units.
struct dealt_key {
  std::string name;
  int digits = 0;  ///< of the number of indices
  std::vector<int> units;
  friend auto operator<=>(const dealt_key&, const dealt_key&) = default;
};
/// How they have learned: of so many parts of a loop. The balancer knows units by their places in the list.
struct dealt_loops {
  static constexpr std::int64_t parts = std::int64_t{1} << 20;
  std::vector<int> units;
  scheduling::balancer sharing;
};

class array_context {
 public:
  explicit array_context(runtime& rt);
  /// The one of `rt`, the same for all of its arrays.
  static std::shared_ptr<array_context> of(runtime& rt);

  runtime& rt() const { return *rt_; }
  bool is_of(const runtime& rt) const { return rt_ == &rt; }
  /// False once the runtime has ended: then nothing of it may be touched.
  bool is_alive() const { return live_size_->load() > 0; }
  int n_units() const { return n_cpu_units + static_cast<int>(gpus.size()); }

  /// Null for a CPU CU.
  const gpu_unit* gpu_of(int unit) const {
    return unit < n_cpu_units ? nullptr : &gpus[static_cast<std::size_t>(unit - n_cpu_units)];
  }

  /// The runtime's, for work that may be a program's own, by a call that has the lock.
  void each_unit(const unit_body& body);
  /// Takes the lock of a call that ends something. False where that is left as it is: exit() was called by
  /// work that is under way, and its threads go on.
  bool lock_to_end(std::unique_lock<turns>& guard);

  /// Memory of GPU CU `gpu` that serves until the next call for it. Errors: out_of_memory.
  void* scratch(std::size_t gpu, std::size_t bytes, const scratch_purpose& purpose);
  /// Gives back memory of a GPU, which nothing that is queued uses; null: none. What cannot be given back
  /// ends with the runtime.
  void give_back(key region) noexcept;

  int n_cpu_units = 0;
  std::vector<gpu_unit> gpus;  ///< GPU CU i is unit n_cpu_units + i
  bool checks = false;         ///< YOKE_CHECK
  turns lock;
  std::vector<array_state*> arrays;
  std::size_t n_arrays_made = 0;
  /// Of dist::balanced, by the extent of dimension 0.
  std::map<std::int64_t, scheduling::balancer> balanced;
  std::map<dealt_key, dealt_loops> dealt;  ///< loops that no array shares out
  std::weak_ptr<halo_streams> beside;      ///< of the arrays whose halos have travelled on them
  std::weak_ptr<result_memory> results;    ///< of the arrays of loops with results

 private:
  struct temporary {
    key region = nullptr;
    std::size_t bytes = 0;
  };

  runtime* rt_;
  int at_work_ = 0;  ///< calls of each_unit; under the lock
  std::shared_ptr<const std::atomic<int>> live_size_;
  std::vector<temporary> scratch_;
};

/// What arrays of a context share as long as one of them has it; made where none has.
template <class T>
std::shared_ptr<T> shared_by_arrays(std::weak_ptr<T>& known, const std::shared_ptr<array_context>& context) {
  std::shared_ptr<T> one = known.lock();
  if (one == nullptr) {
    one = std::make_shared<T>(context);
    known = one;
  }
  return one;
}

/// As the names of its devices begin.
std::string_view backend_of(const device& gpu);
/// Errors: usage_error inside a parallel region, naming the call.
void refuse_in_region(const char* call);
/// Waits for all that is queued; keeps silent about what fails.
void drain(std::span<const gpu_unit> gpus) noexcept;

}  // namespace yoke::detail
