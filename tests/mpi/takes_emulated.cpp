// An MPI library that takes memory of emulated devices, as others take that of GPUs: linked before the real
// one. FAKE_MPI=lies says so and does not.
#include "../../devices/emulated/src/address_space.hpp"

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string_view>
#include <vector>

namespace {

bool lies() {
  const char* const how = std::getenv("FAKE_MPI");
  return how != nullptr && std::string_view{how} == "lies";
}
int n_parts = 0;
std::vector<char> elsewhere(std::size_t{1} << 20);

/// Where the host finds what is at `address`.
void* on_host(MPI_Aint address, int bytes) {
  void* const found =
      yoke::emulated::address_space::translate_anywhere(reinterpret_cast<void*>(address), bytes);
  if (found == nullptr) return reinterpret_cast<void*>(address);
  ++n_parts;
  return lies() ? elsewhere.data() : found;
}

}  // namespace

extern "C" {

int MPIX_Query_emulated_support() { return 1; }  // NOLINT(readability-identifier-naming): MPI's

int MPI_Type_create_hindexed(int n, const int lengths[], const MPI_Aint places[], MPI_Datatype of,
                             MPI_Datatype* made) {
  std::vector<MPI_Aint> found;
  for (int i = 0; i < n; ++i) found.push_back(reinterpret_cast<MPI_Aint>(on_host(places[i], lengths[i])));
  return PMPI_Type_create_hindexed(n, lengths, found.data(), of, made);
}

int MPI_Finalize() {
  std::printf("messages had %s in memory of devices\n", n_parts > 2 ? "parts" : "no parts");
  return PMPI_Finalize();
}
}
