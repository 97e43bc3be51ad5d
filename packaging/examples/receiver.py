#!/usr/bin/env python3
# Receives Munadi's webhooks and events, with Python's standard library alone: SECRET=whsec_… python3 receiver.py [PORT]
# SECRET is that of the destination or the webhook; without it, or with a webhook that is not signed, nothing is verified.
import base64, hmac, json, os, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/hook/choose-a-secret-of-your-own"  # only those who know it can write to this receiver
SECRET = os.environ.get("SECRET", "")
seen = set()  # the same call or event may arrive more than once; keep this in your database
lock = threading.Lock()  # messages arrive side by side

def is_signed(headers, body):
    """Verifies the signature (Standard Webhooks), and that it is at most five minutes old."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{stamp}.".encode() + body
    mac = hmac.new(base64.b64decode(SECRET.removeprefix("whsec_")), signed, "sha256").digest()
    want = "v1," + base64.b64encode(mac).decode()
    return any(hmac.compare_digest(want, given) for given in headers.get("webhook-signature", "").split())

def take(message):
    if "type" in message:  # an event of a destination
        data = message["data"]
        return message["id"], message["type"], data["id"], data.get("status")
    payload = message["payload"]  # the webhook of a call's end
    if payload["type"] == "alert":
        return message["alert_id"] + payload["event"], payload["kind"], payload["event"]
    data = payload.get("call_data", payload)  # of an unreached call: the payload itself
    return message["call_id"], payload["type"], data.get("report", data.get("failure"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != PATH:
            return self.send_error(404)
        if SECRET and not is_signed(self.headers, body):
            return self.send_error(401)
        said = take(json.loads(body))
        with lock:
            if said[0] not in seen:
                print(*said, flush=True)
                seen.add(said[0])
        self.send_response(204)  # a 2xx within 10 seconds; otherwise it is sent again
        self.end_headers()

if not SECRET:
    print("no SECRET: signatures are not verified", file=sys.stderr)
port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
