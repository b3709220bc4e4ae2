// Names nothing of the runtime, which must be linked and started from the environment all the same.
#include <cstdio>

#include <yoke/cu.hpp>

int main() { std::printf("%d CUs\n", yoke::cu::n_cus()); }
