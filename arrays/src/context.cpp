#include "context.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include <yoke/endings.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

bool checks_of(const runtime& rt) {
  const std::vector<setting_in_force> all = rt.settings_in_force();
  return std::ranges::any_of(
      all, [](const setting_in_force& each) { return each.name == "YOKE_CHECK" && each.value == "1"; });
}

}  // namespace

array_context::array_context(runtime& rt)
    : checks{checks_of(rt)}, lock{rt.units().turns()}, rt_{&rt}, live_size_{rt.units().live_size()} {
  for (const compute_unit& unit : rt.units().all()) {
    if (unit.kind == unit_kind::cpu) {
      ++n_cpu_units;
    } else {
      gpus.push_back({int{unit.id}, unit.space, unit.dev, unit.stream});
    }
  }
  scratch_.resize(gpus.size());
}

std::shared_ptr<array_context> array_context::of(runtime& rt) {
  refuse_in_forked_child();
  static std::mutex lock;
  static std::map<const runtime*, std::shared_ptr<array_context>> all;
  const std::lock_guard guard{lock};
  const auto known = all.find(&rt);
  // Another runtime may have been at that address.
  if (known != all.end() && known->second->is_alive()) return known->second;
  std::erase_if(all, [](const auto& each) { return !each.second->is_alive(); });
  return all.emplace(&rt, std::make_shared<array_context>(rt)).first->second;
}

void array_context::each_unit(const unit_body& body) {
  struct counted {
    explicit counted(int& of) : count{of} { ++count; }
    ~counted() { --count; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    int& count;
  };
  const counted one{at_work_};
  rt_->each_unit(body);
}

bool array_context::lock_to_end(std::unique_lock<turns>& guard) {
  if (leaves_all()) return false;
  guard = std::unique_lock{lock, std::try_to_lock};
  if (!guard.owns_lock()) {
    if (openmp::in_region()) return false;  // the thread that has it waits for this one
    guard.lock();
  }
  return at_work_ == 0;
}

region_label scratch_purpose::label() const {
  return {.purpose = fmt::format("{} of for_each '{}'", what, loop), .advice = advice};
}

void* array_context::scratch(std::size_t gpu, std::size_t bytes, const scratch_purpose& purpose) {
  temporary& mine = scratch_[gpu];
  const gpu_unit& on = gpus[gpu];
  region_table& memory = rt_->memory();
  if (mine.bytes < bytes) {
    on.dev->synchronize(on.stream);
    if (mine.region != nullptr) memory.unregister_mem(mine.region);
    mine = {};
    mine.region = memory.reserve(bytes, purpose.label());
    memory.migrate(mine.region, on.space);
    mine.bytes = bytes;
  }
  return memory.mem_addr(mine.region, on.space);
}

std::string_view backend_of(const device& gpu) {
  const std::string_view name = gpu.info().name;
  return name.substr(0, name.find(':'));
}

void array_context::give_back(key region) noexcept {
  if (region == nullptr || !is_alive()) return;
  try {
    rt_->memory().unregister_mem(region);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the memory ends with the runtime
  }
}

void refuse_in_region(const char* call) {
  refuse_in_forked_child();
  if (!openmp::in_region()) return;
  throw usage_error{
      fmt::format("{}: called inside a parallel region, of a run or of the program; call it outside: "
                  "it uses all compute units itself",
                  call)};
}

void drain(std::span<const gpu_unit> gpus) noexcept {
  if (leaves_all()) return;
  for (const gpu_unit& gpu : gpus) {
    try {
      gpu.dev->synchronize(gpu.stream);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the first error is the one reported
    }
  }
}

}  // namespace yoke::detail
