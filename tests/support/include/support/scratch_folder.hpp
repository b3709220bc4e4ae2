#pragma once
/// A folder for the files of one test, which ends with the object.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace support {

class scratch_folder {
 public:
  scratch_folder() {
    const std::string to_be_replaced(6, 'X');  // by mkdtemp
    std::string name = (std::filesystem::temp_directory_path() / ("yoke-test-" + to_be_replaced)).string();
    path_ = mkdtemp(name.data());
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code problem;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, problem);
    std::filesystem::remove_all(path_, problem);
  }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace support
