// StarPU's tasks, each submitted by the main thread.
#include "contender.hpp"

#include <fmt/format.h>
#include <memory>
#include <starpu.h>

#include <yoke/error.hpp>

namespace bench {

namespace {

void check(int status, const char* what) {
  if (status != 0) throw yoke::error{fmt::format("StarPU: {} failed: {}", what, status)};
}

void run_codelet(void** /*buffers*/, void* argument) { compute(*static_cast<const int*>(argument)); }

class starpu_session {
 public:
  starpu_session(const grain& of, int workers) : of_{of} {
    starpu_conf conf;
    check(starpu_conf_init(&conf), "starpu_conf_init");
    conf.ncpus = workers;
    conf.ncuda = conf.nopencl = 0;
    check(starpu_init(&conf), "starpu_init");
    starpu_codelet_init(&codelet_);
    codelet_.cpu_funcs[0] = run_codelet;
    codelet_.name = "compute";
  }
  ~starpu_session() { starpu_shutdown(); }
  starpu_session(const starpu_session&) = delete;
  starpu_session& operator=(const starpu_session&) = delete;

  void run() {
    for (int n = 0; n < of_.tasks; ++n) {
      starpu_task* task = starpu_task_create();
      task->cl = &codelet_;
      task->cl_arg = &of_.iterations;
      task->cl_arg_size = sizeof of_.iterations;
      check(starpu_task_submit(task), "starpu_task_submit");
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
  }

 private:
  grain of_;
  starpu_codelet codelet_{};
};

}  // namespace

std::vector<contender> of_starpu(int workers) {
  return {{"StarPU tasks", [=](const grain& of) -> pass {
             auto session = std::make_shared<starpu_session>(of, workers);
             return [session] { session->run(); };
           }}};
}

}  // namespace bench
