"""munadi serve with its default settings, and a client with one keep-alive connection. Standard library only."""

import http.client
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time

KEY = "bench-" + secrets.token_hex(16)


def multipart(fields, file, name="a.wav"):
    """Returns the content type and body of a form with one file."""
    boundary = "b0undary"
    parts = "".join(f'--{boundary}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
                    for k, v in fields.items())
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return (f"multipart/form-data; boundary={boundary}",
            f"{parts}{head}".encode() + file + f"\r\n--{boundary}--\r\n".encode())


class Appliance:
    """A running munadi serve on a free port."""

    def __init__(self, cache, model, log, *more):
        self.data = tempfile.mkdtemp(dir=cache)
        argv = [str(cache / "munadi"), "serve", "--listen", "127.0.0.1:0", "--data", self.data]
        argv += [*(["--model", str(model)] if model else []), *more]
        self.child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, env={**os.environ, "MUNADI_BOOTSTRAP_API_KEY": KEY})
        self.port = None
        for line in self.child.stdout:
            log.write(line)
            found = re.search(r"listening.*?127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        if self.port is None:
            self.close()
            raise RuntimeError(f"munadi serve ended with status {self.child.returncode} before it listened")
        threading.Thread(target=shutil.copyfileobj, args=(self.child.stdout, log), daemon=True).start()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        self.wait()

    def wait(self):
        for _ in range(600):
            self.connection.request("GET", "/readyz")
            answer = self.connection.getresponse()
            answer.read()
            if answer.status == 200:
                return
            time.sleep(0.1)
        raise RuntimeError("munadi serve was not ready after a minute")

    def transcribe(self, wav, shape="json"):
        kind, body = multipart({"model": "svc-stt", "response_format": shape}, wav)
        self.connection.request("POST", "/compat/v1/audio/transcriptions", body, {
            "Authorization": f"Bearer {KEY}", "Content-Type": kind})
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"munadi serve answered {answer.status}: {text[:200]}")
        return json.loads(text)

    def peak(self):
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) * 1024

    def busy(self):
        """Returns the processor time so far, in seconds."""
        fields = pathlib.Path(f"/proc/{self.child.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.child.terminate()
        try:
            self.child.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        shutil.rmtree(self.data, ignore_errors=True)
