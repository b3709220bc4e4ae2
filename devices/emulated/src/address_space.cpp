#include "address_space.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include <yoke/descriptor.hpp>
#include <yoke/endings.hpp>
#include <yoke/error.hpp>

namespace yoke::emulated {

namespace {

std::size_t page_size() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Below this a freed range keeps its pages: a system call and new faults would cost more than they give.
constexpr std::size_t worth_giving_back = std::size_t{1} << 20;

/// Addresses for a memory: as on a GPU, whose memory is mapped page by page, holes between allocations are no
/// loss while bytes are free.
std::size_t addresses_for(std::size_t bytes) {
  constexpr std::size_t most_more = std::size_t{64} << 30;
  return bytes + (bytes < most_more / 3 ? 3 * bytes : most_more);
}

/// All that live. Without end: a kernel that calls exit() leaves streams of other devices at work.
struct address_spaces {
  std::mutex lock;
  const address_space::listed* first = nullptr;
};
constinit address_spaces all;

std::string told_of(const std::string& device) {
  return ", an address in the memory of " + device +
         ". Addresses from placement::mem_addr and alloc on a GPU are for kernels and copies: in a kernel go "
         "through yoke::device_ptr, on the host migrate or copy the region to the host first.";
}

/// A file that is larger than the process may have one would end it by a signal.
void check_limit_of_files(const std::string& device, std::size_t memory, std::size_t file) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= file)
    return;
  throw device_error{
      fmt::format(
          "{}: a device memory of {} bytes takes a file of {} bytes in memory, and files of this process "
          "may have {} bytes (RLIMIT_FSIZE, `ulimit -f`); raise that limit, or lower memory= in "
          "YOKE_EMULATED",
          device, memory, file, limit.rlim_cur),
      device_failure::out_of_memory};
}

}  // namespace

address_space::mapping::mapping(std::size_t bytes, const std::string& device)
    : limit_{bytes}, bytes_{(addresses_for(bytes) + page_size() - 1) / page_size() * page_size()} {
  try {
    map(device);
  } catch (...) {
    release();
    throw;
  }
}

void address_space::mapping::map(const std::string& device) {
  const auto check = [&](bool good, const char* call) {
    if (good) return;
    throw device_error{
        fmt::format("{}: making a device memory of {} bytes failed in {}: {}; lower memory= in "
                    "YOKE_EMULATED",
                    device, limit_, call, std::strerror(errno)),
        device_failure::out_of_memory};
  };
  check_limit_of_files(device, limit_, bytes_);
  file_ = yoke::detail::above_standard_streams(memfd_create(("yoke " + device).c_str(), MFD_CLOEXEC));
  check(file_ >= 0, "memfd_create");
  check(ftruncate(file_, static_cast<off_t>(bytes_)) == 0, "ftruncate");
  const auto map_file = [&](int rights) {
    void* address = mmap(nullptr, bytes_, rights, MAP_SHARED | MAP_NORESERVE, file_, 0);
    check(address != MAP_FAILED, "mmap");
    return static_cast<char*>(address);
  };
  pages_ = map_file(PROT_READ | PROT_WRITE);
  alias_ = map_file(PROT_NONE);
}

address_space::mapping::~mapping() { release(); }

void address_space::mapping::release() const noexcept {
  if (yoke::detail::leaves_all()) return;  // streams go on
  if (alias_ != nullptr) munmap(alias_, bytes_);
  if (pages_ != nullptr) munmap(pages_, bytes_);
  if (file_ >= 0) close(file_);
}

void address_space::mapping::give_pages_back(std::size_t first, std::size_t last) const noexcept {
  first = (first + page_size() - 1) / page_size() * page_size();
  last = last / page_size() * page_size();
  if (first >= last) return;
  // Failing only means that the pages stay.
  [[maybe_unused]] const int result = fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                                static_cast<off_t>(first), static_cast<off_t>(last - first));
}

address_space::address_space(std::size_t bytes, const std::string& device)
    : mapping_{bytes, device},
      guard_{yoke::detail::touched::device_address, reinterpret_cast<std::uintptr_t>(mapping_.alias()),
             reinterpret_cast<std::uintptr_t>(mapping_.alias()) + mapping_.bytes(), told_of(device)},
      ranges_{bytes, mapping_.bytes()},
      limit_{ranges_.free_bytes()},
      listed_{*this} {}

address_space::listed::listed(const address_space& self) : self_{self} {
  const std::lock_guard guard{all.lock};
  next_ = std::exchange(all.first, this);
}

address_space::listed::~listed() {
  const std::lock_guard guard{all.lock};
  const listed** at = &all.first;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

void* address_space::translate_anywhere(const void* address, std::size_t bytes) {
  const std::lock_guard guard{all.lock};
  for (const listed* each = all.first; each != nullptr; each = each->next_)
    if (void* page = each->self_.translate(address, bytes)) return page;
  return nullptr;
}

void touch_pages(void* first, std::size_t bytes) {
  auto* const pages = static_cast<volatile char*>(first);
  for (std::size_t at = 0; at < bytes; at += page_size()) pages[at] = pages[at];
}

void* address_space::allocate(std::size_t bytes) {
  const std::lock_guard guard{lock_};
  const auto offset = ranges_.take(bytes);
  return offset ? mapping_.alias() + *offset : nullptr;
}

void address_space::deallocate(void* address) noexcept {
  if (address == nullptr) return;
  const auto offset = static_cast<std::size_t>(static_cast<char*>(address) - mapping_.alias());
  const std::lock_guard guard{lock_};
  const std::size_t free_before = ranges_.free_bytes();
  const auto hole = ranges_.give_back(offset);
  YOKE_ASSERT(hole.has_value(), "an address is freed on an emulated device that it did not allocate");
  const std::size_t length = ranges_.free_bytes() - free_before;
  if (length >= worth_giving_back) mapping_.give_pages_back(offset, offset + length);
}

void* address_space::translate(const void* address, std::size_t bytes) const {
  const auto first = reinterpret_cast<std::uintptr_t>(mapping_.alias());
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  if (wanted < first || wanted - first >= mapping_.bytes()) return nullptr;
  const std::lock_guard guard{lock_};
  return ranges_.contains(wanted - first, bytes) ? mapping_.pages() + (wanted - first) : nullptr;
}

std::size_t address_space::free_bytes() const {
  const std::lock_guard guard{lock_};
  return ranges_.free_bytes();
}

detail::address_window address_space::window() const {
  return {.first = reinterpret_cast<std::uintptr_t>(mapping_.alias()),
          .reach = mapping_.bytes() - 1,
          .offset = mapping_.pages() - mapping_.alias()};
}

}  // namespace yoke::emulated
