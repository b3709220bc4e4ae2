// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ranks of MPI, which share zones.
///
///   yoke::mpi_ranks all;               // first in main
///   yoke::runtime rt;
///   yoke::zones blocks{rt, all, n, extents_of};
///
///   mpirun -np 4 ./program             # as before without mpirun: one rank, and no MPI

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <yoke/cpp20.hpp>
#include <yoke/ranks.hpp>

namespace yoke {

namespace detail {
struct node_of_rank;
}  // namespace detail

/// All processes of a launcher, with a communicator of its own. Where no launcher has started the program,
/// and the program has not initialized MPI, it is the only one, and MPI is not used.
///
/// A rank that leaves it by an exception ends all of them when its process exits, so that main can say why.
///
/// Messages travel between host memories; where YOKE_MPI_DEVICES wants it and messages that are tried arrive,
/// between those of devices. Who waits for them asks MPI; while all compute, a thread of the
/// engine does from time to time.
class mpi_ranks final : public ranks {
 public:
  /// Initializes MPI where nobody has, and finalizes it then. Ranks of a node that the launcher has left the
  /// same CPUs take equal shares of them (keep_to_cpus), where there is one for each; rank 0 says on stderr
  /// that they do, or where ranks may use the same CPUs. Runtimes that are made later take devices by local
  /// rank where ranks of a node see the same. Errors: usage_error for MPI that was initialized
  /// without MPI_THREAD_MULTIPLE, or is finalized; yoke::error with what MPI says, as all calls.
  mpi_ranks();
  ~mpi_ranks() override;

  int size() const override;
  int rank() const override;
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override;
  std::unique_ptr<exchange> make_exchange(int tag, std::span<const message> sent,
                                          std::span<const message> received) override;
  bool takes_devices(std::span<device* const> here) override;
  void end_all(const std::string& why) noexcept override;

 private:
  std::vector<std::string> gathered(const std::string& mine);
  std::vector<detail::node_of_rank> nodes();
  void share_cpus(std::span<const detail::node_of_rank> nodes);
  void tell_process(std::span<const detail::node_of_rank> nodes);

  struct state;
  std::unique_ptr<state> state_;  ///< null: the only one
};

}  // namespace yoke
