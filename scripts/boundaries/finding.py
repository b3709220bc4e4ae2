"""What a rule found."""

from typing import NamedTuple


class Finding(NamedTuple):
    line: int
    found: str
    allowed: str
