"""Uses a library or program that was written for OpenAI's audio API with the API below /v1, as its documentation shows,
and prints the results as JSON.

usage: v1_clients.py CLIENT BASE_URL KEY RECORDING FOLDER
"""

import asyncio
import contextlib
import io
import json
import os
import subprocess
import sys
import wave
from pathlib import Path

client, base, key, path, folder = sys.argv[1:]
os.environ.update(OPENAI_API_KEY=key, OPENAI_BASE_URL=base, HOME=folder, LITELLM_LOCAL_MODEL_COST_MAP="True")
THANKS = "شكرا جزيلا مع السلامة"


def wav_of(pcm, rate=24000):
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(pcm)
    return file.getvalue()


def failure(call):
    try:
        call()
    except Exception as e:
        return [type(e).__name__, getattr(e, "status_code", None), str(e)]
    return None


def litellm():
    import litellm

    own = {"api_base": base, "api_key": key, "max_retries": 0}

    def transcribe(recording=path, model="openai/whisper-1", **fields):
        with open(recording, "rb") as file:
            return litellm.transcription(model=model, file=file, **{**own, **fields})

    verbose = transcribe(response_format="verbose_json", timestamp_granularities=["word"])
    said = Path(folder, "said.flac")
    litellm.speech(model="openai/tts-1", voice="alloy", input=THANKS, response_format="flac", **own).stream_to_file(said)
    return {
        "text": transcribe(language="ar").text,
        "verbose": [verbose.text, verbose["language"], " ".join(w["word"] for w in verbose["words"])],
        "srt": transcribe(response_format="srt").text,
        "said": transcribe(said, model="openai/gpt-4o-transcribe").text,
        "failures": [
            failure(lambda: transcribe(api_key="not-a-key-of-anybody")),
            failure(lambda: transcribe(model="openai/whisper-7")),
            failure(lambda: transcribe(language="fr")),
        ],
    }


def langchain():
    from langchain_community.document_loaders.blob_loaders import Blob
    from langchain_community.document_loaders.parsers.audio import OpenAIWhisperParser

    def parse(**fields):
        parser = OpenAIWhisperParser(api_key=key, base_url=base, **fields)
        return [d.page_content for d in parser.lazy_parse(Blob.from_path(path))]

    return {
        "text": parse(language="ar")[0],
        "srt": parse(response_format="srt")[0],
        "verbose": [parse(response_format="verbose_json", model="gpt-4o-transcribe")[0]],
    }


def speech_recognition():
    import speech_recognition as sr

    recognizer = sr.Recognizer()
    with sr.AudioFile(path) as source:
        sound = recognizer.record(source)
    return {
        "text": recognizer.recognize_openai(sound, language="ar"),
        "other": recognizer.recognize_openai(sound, model="gpt-4o-mini-transcribe", prompt="بيتزا", temperature=0.2),
        "failures": [failure(lambda: recognizer.recognize_openai(sound, language="fr"))],
    }


def agents():
    import agents
    import numpy
    from agents.voice import (
        AudioInput, OpenAIVoiceModelProvider, STTModelSettings, TTSModelSettings, VoicePipeline, VoicePipelineConfig,
        VoiceWorkflowBase,
    )

    agents.set_tracing_disabled(True)
    provider = OpenAIVoiceModelProvider(api_key=key, base_url=base)
    decoded = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-ar", "24000", "-ac", "1", "-f", "s16le", "-"], check=True, capture_output=True
    )
    sound = AudioInput(buffer=numpy.frombuffer(decoded.stdout, numpy.int16))

    def transcribe(model="gpt-4o-transcribe", **settings):
        return provider.get_stt_model(model).transcribe(sound, STTModelSettings(**settings), False, False)

    class Echo(VoiceWorkflowBase):
        async def run(self, transcription):
            self.heard = transcription
            yield THANKS + "."

    async def converse():
        out = {"text": await transcribe(language="ar")}
        chunks = [c async for c in provider.get_tts_model("gpt-4o-mini-tts").run(THANKS, TTSModelSettings(voice="ash"))]
        out["pcm"] = len(b"".join(chunks))
        workflow = Echo()
        config = VoicePipelineConfig(model_provider=provider)
        pipeline = VoicePipeline(workflow=workflow, stt_model="whisper-1", tts_model="tts-1", config=config)
        reply = b""
        async for event in (await pipeline.run(sound)).stream():
            if event.type == "voice_stream_event_audio":
                reply += event.data.tobytes()
        out["heard"] = workflow.heard
        answer = AudioInput(buffer=numpy.frombuffer(reply, numpy.int16))
        stt = provider.get_stt_model("whisper-1")
        out["said"] = await stt.transcribe(answer, STTModelSettings(), False, False)
        out["failures"] = []
        for settings in ({"model": "whisper-7"}, {"language": "fr"}):
            try:
                await transcribe(**settings)
            except Exception as e:
                out["failures"].append([type(e).__name__, getattr(e, "status_code", None), str(e)])
        return out

    return asyncio.run(converse())


def whisper_srt():
    target = Path(folder, "subtitles.srt")

    def run(language):
        program = Path(sys.executable).parent / "whisper-srt"
        return subprocess.run(
            [program, path, "-o", target, "--language", language],
            cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )

    done = run("ar")
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    refused = run("fr")
    return {"srt": target.read_text(), "failures": [[str(refused.returncode), None, refused.stdout + refused.stderr]]}


def home_assistant():
    """The requests of Home Assistant's integration openai_conversation, which needs a later Python: its client is OpenAI's."""
    import openai

    async def converse():
        async with openai.AsyncOpenAI(api_key=key, base_url=base) as hass:
            await hass.with_options(timeout=10.0).models.list()  # when it is set up
            decoded = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", path, "-ar", "16000", "-ac", "1", "-f", "s16le", "-"],
                check=True, capture_output=True,
            )
            heard = await hass.audio.transcriptions.create(  # speech to text: what the microphone streamed, as a WAV
                model="gpt-4o-mini-transcribe", file=("a.wav", wav_of(decoded.stdout, 16000)), response_format="json",
                language="ar", prompt="The following conversation is a smart home user giving commands.",
            )
            async with hass.audio.speech.with_streaming_response.create(  # text to speech
                model="gpt-4o-mini-tts", voice="marin", input=THANKS, instructions="slowly", speed=1.0, response_format="mp3",
            ) as response:
                sound = io.BytesIO()
                async for chunk in response.iter_bytes():
                    sound.write(chunk)
            said = await hass.audio.transcriptions.create(model="whisper-1", file=("said.mp3", sound.getvalue()))
            return {"text": heard.text, "said": said.text}

    return asyncio.run(converse())


with contextlib.redirect_stdout(sys.stderr):  # for what the library prints
    results = globals()[client]()
print(json.dumps(results, ensure_ascii=False))
