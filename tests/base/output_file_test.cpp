#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <support/catch.hpp>
#include <support/limit.hpp>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <yoke/output_file.hpp>

using yoke::detail::is_stream;
using yoke::detail::output_file;
using yoke::detail::try_to_open;

namespace {

std::string contents(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("a FIFO is opened once and written once, whatever is written later", "[output_file]") {
  const support::scratch_folder folder;
  const std::string path = folder / "fifo";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK(is_stream(path));
  std::string read;
  std::thread reader{[&] { read = contents(path); }};
  {
    output_file file{path};
    CHECK(file.is_stream());
    CHECK(file.write(std::string(1 << 20, 'x')) == 0);
    CHECK(file.write("a second document") == 0);
  }
  reader.join();
  CHECK(read == std::string(1 << 20, 'x'));
}

TEST_CASE("a reader that has gone is an error, and no signal ends the program", "[output_file]") {
  const support::scratch_folder folder;
  const std::string path = folder / "fifo";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  output_file file{path};
  close(reader);
  REQUIRE(std::signal(SIGPIPE, SIG_DFL) != SIG_ERR);
  CHECK(file.write("text") == EPIPE);
}

TEST_CASE("a regular file holds what was written last, and is made anew where it was taken away",
          "[output_file]") {
  const support::scratch_folder folder;
  output_file file{folder / "a"};
  CHECK_FALSE(std::ifstream{file.path()});  // nothing is made before there is a result
  CHECK(file.write("long text") == 0);
  CHECK(file.write("short") == 0);
  CHECK(try_to_open(file.path()) == 0);
  CHECK(contents(file.path()) == "short");
  unlink(file.path().c_str());
  CHECK(file.write("again") == 0);
  CHECK(contents(file.path()) == "again");
}

TEST_CASE("what cannot be written says why", "[output_file]") {
  const support::scratch_folder folder;
  CHECK(output_file{folder / "missing/a"}.write("text") == ENOENT);
  CHECK(output_file{folder.path().string()}.write("text") == EISDIR);
  CHECK(output_file{"/dev/full"}.write("text") == ENOSPC);
  CHECK(try_to_open(folder / "missing/a") == ENOENT);
  CHECK_FALSE(is_stream("/dev/null"));
  CHECK_FALSE(is_stream(folder / "missing"));
}

TEST_CASE("a file over the limit of its size is an error, and no signal ends the program", "[output_file]") {
  const support::scratch_folder folder;
  output_file file{folder / "large"};
  {
    const support::limit small_files{RLIMIT_FSIZE, 100};
    CHECK(file.write(std::string(101, 'x')) == EFBIG);
    CHECK(file.write(std::string(100, 'y')) == 0);
  }
  CHECK(contents(file.path()) == std::string(100, 'y'));
}
