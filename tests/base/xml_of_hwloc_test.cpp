// Files of hwloc 3 are read by hwloc 2, too.
#include "../../base/src/xml_of_hwloc.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>

#include <yoke/error.hpp>
#include <yoke/topology.hpp>

using Catch::Matchers::Contains;
using yoke::topology;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// As hwloc 3 writes it: names of objects, types of devices as bits, kinds of distances that are new, and
/// what is known of the whole behind the objects.
std::string as_version_3(std::string text) {
  text = std::regex_replace(text, std::regex{"<topology version=\"[^\"]*\">"}, "<topology version=\"3.0\">");
  text = std::regex_replace(text, std::regex{" gp_index=\"([0-9]+)\""}, " gp_index=\"$1\" id=\"obj$1\"");
  text = std::regex_replace(text, std::regex{"osdev_type=\"5\""}, "osdev_type=\"12\"");
  const std::string more =
      "<distances2 type=\"NUMANode\" nbobjs=\"2\" kind=\"69\" name=\"NUMALatency\" indexing=\"os\">"
      "<indexes length=\"4\">0 1 </indexes><u64values length=\"12\">10 21 21 10 </u64values></distances2>\n"
      "<info name=\"Backend\" value=\"Linux\"/>\n";
  const std::size_t kinds = text.find("<cpukind ");
  return text.insert(kinds != std::string::npos ? kinds : text.rfind("</topology>"), more);
}

}  // namespace

TEST_CASE("a machine that hwloc 3 wrote is the one that hwloc 2 would have written", "[topology]") {
  const support::scratch_folder folder;
  int machines = 0;
  for (const fs::path& recorded : {fs::path{YOKE_MACHINES}, fs::path{YOKE_MACHINES} / "recorded"})
    for (const fs::directory_entry& each : fs::directory_iterator{recorded}) {
      if (each.path().extension() != ".xml") continue;
      CAPTURE(each.path().string());
      const std::string path = folder / "3.xml";
      std::ofstream{path} << as_version_3(contents(each.path()));
      const topology before = topology::from_xml(each.path().string()), now = topology::from_xml(path);
      REQUIRE(now.n_cpus() == before.n_cpus());
      CHECK(now.usable_cpus(true) == before.usable_cpus(true));
      CHECK(now.numa_nodes().size() == before.numa_nodes().size());
      CHECK(now.caches().size() == before.caches().size());
      CHECK(now.accelerators().size() == before.accelerators().size());
      for (std::size_t n = 0; n < before.accelerators().size(); ++n)
        CHECK(now.accelerators()[n].memory == before.accelerators()[n].memory);
      for (std::size_t n = 0; n < before.cpus().size(); ++n)
        CHECK(now.cpus()[n].kind == before.cpus()[n].kind);
      ++machines;
    }
  CHECK(machines > 8);
}

TEST_CASE("a file of hwloc that cannot be read is told with its version and how to write one that can",
          "[topology][errors]") {
  const support::scratch_folder folder;
  const std::string path = folder / "m.xml";
  for (const char* version : {"3.0", "4.1"}) {
    std::ofstream{path} << "<topology version=\"" << version << "\"><object type=\"Nothing\"/></topology>";
    CHECK_THAT(support::message_of<yoke::config_error>([&] { (void)topology::from_xml(path); }),
               Contains(std::string{"is in version "} + version) &&
                   Contains("lstopo --export-xml-flags v2 machine.xml"));
  }
  std::ofstream{path} << "<html version=\"3.0\"></html>";
  CHECK_THAT(support::message_of<yoke::config_error>([&] { (void)topology::from_xml(path); }),
             Contains("no machine as hwloc writes it"));
}

TEST_CASE("a file of hwloc 3 that is cut off anywhere or has no objects is none", "[topology]") {
  const std::string text = as_version_3(contents(fs::path{YOKE_MACHINES} / "laptop-p-e.xml"));
  for (std::size_t length = 0; length < text.size(); length += 7)
    CHECK_NOTHROW(yoke::detail::as_of_hwloc_2(std::string_view{text}.substr(0, length)));
  CHECK_FALSE(yoke::detail::as_of_hwloc_2("<topology version=\"3.0\"></topology>"));
  CHECK_FALSE(
      yoke::detail::as_of_hwloc_2("<topology version=\"2.0\"><object type=\"Machine\"></object></topology>"));
  CHECK(yoke::detail::version_of_xml("<topology version=\"3.0") == "");
}
