#include <fmt/format.h>

#include <yoke/device_list.hpp>
#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace yoke {

namespace {

constexpr std::string_view grammar =
    "auto | none | item{;item}, item = cuda:i{,i} | hip:i{,i} | emulated:count, i = index[/parts[:part] | "
    "@sms]";
constexpr int most_devices = 256;
constexpr int most_sms = 65535;

class device_list_parser {
 public:
  explicit device_list_parser(const sourced& text) : in_{text, grammar} {}

  device_list parse() {
    if (in_.at_end()) in_.fail("expected a device list, found the end");
    item(true);
    while (in_.accept(';')) {
      if (keyword_) in_.fail_at(in_.position() - 1, "auto and none stand alone");
      item(false);
    }
    if (!in_.at_end()) in_.fail(fmt::format("expected ';' or the end, found {}", in_.found()));
    return std::move(list_);
  }

 private:
  void item(bool first) {
    const std::size_t start = in_.position();
    const std::string_view kind = in_.word();
    if (kind == "auto" || kind == "none") {
      if (!first) in_.fail_at(start, "auto and none stand alone");
      keyword_ = true;
      list_.automatic = kind == "auto";
    } else if (kind == "emulated") {
      in_.expect(':', "':' and a count");
      emulated();
    } else if (kind == "cuda" || kind == "hip") {
      in_.expect(':', "':' and an index");
      do {
        vendor_device(kind == "cuda" ? backend_kind::cuda : backend_kind::hip);
      } while (in_.accept(','));
    } else {
      in_.fail_at(start, kind.empty() ? fmt::format("expected a kind of device, found {}", in_.found())
                                      : fmt::format("'{}' is no kind of device", kind));
    }
  }

  void emulated() {
    const std::size_t start = in_.position();
    const int count = in_.number("the count of emulated devices", 1, most_devices);
    if (emulated_ + count > most_devices) {
      in_.fail_at(start, fmt::format("at most {} emulated devices", most_devices));
    }
    for (int i = 0; i < count; ++i) {
      list_.requests.push_back({.backend = backend_kind::emulated, .index = emulated_++});
    }
  }

  void vendor_device(backend_kind backend) {
    const std::size_t start = in_.position();
    device_request request{.backend = backend, .index = in_.number("a device index", 0, most_devices - 1)};
    if (in_.accept('/')) {
      request.parts = in_.number("the number of parts", 1, most_sms);
      request.part = in_.accept(':') ? in_.number("the part, counted from 0,", 0, request.parts - 1) : -1;
    } else if (in_.accept('@')) {
      request.sms = in_.number("the number of SMs", 1, most_sms);
    }
    for (const device_request& other : list_.requests) refuse_overlap(request, other, start);
    list_.requests.push_back(request);
  }

  /// Slices of one device come from one split call, so they must be of one kind; the SMs of '@' slices are
  /// counted when the device is opened.
  void refuse_overlap(const device_request& request, const device_request& other, std::size_t start) const {
    if (request.backend != other.backend || request.index != other.index) return;
    if (request.sms > 0 && other.sms > 0) return;
    const bool both_parts = request.parts > 0 && request.parts == other.parts;
    if (both_parts && request.part >= 0 && other.part >= 0 && request.part != other.part) return;
    in_.fail_at(start, fmt::format("device {} is already taken by an earlier entry that overlaps this one",
                                   request.index));
  }

  detail::text_parser in_;
  device_list list_;
  int emulated_ = 0;
  bool keyword_ = false;
};

}  // namespace

device_list parse_device_list(const sourced& text) { return device_list_parser{text}.parse(); }

}  // namespace yoke
