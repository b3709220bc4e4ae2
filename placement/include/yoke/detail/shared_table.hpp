// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which version of each region is in which space, for several threads.

#include <mutex>

#include <yoke/version_table.hpp>

namespace yoke::detail {

/// The table of a runtime, in which each region is a piece, for all who queue work on these. Nobody waits,
/// copies or computes under its lock.
class shared_table {
 public:
  explicit shared_table(int n_spaces) : table_{n_spaces} {}

  /// The table, for as long as this lives.
  class locked {
   public:
    explicit locked(shared_table& of) : lock_{of.mutex_}, table_{of.table_} {}
    versions::table* operator->() const { return &table_; }
    versions::table& operator*() const { return table_; }

   private:
    std::unique_lock<std::mutex> lock_;
    versions::table& table_;
  };
  locked lock() { return locked{*this}; }
  /// For one call: `table->holds(…)`.
  locked operator->() { return lock(); }
  /// For who holds it across several calls, and sleeps on it.
  std::mutex& mutex() { return mutex_; }
  versions::table& table() { return table_; }

 private:
  std::mutex mutex_;
  versions::table table_;
};

}  // namespace yoke::detail
