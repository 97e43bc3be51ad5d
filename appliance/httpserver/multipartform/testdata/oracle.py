"""Records FastAPI's response to each spelling and writes pydantic.json. Made with fastapi 0.165.0, pydantic 2.14.3.

pip install fastapi python-multipart httpx && python oracle.py > pydantic.json
"""
import json
from enum import Enum
from typing import Annotated, Literal, Optional

from fastapi import FastAPI, File, Form, Header, UploadFile
from fastapi.testclient import TestClient

app = FastAPI()


class Mode(str, Enum):
    hybrid = "hybrid"
    rnnt = "rnnt"
    ctc = "ctc"


@app.post("/")
def answer(
    file: Annotated[UploadFile, File()],
    model: Annotated[Literal["svc-stt"], Form()] = "svc-stt",
    stream: Annotated[bool, Form()] = False,
    format: Annotated[Literal["json", "text", "verbose_json"], Form()] = "json",
    mode: Annotated[Mode, Form()] = Mode.hybrid,
    size: Annotated[Optional[int], Form(ge=1, le=64)] = None,
    scale: Annotated[Optional[float], Form(gt=0, le=10, allow_inf_nan=False)] = None,
    prompt: Annotated[Optional[str], Form(max_length=5)] = None,
    kinds: Annotated[list[Literal["word", "segment"]], Form(alias="kinds[]")] = [],
    x_session_id: Annotated[Optional[str], Header(min_length=1, max_length=8, pattern="^[A-Za-z0-9._:-]+$")] = None,
    x_session_mode: Annotated[Optional[Literal["restaurant", "default"]], Header()] = None,
):
    return {"stream": stream, "size": size, "scale": scale, "mode": mode, "prompt": prompt, "kinds": kinds}


client = TestClient(app)
cases = []


def ask(fields=None, headers=None, file=True):
    fields, headers = fields or {}, headers or {}
    parts = {"file": ("a.wav", b"x")} if file else {"other": ("a.wav", b"x")}
    r = client.post("/", data=fields, files=parts, headers={k: v.encode() for k, v in headers.items()})
    body = r.json()
    cases.append({
        "fields": fields, "headers": headers, "file": file, "detail": body.get("detail"),
        "values": body if r.status_code == 200 else None,
    })


for v in "true TRUE On yes Y t 1 0 off F no n 2 1.0 null".split() + ["", " true"]:
    ask({"stream": v})
for v in "4 4.0 4.00 4. 4.5 +4 -4 1_0 1__0 _1 0x4 ٤ 1e1 99999999999999999999 -99999999999999999999 0 65 -0 4.0e0 04 -0.0 .0 inf nan".split() + ["", " 4 ", "4 0", "+ 4", "1" * 4301]:
    ask({"size": v})
for v in "0.5 .5 5. 1e-1 1_0 0.1_5 inf nan -Infinity INF +0.5 0 20 ٠.٥ 0x1p-1 1e999 0,5 NaN -nan 0.5f 1e 1_ +inf . -1 1._0 1e0_1 ._5 _1 1__0 i_nf".split() + ["", " 0.5 ", " 1_0 "]:
    ask({"scale": v})
for v in ["", "123456789", "a b", "a.b", "é"]:
    ask(headers={"x-session-id": v})
ask(headers={"x-session-mode": "loud"})
ask({"prompt": "123456"})
ask({"prompt": "قهوةشا"})
ask({"kinds[]": ["word", "char"]})
ask({"kinds[]": ["word", "segment"]})
ask({"mode": ["rnnt", "ctc"]})
ask({"file": "hello"}, file=False)
ask({"model": "whisper-1"}, file=False)
ask({"model": "x", "format": "srt", "mode": "z", "stream": "maybe", "size": "x", "scale": "y", "prompt": "123456"},
    {"x-session-id": "a b", "x-session-mode": "x"}, file=False)
print(json.dumps(cases, ensure_ascii=False, indent=1))
