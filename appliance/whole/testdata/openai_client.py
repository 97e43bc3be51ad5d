"""Uses OpenAI's own Python client as its documentation shows, and prints the results as JSON.

usage: openai_client.py BASE_URL KEY RECORDING
"""

import asyncio
import json
import sys

import openai

base, key, path = sys.argv[1:]
client = openai.OpenAI(base_url=base, api_key=key, max_retries=0)
out = {}


def recording():
    return open(path, "rb")


out["models"] = [m.id for m in client.models.list()]
out["model"] = client.models.retrieve("svc-stt").id
out["json"] = client.audio.transcriptions.create(model="svc-stt", file=recording()).text
out["text"] = client.audio.transcriptions.create(model="svc-stt", file=recording(), response_format="text")
verbose = client.audio.transcriptions.create(
    model="svc-stt",
    file=recording(),
    language="ar",
    temperature=0,
    prompt="مستشفى",
    response_format="verbose_json",
    timestamp_granularities=["word", "segment"],
)
out["verbose"] = verbose.text
out["duration"] = float(verbose.duration)
out["language"] = verbose.language
out["segments"] = [[s.id, s.start, s.end, s.text, s.avg_logprob, s.tokens] for s in verbose.segments]
out["words"] = [[w.word, w.start, w.end] for w in verbose.words]


sure = client.audio.transcriptions.create(model="svc-stt", file=recording(), include=["logprobs"])
out["logprobs"] = [[l.token, bytes(int(b) for b in l.bytes).decode(), l.logprob] for l in sure.logprobs]
heard = []
for event in client.audio.transcriptions.create(
    model="svc-stt", file=recording(), include=["logprobs"], stream=True, temperature=0.7
):
    if event.type == "transcript.text.delta":
        assert "".join(l.token for l in event.logprobs) == event.delta, event
        heard += event.logprobs
    elif event.type == "transcript.text.done":
        assert [l.token for l in event.logprobs] == [l.token for l in heard], event
out["streamed_logprobs"] = len(heard)


def follow(events):
    deltas, done = [], None
    for event in events:
        if event.type == "transcript.text.delta":
            deltas.append(event.delta)
        elif event.type == "transcript.text.done":
            done = {"text": event.text, "seconds": event.usage.seconds}
    return {"deltas": deltas, "done": done}


out["stream"] = follow(client.audio.transcriptions.create(model="svc-stt", file=recording(), stream=True))


async def concurrently():
    async with openai.AsyncOpenAI(base_url=base, api_key=key, max_retries=0) as again:
        plain = await asyncio.gather(
            *(again.audio.transcriptions.create(model="svc-stt", file=recording()) for _ in range(4))
        )
        events = [e async for e in await again.audio.transcriptions.create(model="svc-stt", file=recording(), stream=True)]
        return [p.text for p in plain], follow(events)


out["async"], out["async_stream"] = asyncio.run(concurrently())


def failure(**changes):
    try:
        other = openai.OpenAI(base_url=base, api_key=changes.pop("key", key), max_retries=0)
        other.audio.transcriptions.create(**{"model": "svc-stt", "file": recording(), **changes})
    except openai.APIStatusError as e:
        return [type(e).__name__, e.status_code]
    return None


out["failures"] = [
    failure(key="not-a-key-of-anybody"),
    failure(model="whisper-1"),
    failure(file=("notes.txt", b"these are words")),
    failure(file=("notes.txt", b"these are words"), stream=True),
]
print(json.dumps(out, ensure_ascii=False))
