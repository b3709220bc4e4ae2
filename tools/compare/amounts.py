"""Which numbers rates and times may be: as yoke/number_range.hpp has it for weights, speeds and rates."""
LEAST, MOST = 1e-200, 1e200
ACCEPTED = f"a number from {LEAST:g} to {MOST:g}"


def is_amount(value, zero=False):
    """False of what is no number, infinite or outside; `zero`: 0 is one, too."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and (LEAST <= value <= MOST or (zero and value == 0))
