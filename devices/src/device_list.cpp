#include <algorithm>
#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace yoke {

namespace {

std::string describe() {
  std::vector<std::string> items;
  std::vector<std::string_view> terms;  // once, however many backends have them
  for (const backend& each : all_backends()) {
    items.push_back(fmt::format("{}{}", each.name, each.items.accepted));
    if (!each.items.terms.empty() && std::ranges::find(terms, each.items.terms) == terms.end())
      terms.push_back(each.items.terms);
  }
  return fmt::format("auto | none | item{{;item}}, item = {}{}{}", fmt::join(items, " | "),
                     terms.empty() ? "" : ", ", fmt::join(terms, ", "));
}

/// In one line: "auto | none | item{;item}, item = cuda:i{,i} | …".
const std::string& device_list_grammar() {
  static const std::string text = describe();
  return text;
}

class device_list_parser {
 public:
  explicit device_list_parser(const sourced& text) : in_{text, device_list_grammar()} {}

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
    } else if (const backend* of = find_backend(kind)) {
      of->items.parse(in_, *of, list_.requests);
    } else {
      in_.fail_at(start, kind.empty() ? fmt::format("expected a kind of device, found {}", in_.found())
                                      : fmt::format("'{}' is no kind of device", kind));
    }
  }

  detail::text_parser in_;
  device_list list_;
  bool keyword_ = false;
};

}  // namespace

device_list parse_device_list(const sourced& text) {
  if (text.value == "help") {
    const auto known = base_settings();
    const auto info = std::ranges::find(known, "YOKE_DEVICES", &setting_info::name);
    answer_help({text.origin, device_list_grammar(), info->meaning});
  }
  return device_list_parser{text}.parse();
}

}  // namespace yoke
