#pragma once
/// Tasks that hold their CU until they are told.

#include <future>

#include <yoke/tasks.hpp>

namespace task_tests {

/// Holds CPU CUs alone: what runs on a GPU CU must not wait.
class gate {
 public:
  yoke::task hold(yoke::task_starter& on, const yoke::task_options& options = {}) {
    return on.run("hold", options, [is_open = is_open_](yoke::task_context& me) {
      if (!me.is_gpu()) is_open.wait();
    });
  }
  void open() { opens_.set_value(); }
  void wait() const { is_open_.wait(); }

 private:
  std::promise<void> opens_;
  std::shared_future<void> is_open_ = opens_.get_future().share();
};

}  // namespace task_tests
