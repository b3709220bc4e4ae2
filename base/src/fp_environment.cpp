#include <yoke/fp_environment.hpp>

namespace yoke::detail {

#if defined(__x86_64__)

namespace {

/// Below are the flags of what has happened, which stay each thread's own.
constexpr std::uint32_t of_vectors = 0xffc0;

std::uint32_t vectors_now() noexcept {
  std::uint32_t value = 0;
  __asm__ volatile("stmxcsr %0" : "=m"(value));
  return value;
}

std::uint16_t x87_now() noexcept {
  std::uint16_t value = 0;
  __asm__ volatile("fnstcw %0" : "=m"(value));
  return value;
}

}  // namespace

fp_environment fp_environment::of_this_thread() noexcept {
  fp_environment now;
  now.vectors_ = vectors_now() & of_vectors;
  now.x87_ = x87_now();
  return now;
}

void fp_environment::take() const noexcept {
  const std::uint32_t before = vectors_now();
  if ((before & of_vectors) != vectors_) {
    const std::uint32_t next = (before & ~of_vectors) | vectors_;
    __asm__ volatile("ldmxcsr %0" ::"m"(next));
  }
  // A flag that is up and traps from here on would do so at once.
  if (x87_now() != x87_) __asm__ volatile("fnclex\n\tfldcw %0" ::"m"(x87_));
}

#else

fp_environment fp_environment::of_this_thread() noexcept {
  fp_environment now;
  std::fegetenv(&now.all_);
  return now;
}

void fp_environment::take() const noexcept { std::fesetenv(&all_); }

#endif

}  // namespace yoke::detail
