"""The driver's side of a worker process, which has as many CPUs as threads and handles one request at a time."""

import json
import os
import subprocess
import sys
import threading

TIMEOUT = 1200  # seconds for one answer


class Failed(Exception):
    """A worker's request failed; the table shows the message."""


def last_cpus(count):
    allowed = sorted(os.sched_getaffinity(0))
    return set(allowed[-count:])


class Process:
    def __init__(self, argv, cpus, log):
        chosen = last_cpus(cpus)
        self.child = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8",
            preexec_fn=lambda: os.sched_setaffinity(0, chosen))

    def ask(self, **request):
        """Returns the worker's answer to a request; raises Failed with its reason, exit status or timeout."""
        watch = threading.Timer(TIMEOUT, self.child.kill)
        watch.start()
        try:
            self.child.stdin.write(json.dumps(request) + "\n")
            self.child.stdin.flush()
            line = self.child.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            watch.cancel()
        if not line:
            raise Failed(f"the process ended with status {self.child.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def cpu(self):
        """Returns the processor time that the worker has used, user and system, in seconds."""
        with open(f"/proc/{self.child.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.child.stdin.close()
        try:
            self.child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.child.stdout.close()


def python_worker(here, name):
    return [sys.executable, str(here / name)]
