#include "copy_elements.hpp"

#include "../shapes/shares.hpp"

namespace yoke::detail {

namespace {

/// All but what is copied inside of the host. Whether some of it goes from one memory to another.
bool queue_copies(const contents& from, const contents& to, const store& target, ordered_copies& copies) {
  bool travels = false;
  for (const index_set& own : target.own)
    for_each_source(from, own, target.gpu, [&](const store& source, const index_set& what) {
      if (source.gpu == nullptr && target.gpu == nullptr) return;
      travels = travels || source.gpu != target.gpu;
      for_each_copy({target.at, source.at, what, what.begins(), to.shape().element},
                    [&](const box_copy& box) { copies.add(source.gpu, target.gpu, box); });
    });
  return travels;
}

/// What one CPU CU copies inside of the host.
void copy_on_host(const contents& from, const contents& to, int unit) {
  if (to.host().at.first == nullptr) return;
  const share mine = share_of(to.shape(), unit, to.shape().all());
  for_each_common(mine.of, mine.within, [&](const index_set& wanted) {
    for_each_source(from, wanted, nullptr, [&](const store& source, const index_set& what) {
      if (source.gpu == nullptr)
        queue_copy(nullptr, nullptr, {to.host().at, source.at, what, what.begins(), to.shape().element});
    });
  });
}

void copy_on_cpus(const contents& from, const contents& to) {
  const int n = from.context().n_cpu_units;
  if (n == 1) copy_on_host(from, to, 0);
  if (n <= 1) return;
  from.context().rt().each_unit([&](unit_id unit) {
    if (unit < n) copy_on_host(from, to, unit);
  });
}

}  // namespace

void copy_elements(contents& from, contents& to) {
  array_context& context = from.context();
  to.current = {};
  for (store& part : from.gpus()) from.load(part);
  try {
    ordered_copies copies{context};
    bool travels = queue_copies(from, to, to.host(), copies);
    for (store& part : to.gpus()) {
      travels = queue_copies(from, to, part, copies) || travels;
      part.loaded = true;
    }
    copies.close();
    copy_on_cpus(from, to);
    copies.wait_on_host();
    if (travels) wait_for(context.gpus);
  } catch (...) {
    drain(context.gpus);
    throw;
  }
}

}  // namespace yoke::detail
