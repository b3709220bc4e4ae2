"""Running a program to its end, with all that it starts."""
import os
import signal
import subprocess
import tempfile
import threading
import time


class Failure(Exception):
    """A run that gave no figure; the text says why."""


class OutOfTime(Failure):
    """A run that was ended with the time that was given to all."""


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def ended_in_time(process, limit):
    """Waits for it, `limit` seconds at most, and ends all that it has left: that would take time from the runs that follow."""
    # It is not collected here: until then nobody else gets its number, and the group is its own.
    watcher = threading.Thread(target=os.waitid, args=(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT), daemon=True)
    watcher.start()
    try:
        watcher.join(None if limit is None else min(limit, threading.TIMEOUT_MAX))
        return not watcher.is_alive()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        watcher.join()
        process.wait()


def called(words, environment=None, limit=None):
    """Its output and seconds. It is a session of its own, which is ended with it, after `limit` seconds, and where this
    program is stopped. It reads nothing: of several runs the first alone would find what there is to be read."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment,
                                   start_new_session=True)
        in_time = ended_in_time(process, limit)
        seconds = time.monotonic() - begin
        if not in_time:
            raise OutOfTime(f"was ended after {limit:.0f} s, when the time of --budget was over")
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    if process.returncode != 0:
        raise Failure(f"exit status {process.returncode}: {last_line(texts[1]) or last_line(texts[0])}")
    return "".join(texts), seconds


def stop_like_ctrl_c():
    """Who is told to end ends its program first. Signals that are ignored, as under nohup, stay so."""
    def stop(*_):
        raise KeyboardInterrupt
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
