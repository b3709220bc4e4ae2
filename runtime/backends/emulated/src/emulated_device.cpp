#include <yoke/emulated.hpp>
