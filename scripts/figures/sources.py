"""Where the data come from."""

import pathlib

from figures.data import figure, table


def records_of(found):
    """Whatever a file says of commit, machine and program, from new files and from old ones."""
    if isinstance(found, list):
        return {}
    record = found.get("record")
    if record:
        host = record["host"]
        return {"commit": record["commit"], "cpu": f"{host['cpu']}, {host['cpus']}", "compiler": record.get("build", {}).get("compiler"),
                "load": f"{host['load'][0]:.1f}"}
    first = found["runs"][0] if isinstance(found.get("runs"), list) and "commit" in found["runs"][0] else found
    commit = first.get("commit") or (f"{first['new']}, {first['base']}" if "base" in first else None)
    machine = first.get("machine")
    cpu = f"{machine['cpu']}, {machine['cpus']}" if isinstance(machine, dict) else None
    if "cpu" in first:
        cpu = f"{first['cpu']}, {first['cpus']}"
    load = found.get("context", {}).get("load_avg")
    return {"commit": commit, "cpu": cpu, "compiler": first.get("compiler"), "load": f"{load[0]:.1f}" if load else None}


@figure
def sources(data):
    rows = []
    for name in data.names("*/*"):
        about, said = data.about.get(name, {}), records_of(data.look(name)) if name.endswith(".json") else {}
        if not said.get("commit") and "committed" not in about:
            raise KeyError(f"{name}, which says no commit, in about.json")
        commit = f"`{said['commit']}`" if said.get("commit") else f"none; file of `{about['committed']}`"
        rows.append([f"[{pathlib.PurePath(name).stem}](results/{name})", about.get("machine", "any"),
                     commit + (f" ({about['remark']})" if "remark" in about else ""), said.get("cpu") or "–",
                     said.get("compiler") or "–", said.get("load") or "–"])
    return table(["data", "machine", "commit", "CPU, count", "compiler", "load"], rows)


@figure
def text_file(data, name):
    return data.link(name)
