"""Text of others (command lines, paths, what programs print) may hold any bytes."""

_RAW = {}


def _shown(character):
    """A byte that is no UTF-8 stands for itself in Python's texts (surrogateescape); it and control characters are shown by number."""
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xdc00:02x}"
    if character < " " or "\x7f" <= character <= "\x9f":
        return "".join(f"\\x{byte:02x}" for byte in character.encode())
    return "\ufffd" if "\ud800" <= character <= "\udfff" else character


def valid(text):
    """For files, tables and terminals; `raw` gives what it was."""
    shown = "".join(map(_shown, text))
    if shown != text:
        _RAW[shown] = text
    return shown


def raw(text):
    """For the operating system."""
    return _RAW.get(text, text)
