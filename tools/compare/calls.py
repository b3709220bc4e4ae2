"""Running a program to its end, with all that it starts."""
import contextlib
import os
import signal
import subprocess
import tempfile
import time

LONGEST_WAIT = 3600  # seconds: what the system takes as a time


class Failure(Exception):
    """A run that gave no figure; the text says why."""


class OutOfTime(Failure):
    """A run that was ended with the time that was given to all."""


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


@contextlib.contextmanager
def started(words, **more):
    """A session of its own, which is ended with all that it has left: that would take time from the runs that follow."""
    # Who is stopped while it starts would not yet know what there is to end; and its end is a signal that is waited for.
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD})
    try:
        process = subprocess.Popen(words, start_new_session=True,
                                   preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, held), **more)
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, held | {signal.SIGCHLD})
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def ends_in_time(process, limit):
    """Waits for one that was `started`, `limit` seconds at most. It is not collected: until then its group is its own."""
    end = None if limit is None else time.monotonic() + limit
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        left = LONGEST_WAIT if end is None else min(LONGEST_WAIT, end - time.monotonic())
        if left <= 0:
            return False
        signal.sigtimedwait([signal.SIGCHLD], left)
    return True


def called(words, environment=None, limit=None):
    """Its output and seconds. It is ended after `limit` seconds, and where this program is stopped. It reads nothing: of
    several runs the first alone would find what there is to be read."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        with started(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment) as process:
            in_time = ends_in_time(process, limit)
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
