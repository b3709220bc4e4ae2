"""The environment of the programs that tests start."""
import os


def without_settings():
    """This process's, without what tells Yoke or OpenMP anything; no run reads or writes what the user's own have learnt."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("YOKE_", "OMP_", "KMP_"))}
    return kept | {"YOKE_PROFILE": "none"}
