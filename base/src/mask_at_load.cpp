// Libraries are initialized before the program that is linked with them, and libgomp's constructor binds the
// first thread where OMP_PROC_BIND or OMP_PLACES is set. The resolver of an indirect function runs earlier,
// while the program is being relocated. It must not need a relocation itself: no function of a library.
#include "mask_at_load.hpp"

#include <sys/syscall.h>

namespace {

constexpr std::size_t words = 128;  // 8192 CPUs
unsigned long mask[words];
long bytes = 0;

#if defined(__x86_64__)
[[gnu::always_inline]] inline long read_mask() {
  long result = SYS_sched_getaffinity;
  // NOLINTNEXTLINE(hicpp-no-assembler)
  asm volatile("syscall" : "+a"(result) : "D"(0L), "S"(sizeof mask), "d"(&mask[0]) : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
[[gnu::always_inline]] inline long read_mask() {
  register long number asm("x8") = SYS_sched_getaffinity;
  register long result asm("x0") = 0;
  register unsigned long size asm("x1") = sizeof mask;
  register unsigned long* to asm("x2") = &mask[0];
  // NOLINTNEXTLINE(hicpp-no-assembler)
  asm volatile("svc 0" : "+r"(result) : "r"(number), "r"(size), "r"(to) : "memory");
  return result;
}
#else
[[gnu::always_inline]] inline long read_mask() { return 0; }
#endif

void read_already() {}

}  // namespace

extern "C" {
/// Sanitizers are not there yet.
[[gnu::used, clang::disable_sanitizer_instrumentation]] void (*yoke_resolve_mask_at_load())() {
  bytes = read_mask();
  return &read_already;
}
[[gnu::ifunc("yoke_resolve_mask_at_load")]] void yoke_mask_at_load();
}

namespace yoke::detail {

std::span<const unsigned long> mask_at_load() {
  yoke_mask_at_load();  // else nothing would have to be resolved
  if (bytes <= 0) return {};
  return {&mask[0], static_cast<std::size_t>(bytes) / sizeof mask[0]};
}

}  // namespace yoke::detail
