#include <yoke/runtime.hpp>
