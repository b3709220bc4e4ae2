/// A program with more rights than its caller. The test program itself is copied, given away and made
/// set-uid.
#include <filesystem>
#include <string>
#include <support/catch.hpp>
#include <support/process.hpp>
#include <support/scratch_folder.hpp>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <yoke/environment_mark.hpp>
#include <yoke/settings.hpp>

using yoke::detail::get_environment;

namespace {

/// Of the hidden test case, where the file system ignores the bit.
constexpr int no_privileges = 77;

}  // namespace

TEST_CASE("inside a set-uid program", "[.inside-set-uid]") {
  if (getauxval(AT_SECURE) == 0) _exit(no_privileges);
  CHECK(yoke::detail::environment_with("YOKE_").empty());
  CHECK_FALSE(yoke::settings::from_environment().trace);
  for (const char* name : {"YOKE_SCHEDULE", "_YOKE_TELL", "_YOKE_SET", "HOME", "XDG_CACHE_HOME", "TMPDIR"})
    CHECK_FALSE(get_environment(name));
  CHECK(get_environment("OMP_PLACES") == "{0}");  // as libomp reads it
  CHECK(yoke::detail::is_set_by_user("OMP_PLACES"));
  yoke::detail::set_environment("YOKE_CUS", "1x1");
  CHECK(get_environment("YOKE_CUS") == "1x1");  // of the program itself
  yoke::detail::set_as_yoke("OMP_PROC_BIND", "close");
  CHECK_FALSE(yoke::detail::is_set_by_user("OMP_PROC_BIND"));
}

#ifndef YOKE_SANITIZED  // what a sanitizer does at the end of a program needs the caller's rights
TEST_CASE("the caller's variables do not steer a set-uid program", "[privileges]") {
  if (geteuid() != 0) return support::skip("only root can give a program away");
  constexpr unsigned nobody = 65534;
  const support::scratch_folder folder;
  const std::string program = folder / "set-uid";
  std::filesystem::copy_file("/proc/self/exe", program);
  REQUIRE(chown(program.c_str(), nobody, nobody) == 0);
  REQUIRE(chmod(program.c_str(), 04755) == 0);
  const auto ran = support::run_process(
      {program, "[.inside-set-uid]"},
      {"YOKE_TRACE=/trace", "YOKE_SCHEDULE=./evil.so:x", "_YOKE_TELL=/told", "_YOKE_SET=1:1:0;OMP_PLACES={0}",
       "HOME=/home", "XDG_CACHE_HOME=/cache", "TMPDIR=/tmp", "OMP_PLACES={0}"});
  if (ran.status == no_privileges) return support::skip("this folder's file system has no set-uid programs");
  CHECK(ran.status == 0);
  CHECK_THAT(ran.output, Catch::Contains("All tests passed"));
}
#endif
