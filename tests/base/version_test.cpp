#include <fmt/format.h>
#include <support/catch.hpp>

#include <yoke/version.hpp>

TEST_CASE("the library, the headers and the package have one version", "[base]") {
  CHECK(yoke::version() == PROJECT_VERSION);
  CHECK(yoke::version() ==
        fmt::format("{}.{}.{}", YOKE_VERSION_MAJOR, YOKE_VERSION_MINOR, YOKE_VERSION_PATCH));
  STATIC_REQUIRE(YOKE_VERSION == YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH);
}

TEST_CASE("the library says how it was built", "[base]") {
  const yoke::build_options& build = yoke::options_of_build();
  CHECK(build.compiler == __VERSION__);
  CHECK(build.type == BUILD_TYPE);
  CHECK(build.gpu == BUILD_GPU);
  CHECK(build.gpu_compiler.empty() == (build.gpu == "none"));
  CHECK(build.sanitizers == BUILD_SANITIZE);
  CHECK(build.checks == (BUILD_CHECK == 1));
}
