#pragma once
/// What a program that could not be started lacks.

#include <string>
#include <string_view>

namespace tools {

/// By what a file with this beginning is run: of a script what its first line names, of a program its loader;
/// empty where it says none.
std::string interpreter_in(std::string_view beginning);

/// The system's words for `error` of execvp(program): but where the file is there and what it is run by is
/// not, or may not be run, that is named. The system says "No such file or directory" of either.
std::string why_not_run(const std::string& program, int error);

}  // namespace tools
