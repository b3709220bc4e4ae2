#pragma once
/// Whether messages may begin and end in the memory of devices: what was asked for, what the library says,
/// and what comes of messages.

#include <mpi.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/device.hpp>

namespace yoke::detail {

enum class device_setting { host, ask, direct };
/// YOKE_MPI_DEVICES. Errors: config_error naming the value and what is accepted.
device_setting setting_of_devices();

/// Whether the library says that it takes memory of devices of that backend. One that has no such call does
/// not say so.
bool library_takes(std::string_view backend);
/// The backend of the first device that is to be asked for and that the library does not take; empty: none.
std::string first_not_taken(device_setting how, std::span<device* const> devices);

/// What a rank says before messages are tried.
struct device_vote {
  device_setting how = device_setting::host;
  int n_devices = 0;
  std::string not_taken{};  ///< a backend

  std::string text() const;
  static device_vote of(const std::string& text);
};
/// Why none are tried; empty where they are.
std::string why_from_host(std::span<const device_vote> all);
int most_devices(std::span<const device_vote> all);
/// Whether some rank was told to.
bool is_wanted(std::span<const device_vote> all);
/// "rank 1: …"; empty where nobody has one.
std::string first_problem(std::span<const std::string> by_rank);

/// Each rank sends to the next one, from and to each of its devices.
class message_ring {
 public:
  message_ring(MPI_Comm among, int rank, int size, int rounds)
      : among_{among}, rank_{rank}, size_{size}, rounds_{rounds} {}
  /// Empty where all have come as they were sent. Takes part in all, whatever fails here.
  std::string problem_with(std::span<device* const> devices) const;

 private:
  std::string problem_with(device* dev) const;
  void pass_on(std::span<std::byte> sent, std::span<std::byte> received) const;

  MPI_Comm among_;
  int rank_, size_, rounds_;
};

}  // namespace yoke::detail
