#pragma once
/// All numbers by which `auto` decides, beside those of what a pass takes with a map (maps/forecast.hpp).

#include <array>
#include <string_view>

namespace yoke::scheduling {

struct learning_numbers {
  double model_error = 0.1;
  double near_error = 0.015;
  double guess_error = 1;
  double noise = 0.1;
  double exchange = 1e-4;
  double cold_passes = 3;
  double block_passes = 6;
  double block_seconds = 5e-3;
  double changed = 1.2;
  double least_worth = 1;
  double meeting = 3e-4;
  double overlap = 0.12;
  double overlap_of_both = 0.5;
  double looking = 0.0025;
  double longest_unseen = 5;
  double least_horizon = 128;
  double launch = 5e-5;
};

/// Nothing but what tells how sharp they are changes them: tests/scheduling/outcomes.cpp.
inline learning_numbers numbers;

struct learning_number {
  std::string_view name;
  double learning_numbers::* value;
  std::string_view unit, meaning;
};

inline constexpr std::array learning_number_list{
    learning_number{"model_error", &learning_numbers::model_error, "of a pass",
                    "error of a prediction for units that were not yet timed together"},
    learning_number{"near_error", &learning_numbers::near_error, "of a pass",
                    "the same for a map much like one that was timed"},
    learning_number{"guess_error", &learning_numbers::guess_error, "powers of e",
                    "error of the speed of a kind that nobody has heard of"},
    learning_number{"noise", &learning_numbers::noise, "of a pass",
                    "deviation of a pass before several were timed"},
    learning_number{"exchange", &learning_numbers::exchange, "s",
                    "error of what memories that work together cost each other in a pass"},
    learning_number{"cold_passes", &learning_numbers::cold_passes, "passes",
                    "what a change costs beside moving data"},
    learning_number{"block_passes", &learning_numbers::block_passes, "passes",
                    "that are timed before a decision"},
    learning_number{"block_seconds", &learning_numbers::block_seconds, "s",
                    "the same, where passes are short"},
    learning_number{"changed", &learning_numbers::changed, "times",
                    "as long as they were: passes of another machine"},
    learning_number{"least_worth", &learning_numbers::least_worth, "passes",
                    "that a change must win beyond its cost"},
    learning_number{"meeting", &learning_numbers::meeting, "s", "what a look between two passes takes"},
    learning_number{"overlap", &learning_numbers::overlap, "of a pass",
                    "what a look costs besides, for passes do not overlap across it"},
    learning_number{"overlap_of_both", &learning_numbers::overlap_of_both, "of a pass",
                    "the same where both kinds of units work"},
    learning_number{"looking", &learning_numbers::looking, "of the time", "that looks may cost at last"},
    learning_number{"longest_unseen", &learning_numbers::longest_unseen, "s", "between two looks at most"},
    learning_number{"least_horizon", &learning_numbers::least_horizon, "passes",
                    "that are taken to follow where nobody knows"},
    learning_number{"launch", &learning_numbers::launch, "s",
                    "that a GPU's task may be without work: how sure a CPU's speed is by it"},
};

}  // namespace yoke::scheduling
