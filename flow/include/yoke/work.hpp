// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// One piece of work: what it uses, where, and how far it is.

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/mark.hpp>
#include <yoke/version_table.hpp>

namespace yoke::flow {

/// What work does with a piece.
enum class role {
  in,     ///< reads it
  out,    ///< overwrites all of it
  inout,  ///< changes it
};
struct argument {
  versions::piece what;
  role as;
  std::optional<space_id> memory{};  ///< in which work uses it; nullopt: in that of its lane
};

/// What takes work in order, by its number in a dispatcher.
using lane_id = id<struct lane_tag>;

/// Bytes that go from one memory to another together.
struct transfer {
  space_id from, to;
  std::vector<versions::piece> pieces;
};

/// Made by a dispatcher, and read by whoever waits for it: its end is its mark.
class work : public versions::mark {
 public:
  work(std::string name, lane_id lane, versions::stream on, std::uint64_t number, versions::worker* by)
      : mark{on, number, by}, name_{std::move(name)}, lane_{lane} {}

  const std::string& name() const { return name_; }
  lane_id lane() const { return lane_; }
  bool has_begun() const { return has_begun_; }
  bool says_end() const { return says_end_; }
  /// Whether somebody waits for it, or work of any lane comes behind it. Read by who does it, without a lock.
  const std::atomic<bool>& is_awaited() const { return is_awaited_; }
  void await() { is_awaited_.store(true, std::memory_order_relaxed); }
  /// What it brings; null for what was told by the program.
  const transfer* brings() const { return brings_.pieces.empty() ? nullptr : &brings_; }
  /// As it was told.
  const void* plan() const { return plan_.get(); }

 private:
  friend class dispatcher;

  /// What it comes after, and the part of that whose failure is its own.
  versions::marks before_;
  std::vector<std::shared_ptr<const versions::mark>> sources_;
  std::exception_ptr doom_;     ///< with which it has failed or will
  std::exception_ptr failure_;  ///< its own, which counts where nothing that it reads has failed
  bool has_begun_ = false, has_run_ = false, says_end_ = false;
  std::atomic<bool> is_awaited_{false};

  std::string name_;
  lane_id lane_;
  transfer brings_{};
  std::shared_ptr<const void> plan_;
};
using work_ptr = std::shared_ptr<work>;

}  // namespace yoke::flow
