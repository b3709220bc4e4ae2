#pragma once
/// What stands at the end of `yoke COMMAND --help`.

namespace tools {

inline constexpr const char* info_examples = R"text(Examples:
  yoke info
  yoke info --links                   # bandwidth of copies between host and devices, and among devices
  yoke info --json
  yoke info --machine node.xml        # as lstopo node.xml wrote it there
)text";
inline constexpr const char* places_examples = R"text(Examples:
  yoke places 7x2+2
  yoke places 2x4 --cpus 0-7          # for a process with these CPUs
  yoke places 15x4+2 --machine "pack:1 numa:4 l3:4 core:4 pu:2"
  export $(yoke places 2x1 | head -n 2 | tr -d '"')
)text";
inline constexpr const char* exec_examples = R"text(Examples:
  yoke exec 7x2+2 -- ./program argument
  yoke exec 2x1+1 --devices emulated:1 --schedule dynamic -- ./program
  yoke exec 4x2 -- ./another-openmp-program   # of libgomp or libomp, without Yoke
  eval "$(yoke exec 7x2+2)"           # without a program: what it would set
)text";
inline constexpr const char* check_examples = R"text(Examples:
  yoke check
  YOKE_CUS=7x2+2 yoke check
  yoke check --cus 2x1 -- ./program   # and where its threads ran
With --json the program's standard output goes to stderr.
Exit status: 0 nothing is wrong, 1 something is, 2 wrong usage; else that of the program.
)text";
inline constexpr const char* profile_examples = R"text(Examples:
  yoke profile show
  yoke profile show sp-mz 7x2+2       # entries that have both words, anywhere
  yoke profile clear sp-mz            # these; programs learn them again
  yoke profile clear                  # all
  yoke profile show --json --file profiles.json
)text";
inline constexpr const char* simulate_examples = R"text(Examples:
  yoke simulate --machine node.json --class SP:D --schedule auto --schedule static
  yoke simulate --machine node.json --class BT:C --cus 7x2+2 --schedule ./mine.so:mine
  yoke simulate --machine node.json --tasks tasks.json --trace simulated.trace.json
  yoke simulate --machine node.json --graph cholesky:16   # beside HEFT, and what none can go below
  sp-mz --class C --samples --json run.json && yoke simulate --calibrate run.json > node.json
Exit status: 0 all tasks were run, 1 some were not or did not fit into memory, 2 wrong usage.
The files are described in docs/guide/yoke-command.md.
)text";
inline constexpr const char* compare_examples = R"text(Examples:
  yoke compare --cus 2x1 --cus 1x2 --schedule auto --schedule static -- sp-mz --class A
  yoke compare --cus 4x2 --schedule ./mine.so:mine --schedule dynamic --rate "rate = ([0-9.]+)" -- ./program
  yoke compare --cus 2x1 -- sp-mz --class W -- bt-mz --class W       # two programs
  yoke compare --machine node.json --class SP:D --class BT:D --schedule auto --schedule partition
  yoke compare --cus 2x1 --json -- sp-mz --class W > node.json      # what compare.json has
Writes compare.json, compare.csv, compare.md, plots and index.html into --out, and continues from there.
Exit status: 0 all were measured, 1 some failed, 2 wrong usage, 127 Python 3 is missing.
)text";

}  // namespace tools
