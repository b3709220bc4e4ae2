#include "../../base/src/topology_hwloc.hpp"

#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/topology.hpp>

using yoke::accelerator_info;
using yoke::topology;
using yoke::detail::accelerators_of;
using yoke::detail::pci_device;

namespace {

constexpr unsigned nvidia = 0x10de, amd = 0x1002, intel = 0x8086, xilinx = 0x10ee, altera = 0x1172;
constexpr unsigned vga = 0x0300, compute_3d = 0x0302, display = 0x0380, processing = 0x1200, network = 0x0200;

topology recorded(const std::string& name) { return topology::from_xml(YOKE_MACHINES "/" + name + ".xml"); }

std::vector<accelerator_info> found_among(std::vector<pci_device> bus) {
  return accelerators_of({.cpus = {{.cpu = 4}, {.cpu = 2}, {.cpu = 7}}, .bus = std::move(bus)});
}

}  // namespace

TEST_CASE("what computes on the bus is an accelerator, and of what shows pictures NVIDIA's and AMD's",
          "[accelerators]") {
  const auto [vendor, bus_class, name] = GENERATE(table<unsigned, unsigned, std::string>({
      {nvidia, compute_3d, "cuda"},
      {nvidia, vga, "cuda"},
      {amd, display, "hip"},
      {amd, vga, "hip"},
      {xilinx, processing, "fpga"},
      {altera, processing, "fpga"},
      {intel, compute_3d, "other"},
      {intel, processing, "other"},
      {intel, vga, ""},
      {intel, display, ""},
      {nvidia, network, ""},
      {xilinx, network, ""},
  }));
  CAPTURE(vendor, bus_class);
  const std::vector<accelerator_info> found = found_among({{.vendor = vendor, .bus_class = bus_class}});
  REQUIRE(found.size() == (name.empty() ? 0 : 1));
  if (!found.empty()) CHECK(yoke::name_of(found[0].kind) == name);
}

TEST_CASE("accelerators are listed by address, each with what the bus tells", "[accelerators]") {
  const std::vector<accelerator_info> found =
      found_among({{.vendor = amd,
                    .device = 0x66a1,
                    .bus_class = display,
                    .address = "0000:83:00.0",
                    .memory = 1 << 20,
                    .link = 15.75,
                    .beside = {0, 2, 4}},
                   {.vendor = nvidia, .bus_class = compute_3d, .address = "0000:4b:00.0", .name = "A40"}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].model == "A40");
  CHECK(found[0].near.empty());
  CHECK(found[1].model == "1002:66a1");
  CHECK(found[1].memory == 1 << 20);
  CHECK(found[1].link == 15.75);
  CHECK(found[1].near == std::vector{4, 2});  // in the order of the machine's CPUs
}

TEST_CASE("recorded machines have their accelerators, memory and caches", "[accelerators]") {
  const topology epyc = recorded("epyc-7742-2-mi50");
  REQUIRE(epyc.accelerators().size() == 2);
  CHECK(epyc.accelerators()[1].pci == "0000:83:00.0");
  CHECK(epyc.accelerators()[1].memory == std::size_t{16} << 30);
  CHECK(epyc.numa_nodes()[3].memory == std::size_t{64} << 30);
  CHECK(epyc.caches().size() == 16);
  CHECK(recorded("eight-gpus").accelerators().size() == 8);
  CHECK(topology::synthetic("core:2 pu:1").accelerators().empty());
}

TEST_CASE("cores that differ in what they are have kinds, and only these", "[accelerators]") {
  const topology laptop = recorded("laptop-p-e"), server = recorded("ice-lake-2-a40");
  CHECK(laptop.info_of(0).kind == 1);
  CHECK(laptop.info_of(15).kind == 0);
  CHECK(server.info_of(0).kind == server.info_of(63).kind);
}

TEST_CASE("a file that is no machine is refused with its name", "[accelerators]") {
  CHECK_THAT(support::message_of([] { topology::from_xml("/dev/null/machine.xml"); }),
             Catch::Contains("/dev/null/machine.xml"));
  CHECK_THAT(support::message_of([] { topology::from_xml(YOKE_MACHINES "/approved.txt"); }),
             Catch::Contains("approved.txt: no machine"));
}

TEST_CASE("schemes of numbers have names", "[accelerators]") {
  CHECK(std::string{yoke::name_of(yoke::numbering::round_robin)} == "round-robin");
  CHECK(std::string{yoke::name_of(yoke::numbering::linear)} == "linear");
  CHECK(std::string{yoke::name_of(yoke::numbering::other)} != "linear");
}
