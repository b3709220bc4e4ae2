// Tasks that contribute to an object side by side: each in memory of its own, combined by a task behind it.
#include "task_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/task_reduce.hpp>

namespace yoke {

namespace {

struct contribution {
  std::shared_ptr<detail::placed_region> own;
  const detail::placed_region* into;
  const detail::reduction* by;
  std::size_t address;  ///< of the body's
  std::size_t size() const { return own->bytes() / by->element; }
};

void refuse_other_uses(const detail::told& next, const detail::task_use& use) {
  const auto n = std::ranges::count(next.uses, use.object, &detail::task_use::object);
  if (n > 1)
    throw usage_error{
        fmt::format("{}: an object that it reduces into is named {} times; once, for its other bytes are "
                    "those of the tasks before it",
                    next.name, n)};
}

/// What is to be reduced becomes what is overwritten, in memory of its own.
std::vector<contribution> take_contributions(detail::told& next, region_table& memory) {
  std::vector<contribution> all;
  const std::string name = fmt::format("what {} contributes", next.name);
  std::size_t address = 0;
  for (detail::task_use& use : next.uses) {
    if (use.object == nullptr) continue;
    if (use.by != nullptr) {
      refuse_other_uses(next, use);
      all.push_back({std::make_shared<detail::placed_region>(
                         memory, use.object->bytes(), detail::region_label{.name = name, .element = "byte"}),
                     use.object, use.by, address});
      use = {all.back().own.get(), nullptr, detail::task_role::out};
    }
    ++address;
  }
  return all;
}

}  // namespace

task task_starter::start_reducing(detail::told next) {
  const std::vector<contribution> all = take_contributions(next, core_->memory(next.name));
  task_options options = next.options;
  options.flag = {};
  next.body = [all, body = std::move(next.body)](task_context& me, void* const* addresses) {
    for (const contribution& each : all) each.by->clear(me, addresses[each.address], each.size());
    body(me, addresses);
  };
  const std::string name = fmt::format("{}: reduce", next.name);
  task last = start({next.name, options, std::move(next.uses), std::move(next.body)});
  options.work = 1;
  options.at_most = {};
  for (const contribution& each : all) {
    options.after = {last};
    if (&each == &all.back()) options.flag = next.options.flag;
    last = start(
        {name,
         options,
         {{each.own.get(), nullptr, detail::task_role::in}, {each.into, nullptr, detail::task_role::inout}},
         [own = each](task_context& me, void* const* at) { own.by->combine(me, at[1], at[0], own.size()); }});
  }
  return last;
}

}  // namespace yoke
