"""Where the data come from: each file says its commit, or about.json does."""

from figures.data import figure


def commit_of(found):
    """Whatever a file says of its commit, from new files and from old ones."""
    if isinstance(found, list):
        return None
    if record := found.get("record"):
        return record["commit"]
    first = found["runs"][0] if isinstance(found.get("runs"), list) and "commit" in found["runs"][0] else found
    return first.get("commit") or first.get("base")


def without_commit(data):
    return [name for name in data.names("*/*") if "committed" not in data.about.get(name, {})
            and not (name.endswith(".json") and commit_of(data.look(name)))]


@figure
def text_file(data, name):
    return data.link(name)
