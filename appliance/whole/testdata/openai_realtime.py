"""Transcribes live audio with OpenAI's own Python client, and prints the results as JSON.

usage: openai_realtime.py BASE_URL KEY RECORDING   (raw pcm16, 24 kHz, mono)
"""
import base64
import json
import sys

from openai import OpenAI

base_url, key, path = sys.argv[1:]
client = OpenAI(base_url=base_url, api_key=key, max_retries=0)
sound = open(path, "rb").read()
intent = {"intent": "transcription"}
out = {}


def speak(connection, commit):
    """Sends the recording in pieces of 200 ms, then a second of silence."""
    whole = sound + bytes(48000)
    for i in range(0, len(whole), 9600):
        connection.input_audio_buffer.append(audio=base64.b64encode(whole[i : i + 9600]).decode())
    if commit:
        connection.input_audio_buffer.commit()


def listen(connection, items):
    """Reads events until n items are transcribed."""
    got = {"types": [], "classes": [], "deltas": {}, "texts": {}, "order": [], "usage": [], "spans": []}
    for event in connection:
        got["types"].append(event.type)
        got["classes"].append(type(event).__name__)
        if event.type.endswith("transcription.delta"):
            got["deltas"][event.item_id] = got["deltas"].get(event.item_id, "") + event.delta
        if event.type == "input_audio_buffer.speech_started":
            got["spans"].append([event.audio_start_ms])
        if event.type == "input_audio_buffer.speech_stopped":
            got["spans"][-1].append(event.audio_end_ms)
        if event.type == "input_audio_buffer.committed":
            got["order"].append([event.previous_item_id, event.item_id])
        if event.type.endswith("transcription.completed"):
            got["texts"][event.item_id] = event.transcript
            got["usage"].append(event.usage.seconds)
            items -= 1
            if items == 0:
                break
        if event.type == "error":
            got["error"] = event.error.message
            break
    return got


with client.realtime.connect(extra_query=intent) as c:
    created = c.recv()
    c.session.update(
        session={
            "type": "transcription",
            "audio": {
                "input": {
                    "format": {"type": "audio/pcm", "rate": 24000},
                    "transcription": {"model": "gpt-4o-transcribe", "language": "ar", "prompt": "برجر, بطاطس"},
                    "turn_detection": {
                        "type": "server_vad",
                        "threshold": 0.5,
                        "prefix_padding_ms": 300,
                        "silence_duration_ms": 500,
                    },
                }
            },
        }
    )
    updated = c.recv()
    out["present"] = {
        "created": [created.type, type(created).__name__, created.session.type],
        "updated": [updated.type, updated.session.type, updated.session.audio.input.turn_detection.silence_duration_ms],
    }
    speak(c, commit=False)
    out["present"]["heard"] = listen(c, 2)

# The beta's client uses TLS unless it is configured otherwise.
plain = OpenAI(base_url=base_url, websocket_base_url="ws" + base_url.removeprefix("http"), api_key=key, max_retries=0)
with plain.beta.realtime.connect(model="svc-stt", extra_query=intent) as c:
    created = c.recv()
    c.transcription_session.update(session={"input_audio_format": "pcm16", "turn_detection": None})
    updated = c.recv()
    speak(c, commit=True)
    out["beta"] = {
        "created": [created.type],
        "updated": [updated.type, type(updated).__name__, updated.session.input_audio_format],
        "heard": listen(c, 1),
    }
    c.send({"type": "response.create", "event_id": "mine"})
    refused = c.recv()
    out["error"] = [refused.type, refused.error.type, refused.error.code, refused.error.param, refused.error.event_id]

try:
    OpenAI(base_url=base_url, api_key="not-a-key-of-anybody", max_retries=0).realtime.connect(extra_query=intent).enter()
except Exception as e:
    out["refused"] = [type(e).__name__, e.response.status_code]
print(json.dumps(out))
