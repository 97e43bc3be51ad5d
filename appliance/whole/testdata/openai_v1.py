"""Uses OpenAI's own Python client with the API below /v1 as its documentation shows, and prints the results as JSON.

usage: openai_v1.py BASE_URL KEY RECORDING TWO_CHANNELS FOLDER
"""

import asyncio
import json
import sys
import wave

import openai

base, key, path, two, folder = sys.argv[1:]
client = openai.OpenAI(base_url=base, api_key=key, max_retries=0)
out = {}


def transcribe(recording=path, model="whisper-1", **fields):
    with open(recording, "rb") as file:
        return client.audio.transcriptions.create(model=model, file=file, **fields)


out["models"] = [m.id for m in client.models.list()]
out["model"] = client.models.retrieve("gpt-4o-transcribe").id
out["json"] = transcribe(model="gpt-4o-transcribe", language="ar", temperature=0, prompt="مستشفى").text
for format in ("text", "srt", "vtt"):
    out[format] = transcribe(response_format=format)
verbose = transcribe(response_format="verbose_json")
out["verbose"] = [verbose.text, verbose.language, float(verbose.duration), len(verbose.segments), verbose.words]
verbose = transcribe(response_format="verbose_json", timestamp_granularities=["word"])
out["words"] = [w.word for w in verbose.words]

diarized = transcribe(
    two, model="gpt-4o-transcribe-diarize", response_format="diarized_json", chunking_strategy="auto",
    extra_body={"known_speaker_names": ["agent", "customer"]},
)
out["diarized"] = [type(diarized).__name__] + [[s.type, s.id, s.speaker, s.start < s.end, s.text] for s in diarized.segments]

deltas = []
for event in transcribe(model="gpt-4o-mini-transcribe", stream=True, include=["logprobs"]):
    if event.type == "transcript.text.delta":
        deltas.append(event.delta)
    else:
        out["done"] = [event.type, event.text, len(event.logprobs)]
out["deltas"] = deltas


def speak(name, **fields):
    fields = {"model": "tts-1", "voice": "alloy", "input": "شكرا جزيلا مع السلامة", **fields}
    target = f"{folder}/{name}"
    with client.audio.speech.with_streaming_response.create(**fields) as response:
        response.stream_to_file(target)
        kind = response.headers["content-type"]
    return target, kind


out["speech"] = {}
for format in ("wav", "flac", "opus", "mp3"):
    try:
        target, kind = speak(format, response_format=format)
    except openai.BadRequestError as e:
        out["speech"][format] = [e.code, e.param]
    else:
        out["speech"][format] = [kind, transcribe(target).text]
out["default"] = speak("default")[1]
spoken = wave.open(speak("whole.wav", response_format="wav")[0])
slow = wave.open(speak("slow.wav", response_format="wav", speed=0.5, instructions="slowly")[0])
out["wav"] = [spoken.getframerate(), spoken.getnchannels(), spoken.getsampwidth(), slow.getnframes() / spoken.getnframes()]
pcm = client.audio.speech.create(model="gpt-4o-mini-tts", voice="default", input="شكرا جزيلا مع السلامة", response_format="pcm")
out["pcm"] = len(pcm.content) == 2 * spoken.getnframes()
out["voices"] = client.get("/audio/voices", cast_to=object)


async def concurrently():
    async with openai.AsyncOpenAI(base_url=base, api_key=key, max_retries=3) as again:
        async def one():
            with open(path, "rb") as file:
                return (await again.audio.transcriptions.create(model="whisper-1", file=file)).text

        async def say(text):
            return len((await again.audio.speech.create(model="tts-1", voice="nova", input=text, response_format="wav")).content)

        texts = ["شكرا جزيلا", "مع السلامة", "السلام عليكم", "شكرا"]
        return await asyncio.gather(*(one() for _ in range(3))), await asyncio.gather(*(say(t) for t in texts))


out["async"], out["sizes"] = asyncio.run(concurrently())


def failure(call):
    try:
        call()
    except openai.APIStatusError as e:
        return [type(e).__name__, e.status_code, e.type, e.param, e.code]
    return None


stranger = openai.OpenAI(base_url=base, api_key="not-a-key-of-anybody", max_retries=0)
out["failures"] = [
    failure(lambda: stranger.models.list()),
    failure(lambda: transcribe(model="whisper-7")),
    failure(lambda: transcribe(language="fr")),
    failure(lambda: transcribe(response_format="diarized_json")),
    failure(lambda: transcribe(response_format="srt", stream=True)),
    failure(lambda: client.audio.transcriptions.create(model="whisper-1", file=("notes.txt", b"these are words"))),
    failure(lambda: client.audio.translations.create(model="whisper-1", file=open(path, "rb"))),
    failure(lambda: client.audio.speech.create(model="tts-1", voice="nobody", input="x", speed=5)),
    failure(lambda: client.audio.speech.create(model="tts-0", voice="alloy", input="x")),
    failure(lambda: client.models.retrieve("whisper-7")),
    failure(lambda: client.responses.create(model="whisper-1", input="x")),
]
print(json.dumps(out, ensure_ascii=False))
