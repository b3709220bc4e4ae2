#include "misuse.hpp"

#include <cstdint>

namespace attack {

using yoke::host_space;
using yoke::space_id;

namespace {

constexpr space_id device_space{1};
constexpr std::size_t bytes = 800;

char* bytes_of(std::vector<double>& of) { return reinterpret_cast<char*>(of.data()); }

/// Registers nothing in the end; for regions that must not become any.
void try_region(victim& of, const void* start, std::size_t size) { of.memory().register_mem(start, size); }

std::vector<misuse> registrations() {
  return {
      {"registers the null pointer",
       kind::usage,
       {"null pointer"},
       [](victim& v) { try_region(v, nullptr, 8); }},
      {"registers nothing",
       kind::usage,
       {"(0 bytes)", "cannot be empty"},
       [](victim& v) { try_region(v, &v.passes, 0); }},
      {"registers beyond the end of the address space",
       kind::usage,
       {std::to_string(SIZE_MAX), "end of the address space"},
       [](victim& v) { try_region(v, &v.passes, SIZE_MAX); }},
      {"registers half of the address space",
       kind::usage,
       {std::to_string(SIZE_MAX / 2), "not all of it is memory"},
       [](victim& v) { try_region(v, &v.passes, SIZE_MAX / 2); }},
      {"registers a region twice",
       kind::usage,
       {"(800 bytes) overlaps"},
       [](victim& v) { try_region(v, v.first.data(), bytes); }},
      {"registers the end of a region",
       kind::usage,
       {"(8 bytes) overlaps", "(800 bytes)"},
       [](victim& v) { try_region(v, bytes_of(v.first) + bytes - 8, 8); }},
      {"registers around a region",
       kind::usage,
       {"overlaps", "(800 bytes)"},
       [](victim& v) { try_region(v, bytes_of(v.first) + 8, 8); }},
      {"reserves nothing",
       kind::usage,
       {"at least one byte"},
       [](victim& v) { (void)v.memory().reserve(0); }},
      {"reserves half of the address space",
       kind::memory,
       {std::to_string(SIZE_MAX / 2)},
       [](victim& v) { (void)v.memory().reserve(SIZE_MAX / 2); }},
  };
}

std::vector<misuse> keys() {
  return {
      {"migrates what is no region",
       kind::usage,
       {"not the key", "register_mem"},
       [](victim& v) { yoke::placement::migrate(&v.passes); }},
      {"migrates the null pointer",
       kind::usage,
       {"not the key"},
       [](victim&) { yoke::placement::migrate(nullptr); }},
      {"asks for an address inside a region",
       kind::usage,
       {"lies inside region", "(800 bytes)"},
       [](victim& v) { (void)yoke::placement::mem_addr(bytes_of(v.first) + 8); }},
      {"uses a region after unregistering it",
       kind::usage,
       {"not the key"},
       [](victim& v) {
         v.memory().register_mem(&v.passes, sizeof v.passes);
         v.memory().unregister_mem(&v.passes);
         (void)v.memory().placement_of(&v.passes);
       }},
      {"unregisters a region twice",
       kind::usage,
       {"not the key"},
       [](victim& v) {
         v.memory().register_mem(&v.passes, sizeof v.passes);
         v.memory().unregister_mem(&v.passes);
         v.memory().unregister_mem(&v.passes);
       }},
      {"asks for the size of an unknown region",
       kind::usage,
       {"not the key"},
       [](victim& v) { (void)v.memory().size_of(&v); }},
  };
}

std::vector<misuse> spaces() {
  return {
      {"migrates to a space that does not exist",
       kind::usage,
       {"space 99", "no such memory space"},
       [](victim& v) { v.memory().migrate(v.first.data(), space_id{99}); }},
      {"migrates to no space",
       kind::usage,
       {"space -1"},
       [](victim& v) { v.memory().migrate(v.first.data(), space_id{}); }},
      {"migrates to a unit that does not exist",
       kind::usage,
       {"compute unit 99", "no such unit"},
       [](victim& v) { yoke::placement::migrate(v.first.data(), yoke::unit_id{99}); }},
      {"migrates more than a device has",
       kind::memory,
       {"134217728 bytes wanted", "space 1 (emulated:0)"},
       [](victim& v) {
         void* large = v.memory().reserve(std::size_t{128} << 20);
         try {
           v.memory().migrate(large, device_space);
         } catch (...) {
           v.memory().unregister_mem(large);
           throw;
         }
       },
       only::with_gpu},
      {"asks for the GPU of a space that does not exist",
       kind::usage,
       {"space 7"},
       [](victim&) { (void)yoke::placement::gpu_id(space_id{7}); }},
  };
}

std::vector<misuse> memory_of_spaces() {
  return {
      {"deallocates the host memory of a registered region",
       kind::usage,
       {"space 0 (host)", "belongs to the program"},
       [](victim& v) { v.memory().dealloc(v.first.data(), host_space); }},
      {"deallocates where nothing is",
       kind::usage,
       {"space 1 (emulated:0)", "not allocated there"},
       [](victim& v) { v.memory().dealloc(v.first.data(), device_space); },
       only::with_gpu},
      {"deallocates twice",
       kind::usage,
       {"deallocated twice"},
       [](victim& v) {
         v.memory().alloc(v.second.data(), device_space);
         v.memory().dealloc(v.second.data(), device_space);
         v.memory().dealloc(v.second.data(), device_space);
       },
       only::with_gpu},
      {"copies to where nothing is",
       kind::usage,
       {"space 1 (emulated:0)", "alloc it there first"},
       [](victim& v) { v.memory().copy(v.first.data(), host_space, device_space); },
       only::with_gpu},
  };
}

std::vector<misuse> memory_brought_along() {
  return {
      {"adopts on the host",
       kind::usage,
       {"at its key"},
       [](victim& v) { v.memory().adopt(v.first.data(), &v, host_space); }},
      {"adopts the null pointer",
       kind::usage,
       {"null pointer"},
       [](victim& v) { v.memory().adopt(v.first.data(), nullptr, device_space); },
       only::with_gpu},
  };
}

}  // namespace

std::vector<misuse> misuse_of_regions() {
  return together({registrations(), keys(), spaces(), memory_of_spaces(), memory_brought_along()});
}

}  // namespace attack
