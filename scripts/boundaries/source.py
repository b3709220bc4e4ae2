"""The files of a repository and what they include."""

import os
import pathlib
import re
import subprocess

from boundaries.layout import room_of

CODE = {".cpp", ".hpp", ".cu", ".cuh", ".h"}

LEXEMES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<include>^[ \t]*\#[ \t]*include[^\n]*)
      | (?P<number>\b\d[\w'.]*)
      | (?P<string>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


class Source:
    """A file with its text, its code (no comments, no strings) and its includes."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.suffix = pathlib.PurePosixPath(path).suffix
        self.room = room_of(path)
        self.code = LEXEMES.sub(self._blank, text) if self.is_code() else ""
        self.includes = [(number, match[1], match[2]) for number, line in enumerate(self.code.split("\n"), 1)
                         if (match := INCLUDE.match(line))]

    def is_code(self):
        return self.suffix in CODE

    @staticmethod
    def _blank(match):
        if match["comment"] or match["string"]:
            return re.sub(r"[^\n]", " ", match[0])
        return match[0]

    def uses(self, pattern):
        """(line, identifier) wherever the code, includes apart, matches."""
        for number, line in enumerate(self.code.split("\n"), 1):
            if not INCLUDE.match(line):
                for match in re.finditer(pattern, line):
                    yield number, match[0].rstrip(" (")


def is_under(path, *folders):
    return any(path.startswith(folder + "/") for folder in folders)


def public_headers(paths):
    """<yoke/...> name of every public header -> its path."""
    return {match[1]: path for path in paths if (match := re.search(r"/include/(yoke/.+)$", path))}


def included(source, headers, paths):
    """(line, name, file) of each include that is a file of the repository."""
    for line, quote, name in source.includes:
        target = headers.get(name)
        if quote == '"' or target is None:
            target = os.path.normpath(os.path.join(os.path.dirname(source.path), name))
        if target in paths:
            yield line, name, target


def private_header(source, headers, paths):
    """(line, name) of the first include of a header that is neither public nor a test's; by its path, or by the end of it."""
    for line, quote, name in source.includes:
        beside = os.path.normpath(os.path.join(os.path.dirname(source.path), name))
        if name in headers:
            continue
        found = {beside} & paths if quote == '"' else set()
        found = found or {path for path in paths if path.endswith("/" + name)}
        if found and not any(is_under(path, "tests") for path in found):
            return line, name
    return None


def list_files(root):
    """Files of the repository, new ones included; of any other folder, all."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.splitlines()
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, files in os.walk(root) for name in files]
    return sorted(name for name in set(names) if os.path.isfile(os.path.join(root, name)))


def read(root, path):
    try:
        return pathlib.Path(root, path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
