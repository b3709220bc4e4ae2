#include "mpi_calls.hpp"

#include <fmt/format.h>
#include <limits>
#include <string>

#include <yoke/detail/spin.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

void check(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw error{fmt::format("{}: {}", what, std::string(text, static_cast<std::size_t>(length)))};
}

bool is_finalized() {
  int is = 0;
  MPI_Finalized(&is);
  return is != 0;
}

void refuse_after_the_end(const char* what) {
  if (is_finalized())
    throw usage_error{fmt::format("{}: MPI_Finalize was called before; end what uses mpi_ranks first", what)};
}

void wait_for(MPI_Request& request, const char* what) {
  const auto is_over = [&] {
    int is = 0;
    check(MPI_Test(&request, &is, MPI_STATUS_IGNORE), what);
    return is != 0;
  };
  if (!detail::spin_until(is_over)) detail::nap_until(is_over);
}

byte_type::byte_type(std::span<const std::span<std::byte>> parts) {
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  const std::byte* end = nullptr;
  for (const std::span<std::byte>& each : parts) {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    if (each.size() > most)
      throw usage_error{
          fmt::format("a face of {} bytes for another rank; at most {} are accepted", each.size(), most)};
    if (each.data() == end && static_cast<std::size_t>(lengths.back()) + each.size() <= most) {
      lengths.back() += static_cast<int>(each.size());
    } else {
      lengths.push_back(static_cast<int>(each.size()));
      check(MPI_Get_address(each.data(), &places.emplace_back()), "MPI_Get_address");
    }
    end = each.data() + each.size();
  }
  check(MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE,
                                 &type_),
        "MPI_Type_create_hindexed");
  check(MPI_Type_commit(&type_), "MPI_Type_commit");
}
byte_type::~byte_type() {
  if (!is_finalized()) MPI_Type_free(&type_);
}

requests::requests(MPI_Comm among, int tag, std::span<const ranks::message> sent,
                   std::span<const ranks::message> received) {
  all_.reserve(sent.size() + received.size());
  for (const ranks::message& each : received) {
    const byte_type type{each.parts};
    check(MPI_Recv_init(MPI_BOTTOM, 1, type.get(), each.rank, tag, among, &all_.emplace_back()),
          "MPI_Recv_init");
  }
  for (const ranks::message& each : sent) {
    const byte_type type{each.parts};
    check(MPI_Send_init(MPI_BOTTOM, 1, type.get(), each.rank, tag, among, &all_.emplace_back()),
          "MPI_Send_init");
  }
}
requests::~requests() {
  if (is_finalized()) return;
  for (MPI_Request& each : all_)
    if (each != MPI_REQUEST_NULL) MPI_Request_free(&each);
}
void requests::start() {
  refuse_after_the_end("an exchange");
  check(MPI_Startall(static_cast<int>(all_.size()), all_.data()), "MPI_Startall");
}
bool requests::is_over() {
  int are_over = 0;
  check(MPI_Testall(static_cast<int>(all_.size()), all_.data(), &are_over, MPI_STATUSES_IGNORE),
        "MPI_Testall");
  return are_over != 0;
}

}  // namespace yoke::detail
