#include "device_messages.hpp"

#include "mpi_calls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include <yoke/detail/error_text.hpp>
#include <yoke/error.hpp>
#include <yoke/settings.hpp>

// Libraries have some of these, and say so in headers of their own. Where there is none its address is null.
// NOLINTBEGIN(readability-identifier-naming): names of MPI
extern "C" {
[[gnu::weak]] int MPIX_Query_cuda_support();
[[gnu::weak]] int MPIX_Query_hip_support();       // MPICH
[[gnu::weak]] int MPIX_Query_rocm_support();      // Open MPI
[[gnu::weak]] int MPIX_Query_emulated_support();  // libraries of tests
[[gnu::weak]] int MPIX_GPU_query_support(int kind, int* is_supported);
}
// NOLINTEND(readability-identifier-naming)

namespace yoke::detail {

namespace {

constexpr std::array<std::string_view, 3> words{"host", "ask", "direct"};

/// As MPICH counts kinds.
bool says_so_of_kind(int kind) {
  int is_supported = 0;
  return MPIX_GPU_query_support != nullptr && MPIX_GPU_query_support(kind, &is_supported) == MPI_SUCCESS &&
         is_supported != 0;
}
bool says_so(int (*query)()) { return query != nullptr && query() != 0; }

std::string backend_of(const device& of) { return of.info().name.substr(0, of.info().name.find(':')); }

}  // namespace

device_setting setting_of_devices() {
  const sourced text{get_environment("YOKE_MPI_DEVICES").value_or("host"), "YOKE_MPI_DEVICES"};
  const auto found = std::ranges::find(words, std::string_view{text.value});
  if (found == words.end())
    throw config_error{fmt::format("{}: no place that messages leave from; accepted: {}", text.quoted(),
                                   fmt::join(words, " | "))};
  return static_cast<device_setting>(found - words.begin());
}

bool library_takes(std::string_view backend) {
  constexpr int cuda = 0, hip = 2;
  if (backend == "cuda") return says_so(MPIX_Query_cuda_support) || says_so_of_kind(cuda);
  if (backend == "hip")
    return says_so(MPIX_Query_hip_support) || says_so(MPIX_Query_rocm_support) || says_so_of_kind(hip);
  return backend == "emulated" && says_so(MPIX_Query_emulated_support);
}

std::string first_not_taken(device_setting how, std::span<device* const> devices) {
  if (how != device_setting::ask) return "";
  for (const device* const each : devices)
    if (std::string backend = backend_of(*each); !library_takes(backend)) return backend;
  return "";
}

std::string device_vote::text() const {
  return fmt::format("{} {} {}", static_cast<int>(how), n_devices, not_taken);
}

device_vote device_vote::of(const std::string& text) {
  const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
  return {static_cast<device_setting>(std::stoi(text)), std::stoi(text.substr(first)),
          text.substr(second + 1)};
}

bool is_wanted(std::span<const device_vote> all) {
  return std::ranges::any_of(all, [](const device_vote& each) { return each.how != device_setting::host; });
}

std::string why_from_host(std::span<const device_vote> all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].how == device_setting::host) return fmt::format("rank {} has host", rank);
    if (!all[rank].not_taken.empty())
      return fmt::format("the MPI library does not say that it takes memory of {} devices",
                         all[rank].not_taken);
  }
  return "";
}

int most_devices(std::span<const device_vote> all) {
  int most = 0;
  for (const device_vote& each : all) most = std::max(most, each.n_devices);
  return most;
}

std::string first_problem(std::span<const std::string> by_rank) {
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    if (!by_rank[rank].empty()) return fmt::format("rank {}: {}", rank, by_rank[rank]);
  return "";
}

namespace {

constexpr int tag = 32767;  // of no exchange before there are checkpoints
constexpr std::size_t message_bytes = 4096;
using letter = std::array<std::byte, message_bytes>;

/// Of a rank: no two neighbours send the same.
letter letter_of(int rank) {
  letter all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::byte>((i * 7 + static_cast<std::size_t>(rank) * 13 + 1) & 0xff);
  return all;
}

struct deallocation {
  device* dev = nullptr;
  void operator()(void* address) const noexcept { dev->deallocate(address); }
};

/// Room for what is sent and for what comes; on the host without a device.
class mailbox {
 public:
  mailbox(device* dev, const letter& sent) : dev_{dev} {
    if (dev_ != nullptr) {
      memory_ = {dev_->allocate(2 * message_bytes), {dev_}};
      if (memory_ == nullptr) throw out_of_memory{"memory of a device for a message", 2 * message_bytes, 0};
    }
    write(sent);
  }
  std::span<std::byte> sent() { return {data(), message_bytes}; }
  std::span<std::byte> received() { return {data() + message_bytes, message_bytes}; }
  letter what_came() {
    letter all{};
    copy(all.data(), received().data(), message_bytes, copy_kind::device_to_host);
    return all;
  }

 private:
  std::byte* data() { return dev_ != nullptr ? static_cast<std::byte*>(memory_.get()) : on_host_.data(); }
  void write(const letter& of) {
    const letter none{};
    copy(sent().data(), of.data(), message_bytes, copy_kind::host_to_device);
    copy(received().data(), none.data(), message_bytes, copy_kind::host_to_device);
  }
  void copy(void* to, const void* from, std::size_t bytes, copy_kind kind) {
    if (dev_ == nullptr) {
      std::copy_n(static_cast<const std::byte*>(from), bytes, static_cast<std::byte*>(to));
      return;
    }
    const stream_handle stream = dev_->create_stream();
    dev_->copy(stream, to, from, bytes, kind);
    dev_->synchronize(stream);
    dev_->destroy_stream(stream);
  }

  device* dev_;
  std::array<std::byte, 2 * message_bytes> on_host_{};
  std::unique_ptr<void, deallocation> memory_;
};

}  // namespace

/// A neighbour waits for a message: where that cannot be sent, one without bytes.
void message_ring::pass_on(std::span<std::byte> sent, std::span<std::byte> received) const {
  MPI_Request coming = MPI_REQUEST_NULL, going = MPI_REQUEST_NULL;
  const byte_type in{std::array{received}}, out{std::array{sent}};
  check(MPI_Irecv(MPI_BOTTOM, 1, in.get(), (rank_ + size_ - 1) % size_, tag, among_, &coming), "MPI_Irecv");
  const int next = (rank_ + 1) % size_;
  const int result = MPI_Isend(MPI_BOTTOM, 1, out.get(), next, tag, among_, &going);
  if (result != MPI_SUCCESS) check(MPI_Isend(nullptr, 0, MPI_BYTE, next, tag, among_, &going), "MPI_Isend");
  wait_for(going, "a message from memory of a device");
  wait_for(coming, "a message into memory of a device");
  check(result, "a message from memory of a device");
}

std::string message_ring::problem_with(device* dev) const {
  const letter sent = letter_of(rank_);
  std::string problem;
  std::unique_ptr<mailbox> own;
  const auto or_note = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      problem = text_of(std::current_exception());
    }
  };
  or_note([&] { own = std::make_unique<mailbox>(dev, sent); });
  if (own == nullptr) own = std::make_unique<mailbox>(nullptr, sent);
  or_note([&] { pass_on(own->sent(), own->received()); });
  or_note([&] {
    if (problem.empty() && own->what_came() != letter_of((rank_ + size_ - 1) % size_))
      problem = "a message between memories of devices has come with other bytes";
  });
  return problem;
}

std::string message_ring::problem_with(std::span<device* const> devices) const {
  std::string first;
  for (int round = 0; round < rounds_; ++round) {
    const auto which = static_cast<std::size_t>(round);
    std::string problem =
        problem_with(devices.empty() ? nullptr : devices[std::min(which, devices.size() - 1)]);
    if (first.empty()) first = std::move(problem);
  }
  return first;
}

}  // namespace yoke::detail
