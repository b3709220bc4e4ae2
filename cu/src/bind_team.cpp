#include <fmt/format.h>

#include <yoke/affinity.hpp>
#include <yoke/bind_team.hpp>
#include <yoke/error.hpp>
#include <yoke/openmp.hpp>

namespace yoke {

namespace {

/// Puts the team on the CPUs; gives how many of its threads were there.
std::ptrdiff_t put_team(const std::vector<int>& cpus) {
  int were_there = 0;
#pragma omp parallel reduction(+ : were_there)
  if (is_bound_to(cpus))
    were_there += 1;
  else
    bind_this_thread(cpus);
  return were_there;
}

}  // namespace

void bind_team(const hosting& cores, hosted who) {
  const std::vector<int>& cpus = cores.cpus_of(who);
  unbind_this_thread();  // libomp takes the CPUs of whoever starts it for those of the process
  openmp::set_team_size(static_cast<int>(cpus.size()));
  put_team(cpus);
  cores.bind_self(who);  // no sooner: libomp unbinds a thread that it takes over
  if (put_team(cpus) == std::ssize(cpus)) return;
  throw config_error{
      fmt::format("{}: OpenMP does not give its {} threads again in the next parallel region, so that they "
                  "cannot be kept on its CPUs; {}",
                  who.text(), cpus.size(), openmp::why_team_is_small(static_cast<int>(cpus.size())))};
}

}  // namespace yoke
