// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Agents: host code that tells of tasks, waits for them, and for other agents.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <yoke/task_starter.hpp>

namespace yoke {

/// A placed object on the host, for an agent: until this goes, or the agent ends, tasks that use it wait for
/// that. To wait for such a task with it is a circle.
template <class T>
class host_access {
 public:
  host_access(std::shared_ptr<void> held, std::span<T> values) : held_{std::move(held)}, values_{values} {}
  host_access(const host_access&) = delete;
  host_access& operator=(const host_access&) = delete;
  host_access(host_access&&) noexcept = default;
  host_access& operator=(host_access&&) noexcept = default;
  ~host_access() = default;

  std::span<T> get() const { return values_; }
  operator std::span<T>() const { return values_; }  // NOLINT(google-explicit-constructor): it is that span
  std::size_t size() const { return values_.size(); }
  T* data() const { return values_.data(); }
  T& operator[](std::size_t at) const { return values_[at]; }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  std::shared_ptr<void> held_;
  std::span<T> values_;
};

/// What an agent has. Of use on the agent's own thread, until its body returns.
///
/// Whatever waits here is refused with a usage_error that names the members where agents would wait in a
/// circle. Calls of placement on objects that tasks or agents use, as x.host(), wait too, and for the agent
/// itself where it uses them: it asks me.host instead.
class agent_context : public task_starter {
 public:
  /// For a task or an agent, of any group. Errors: as task::wait.
  void wait(const task& which) const { which.wait(); }
  /// For all tasks and agents that this one has told. Errors: of the first that failed by itself, in the
  /// order told, and that nobody was told of.
  void wait_all();
  /// Waits until agent `other` meets this one, and is then true for both; false where `other` ends without
  /// that, or never runs. Errors: usage_error for itself, for a task, and for an agent of another group.
  [[nodiscard]] bool meet(const task& other);
  /// An object on the host, behind all tasks told so far that use it, as `in(x)`, `out(x)` or `inout(x)`
  /// says. Errors: with which it is broken; task_cancelled; as run.
  template <class T>
  [[nodiscard]] host_access<T> host(const detail::placed_role<T>& role) {
    auto [held, address] = fetch(role.use);
    return {std::move(held), {static_cast<T*>(address), role.size()}};
  }

 private:
  friend class detail::task_core;
  agent_context(std::shared_ptr<detail::task_core> core, std::shared_ptr<detail::task_record> self)
      : task_starter{std::move(core), {}}, self_{std::move(self)} {}
  std::pair<std::shared_ptr<void>, void*> fetch(const detail::task_use& use);

  std::shared_ptr<detail::task_record> self_;
};

}  // namespace yoke
