// What a child that was forked beside a runtime in use can do. Each child ends by exit, so that every case
// also shows that the child's static destructors end; a child that hangs dies of its alarm.
#include "helpers.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <yoke/emulated.hpp>

namespace {

struct ended_child {
  int status = -1;   ///< exit status, or 128 + the signal that ended it
  std::string text;  ///< what `body` returned
};

/// Runs `body` in a child and lets it exit.
ended_child in_child(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const std::string text = body();
    const bool sent = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    std::exit(sent ? 0 : 1);
  }
  close(ends[1]);
  ended_child ended;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    ended.text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

void check_refused(const std::function<void()>& body) {
  const ended_child child = in_child([&] { return support::message_of<yoke::usage_error>(body); });
  CHECK(child.status == 0);
  CHECK(child.text ==
        "this process was forked from one that uses Yoke: threads, OpenMP's places and devices stay with the "
        "parent; fork before the first runtime is made, or start a program in the child (exec)");
}

void check_silent(const std::function<void()>& body) {
  const ended_child child = in_child([&] {
    body();
    return "done";
  });
  CHECK(child.status == 0);
  CHECK(child.text == "done");
}

void add_one_everywhere(yoke::runtime& rt, pieces& data, int n) {
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = n});
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const int task : batch) data.add_one_to(task);
  });
}

}  // namespace

// Run by itself: in this process nobody has made a runtime yet.
TEST_CASE("a process that has made no runtime may fork a child that makes one", "[.][before-a-runtime]") {
  const ended_child child = in_child([] { return std::to_string(yoke::cu::n_cus()); });
  CHECK(child.status == 0);
  CHECK(child.text == "2");
}

TEST_CASE("a child of a process with a runtime in use may exit", "[runtime][fork]") {
  yoke::runtime& rt = yoke::runtime::current();  // static, so that the child destroys it
  static pieces data{8, 100};
  add_one_everywhere(rt, data, 8);
  check_silent([] {});
  CHECK(data.all_are(1));
}

TEST_CASE("whatever a forked child asks of Yoke is refused", "[runtime][fork]") {
  yoke::runtime& rt = yoke::runtime::current();
  static pieces data{8, 100};
  add_one_everywhere(rt, data, 8);
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = 8});
  yoke::region_table& regions = rt.memory();
  yoke::device& device = *rt.devices().front();
  check_refused([] { static_cast<void>(yoke::cu::n_cus()); });
  check_refused([] { yoke::placement::migrate(data.home(7), yoke::host_space); });
  check_refused([&] { regions.migrate(data.home(7), yoke::host_space); });
  check_refused([&] { static_cast<void>(rt.memory()); });
  check_refused([&] { static_cast<void>(rt.make_loop("static", {.n_tasks = 8})); });
  check_refused([&] { rt.run(loop, [](std::span<const yoke::task_id>) {}); });
  check_refused([&] { device.synchronize(); });
  check_refused([&] { device.synchronize(rt.units().at(yoke::unit_id{1}).stream); });
  check_refused([&] { static_cast<void>(device.allocate(1)); });
  check_refused([] { const yoke::runtime another; });
  check_refused([] { static_cast<void>(yoke::runtime::current()); });
  // The parent goes on.
  add_one_everywhere(rt, data, 8);
  CHECK(data.all_are(2));
}

TEST_CASE("what a forked child destroys ends there and stays with the parent", "[runtime][fork]") {
  const std::string path = (std::filesystem::temp_directory_path() / "yoke_runtime_fork_test.json").string();
  std::optional<yoke::runtime> rt;
  rt.emplace(yoke::runtime_options{.trace = yoke::sourced{path, "test"}});
  auto device = yoke::make_emulated_device(5, {.memory = 64 << 20});
  const yoke::stream_handle stream = device->create_stream();
  const yoke::event_handle event = device->create_event();
  constexpr std::size_t bytes = 2 << 20;  // so many that their pages are given back
  void* there = device->allocate(bytes);
  std::vector<char> host(bytes, 7);
  device->copy(stream, there, host.data(), bytes, yoke::copy_kind::host_to_device);
  device->record(event, stream);
  device->synchronize(stream);
  std::filesystem::remove(path);

  check_silent([&] {
    device->deallocate(there);
    device->destroy_event(event);
    device->destroy_stream(stream);
    device.reset();
    rt.reset();
  });
  CHECK_FALSE(std::filesystem::exists(path));
  std::vector<char> back(bytes);
  device->copy(stream, back.data(), there, bytes, yoke::copy_kind::device_to_host);
  device->synchronize(stream);
  CHECK(back == host);
  device->destroy_event(event);
  rt.reset();
  CHECK(std::filesystem::remove(path));
}
