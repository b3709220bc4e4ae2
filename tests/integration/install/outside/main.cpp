#include <cstdio>

#include <yoke/yoke.hpp>

int main() {
  const yoke::task_id last{3};
  std::printf("yoke %s: sum %d\n", yoke::version().data(), static_cast<int>(last));
}
