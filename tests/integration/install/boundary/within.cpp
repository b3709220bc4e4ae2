#include <yoke/scheduling.hpp>

int main() {}
