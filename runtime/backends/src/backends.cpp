#include <yoke/backends.hpp>
