#pragma once
/// Calls of MPI with errors, and what persistent messages are made of.

#include <mpi.h>
#include <span>
#include <vector>

#include <yoke/ranks.hpp>

namespace yoke::detail {

/// Errors: error with what MPI says.
void check(int result, const char* what);
bool is_finalized();
/// Errors: usage_error.
void refuse_after_the_end(const char* what);
/// Errors: error with what MPI says.
void wait_for(MPI_Request& request, const char* what);

/// The bytes of a message, wherever they are; parts that lie behind each other are one.
class byte_type {
 public:
  /// Errors: usage_error for a part of more bytes than MPI counts.
  explicit byte_type(std::span<const std::span<std::byte>> parts);
  ~byte_type();
  byte_type(const byte_type&) = delete;
  byte_type& operator=(const byte_type&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Persistent requests; those that receive are started first.
class requests final : public ranks::exchange {
 public:
  requests(MPI_Comm among, int tag, std::span<const ranks::message> sent,
           std::span<const ranks::message> received);
  ~requests() override;
  void start() override;
  bool is_over() override;

 private:
  std::vector<MPI_Request> all_;
};

}  // namespace yoke::detail
