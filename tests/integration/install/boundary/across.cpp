#include <yoke/placement.hpp>

int main() {}
