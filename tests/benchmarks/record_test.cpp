#include "record/record.hpp"

#include "record/commit.hpp"
#include "record/number_option.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>
#include <support/variable.hpp>

#include <yoke/affinity.hpp>
#include <yoke/runtime.hpp>
#include <yoke/settings.hpp>

namespace {

yoke::runtime_options one_of_each() {
  return {.cus = yoke::sourced{"1x1+1", "--cus"}, .devices = yoke::sourced{"emulated:1", "--devices"}};
}

}  // namespace

TEST_CASE("a record names commit, compiler, command and machine", "[record]") {
  const auto found = record::of_program();
  CHECK(found.at("commit") == record::commit());
  CHECK(found.at("build").at("compiler").get<std::string>().find("Clang") != std::string::npos);
  CHECK(found.at("command").at(0) == "record_test");
  CHECK(found.at("host").at("cpus") == yoke::allowed_cpus_at_start().size());
  CHECK_FALSE(found.at("host").at("cpu").get<std::string>().empty());
  CHECK(found.at("host").at("load").size() == 3);
  CHECK(found.at("time").get<std::string>().size() == std::string_view{"2026-11-22T07:53:54Z"}.size());
}

TEST_CASE("a record has the variables of Yoke, OpenMP and the GPUs, and no others", "[record]") {
  yoke::detail::set_environment("KMP_BLOCKTIME", "7");
  yoke::detail::set_environment("SECRET_OMP_WORD", "x");
  const auto found = record::of_program().at("variables");
  yoke::detail::unset_environment("KMP_BLOCKTIME");
  CHECK(found.at("KMP_BLOCKTIME") == "7");
  for (const auto& [name, value] : found.items()) {
    INFO(name);
    CHECK(std::string_view{"YOKE_ OMP_ KMP_ CUDA_ HIP_ ROCR_"}.find(name.substr(0, name.find('_') + 1)) !=
          std::string_view::npos);
  }
}

TEST_CASE("a record is written as JSON whatever bytes a variable has", "[record]") {
  const support::scratch_folder folder;
  const std::string path = folder / "a.json";
  const support::variable set{"KMP_\xfe", "\xff\x1b"};
  record::write_json(path, {{"record", record::of_program()}, {"device", "\xfd"}});
  std::ifstream file{path};
  const auto found = nlohmann::json::parse(file);
  CHECK(found.at("record").at("variables").at("KMP_\\xfe") == "\\xff\x1b");
  CHECK(found.at("device") == "\xef\xbf\xbd");
}

TEST_CASE("a result that cannot be written names the option, the path and why", "[record]") {
  const support::scratch_folder folder;
  CHECK_THAT(support::message_of<yoke::error>([&] { record::write_json(folder / "missing/a.json", {}); }),
             Catch::Contains("--json " + (folder / "missing/a.json") + ": cannot be written: No such file"));
}

TEST_CASE("the record of a run has every setting with its origin, and each device's model", "[record]") {
  yoke::runtime rt{one_of_each()};
  const auto found = record::of_run(rt);
  for (const yoke::setting_info& setting : yoke::base_settings())
    CHECK(found.at("settings").contains(std::string{setting.name}));
  CHECK(found.at("settings").at("YOKE_CUS") == nlohmann::ordered_json{{"value", "1x1+1"}, {"from", "--cus"}});
  REQUIRE(found.at("devices").size() == 1);
  CHECK(found.at("devices").at(0).at("name") == "emulated:0");
  CHECK(found.at("devices").at(0).at("model") == "emulated");
}

TEST_CASE("an option that takes a number refuses what is none, infinite or outside", "[record]") {
  double pcf = 3;
  CLI::App app;
  app.add_option("--pcf", pcf)->check(record::number_in(1e-6, 1e6));
  const auto told = [&](const std::string& given) -> std::string {
    try {
      app.parse("--pcf " + given);
      return "";
    } catch (const CLI::ValidationError& problem) {
      return problem.what();
    }
  };
  for (const char* const given : {"nan", "NAN", "inf", "1e999", "1e-320", "0", "1000001", "0x1p1", "many"})
    CHECK(told(given) == std::string{"--pcf: "} + given + " is not accepted; a number from 1e-06 to 1e+06");
  CHECK(pcf == 3);
  CHECK(told("0.000001").empty());
  CHECK(pcf == 1e-6);
  CHECK(told("1e6").empty());
  CHECK(pcf == 1e6);
}
