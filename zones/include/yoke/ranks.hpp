// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Processes that share zones. Those of MPI are in `yoke/mpi_ranks.hpp` (yoke::mpi).

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke {

class device;

/// Each of them has one of these, with the same size and a number of its own. All call `gather` in the same
/// order, from the thread that uses the zones. What fails is thrown as an error of the library behind it.
class ranks {
 public:
  ranks() = default;
  virtual ~ranks() = default;
  ranks(const ranks&) = delete;
  ranks& operator=(const ranks&) = delete;

  virtual int size() const = 0;
  virtual int rank() const = 0;
  /// What each of them gives, by rank.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) = 0;

  /// Bytes for another rank, or from it, in host memory, or in that of a device (takes_devices): its parts in
  /// this order are one message.
  struct message {
    int rank = 0;
    std::vector<std::span<std::byte>> parts{};
  };
  /// Whether messages between all ranks may have parts in memory of their devices, of which these are here.
  /// All call it in the same order. Else such parts go through host memory.
  virtual bool takes_devices(std::span<device* const> here) {
    static_cast<void>(here);
    return false;
  }
  /// Messages that are sent again and again.
  class exchange {
   public:
    exchange() = default;
    virtual ~exchange() = default;
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;
    /// Sends them, and does not wait. This and `is_over` are called by other threads than `gather`, one at a
    /// time.
    virtual void start() = 0;
    /// Whether all have come and gone; asked again and again, so that they go on.
    virtual bool is_over() = 0;
  };
  /// Messages with the same tag between two ranks arrive in the order in which they were sent. The memory
  /// stays as long as the exchange.
  virtual std::unique_ptr<exchange> make_exchange(int tag, std::span<const message> sent,
                                                  std::span<const message> received) = 0;
  /// This rank cannot go on, and others wait for it: ends all of them, with that text.
  virtual void end_all(const std::string& why) noexcept = 0;
};

}  // namespace yoke
