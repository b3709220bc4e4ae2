#include "system_texts.hpp"

#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>

using namespace std::string_literals;

TEST_CASE("a quota is CPU time a second, and no limit is none", "[tools]") {
  CHECK(tools::quota_in("150000 100000\n") == 1.5);
  for (const char* none : {"max 100000\n", "", "150000", "-1 100000", "150000 0", "nonsense"}) {
    CAPTURE(none);
    CHECK_FALSE(tools::quota_in(none));
  }
}

TEST_CASE("the group of a process is relative to where groups are, whatever the kernel writes", "[tools]") {
  CHECK(tools::own_group_in("0::/user.slice/a\n") == "user.slice/a");
  CHECK(tools::own_group_in("12:cpu:/old\n0::/new\n") == "new");
  CHECK(tools::own_group_in("0:://etc\n") == "etc");
  CHECK(tools::own_group_in("0::/\n").empty());
  CHECK(tools::own_group_in("12:cpu:/old\n").empty());
}

TEST_CASE("of words the one in brackets is chosen", "[tools]") {
  CHECK(tools::chosen_in("always [madvise] never\n") == "madvise");
  for (const char* none : {"", "always", "[always", "always]", "] always ["}) {
    CAPTURE(none);
    CHECK(tools::chosen_in(none).empty());
  }
}

TEST_CASE("a process of Yoke's has its variables where a variable begins", "[tools]") {
  const auto is_one = [](const std::string& variables) {
    return tools::process_texts{.variables = variables}.is_of_yoke();
  };
  CHECK(is_one("YOKE_CUS=2x2\0"s));
  CHECK(is_one("HOME=/\0_YOKE_SET=OMP_PLACES\0"s));
  CHECK_FALSE(is_one("NO_YOKE_CUS=2x2\0YOKE_CUSS=1\0"s));
  CHECK_FALSE(is_one(""));
}

TEST_CASE("a process has the name of its first line and the CPUs of its status", "[tools]") {
  const tools::process_texts one{.comm = "sp-mz\n", .status = "Name:\tsp-mz\nCpus_allowed_list:\t0-2,8\n"};
  CHECK(one.name() == "sp-mz");
  CHECK(one.cpus() == std::vector<int>{0, 1, 2, 8});
  CHECK(tools::process_texts{.status = "Name:\tx\n"}.cpus().empty());
  CHECK_THROWS_AS(tools::process_texts{.status = "Cpus_allowed_list: 3-1\n"}.cpus(), yoke::config_error);
}

TEST_CASE("a folder of /proc that is no process has no number", "[tools]") {
  CHECK(tools::pid_in("4711") == 4711);
  for (const char* none : {"", "self", "47a", "-47", "99999999999999999999"}) {
    CAPTURE(none);
    CHECK(tools::pid_in(none) == 0);
  }
}

TEST_CASE("a thread's stat tells its name, whatever that holds, whether it runs, and where", "[tools]") {
  const auto stat = [](const std::string& name, const std::string& state, const std::string& cpu) {
    std::string text = "4711 (" + name + ") " + state;
    for (int field = 4; field < 39; ++field) text += " 7";
    return text + " " + cpu + " 0 0";
  };
  const auto found = tools::thread_stat_in(stat("a) R (b", "R", "13"));
  REQUIRE(found);
  CHECK(found->name == "a) R (b");
  CHECK(found->is_running);
  CHECK(found->cpu == 13);
  CHECK_FALSE(tools::thread_stat_in(stat("sleeper", "S", "2"))->is_running);
  for (const std::string& damaged : {std::string{}, std::string{"4711 )("}, std::string{"4711 (cut) R 1 2"},
                                     stat("x", "R", "none"), stat("x", "R", "-1")})
    CHECK_FALSE(tools::thread_stat_in(damaged));
}

TEST_CASE("what a status and a job say of CPUs is read without what stands around it", "[tools]") {
  CHECK(tools::allowed_list_in("Name:\tx\nCpus_allowed_list:\t0-3,8\nMems:\t0\n") == "0-3,8");
  CHECK(tools::allowed_list_in("Name:\tx\n").empty());
  CHECK(tools::leading_number_in("4(x2)") == 4);
  CHECK(tools::leading_number_in("16") == 16);
  for (const char* none : {"", "x4", "-4", "99999999999"}) CHECK(tools::leading_number_in(none) == 0);
}
