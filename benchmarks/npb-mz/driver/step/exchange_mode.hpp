#pragma once

namespace npb {

/// When a zone takes its next step: when its own neighbours' faces have come, or when everybody's have.
enum class exchange_mode { dataflow, barrier };

}  // namespace npb
