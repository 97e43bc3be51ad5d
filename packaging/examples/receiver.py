#!/usr/bin/env python3
# Receives Munadi's webhooks, with Python's standard library alone: python3 receiver.py [PORT]
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/hook/choose-a-secret-of-your-own"  # only those who know it can write to this receiver
seen = set()  # the same call may arrive more than once; keep this in your database

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != PATH:
            return self.send_error(404)
        call = json.loads(body)
        if call["call_id"] not in seen:
            payload = call["payload"]
            data = payload.get("call_data", payload)  # of an unreached call: the payload itself
            print(call["call_id"], payload["type"], data.get("report", data.get("failure")), flush=True)
            seen.add(call["call_id"])
        self.send_response(204)  # a 2xx within 10 seconds; otherwise it is sent again
        self.end_headers()

port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
