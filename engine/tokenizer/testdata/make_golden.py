"""Makes golden.json and the small models beside it, with sentencepiece itself (0.2.0, and protobuf).

Usage: cd testdata && make_golden.py
"""

import io
import json
import random

import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

rng = random.Random(7)

WORDS = """كبسة شاورما الرياض فاطمة مندي دجاج عصير برتقال الخميس سبعة نعم محمد القحطاني كنافة إلغاء الشقة تأجيل
أريد حجز طاولة لأربعة أشخاص مساء يوم الجمعة في فرع جدة من فضلك وشكرا جزيلا مرحبا كيف حالك هل يمكنني تغيير الموعد
رقم الهاتف صفر خمسة واحد ثلاثة العنوان شارع الملك عبدالعزيز بجانب المسجد السعر عشرون ريالا لا أستطيع الحضور
على بركة الله إن شاء مئة وخمسون مؤتمر ظهر ضوء قائمة الطعام بدون بصل زيادة جبن حار جدا بارد قهوة شاي نعناع
the quick brown fox table for four please order number chicken rice juice cancel hello world yes no""".split()

ODD = [
    "", " ", "   ", "\t", "\n", " نعم ", "نعم  لا", "  a  b  ", "a\tb", "نعم\nلا", "\u00a0نعم\u00a0لا", "▁",
    "▁▁نعم", "نعم▁لا", "نعم▁", "▁ ", " ▁", "<unk>", "<s>", "</s>", "<blk>", "<0x41>", "<ctl>", "[USER]",
    "[USER][USER]", "a[USER]b", " [USER] نعم", "[US", "@@", "@@@", "نعم@@لا", "ﻻ", "ﷲ", "ﷺ", "ﻋﺮﺑﻲ",
    "ｆｕｌｌ　ｗｉｄｔｈ", "①②", "ﬁne", "é", "e\u0301", "Å", "½", "…", "مُحَمَّدٌ", "الرّياض", "كــبــسة", "١٢٣",
    "123", "۱۲۳", "۵", "،؛؟", "a.b,c!", "(نعم)", "نعم؟", "\u200f نعم \u200e", "نـعـم", "گپچژ", "日本語", "한국어",
    "हिन्दी", "😀", "😀😀", "👨\u200d👩\u200d👧", "🇸🇦", "نعم😀لا", "\ufffd", "\ufeffنعم", "\u0000", "a\u0000b",
    "\u200b", "\u2028", "x" * 60, "نعم" * 30, " " * 30 + "a", "aaaaaaaa", "aaab", "abababab", "ا" * 17,
    "لا" * 9, "ماما", "zzz", "ABC abc", "Straße", "ǆ", "İ", "\U0010ffff", "ab--cd", "A-A", "--", "---",
    "-----", "Ａ", "ß", "أإآا", "ىيئ", "ةه",
]

BAD = "ff c3 d9 d986d9 f09f98 eda080 c0af d986ff20d984 80 20ff20 61e2966181 f4908080".split()


def sentences():
    out = list(ODD) + WORDS
    for _ in range(80):
        out.append(" ".join(rng.choice(WORDS) for _ in range(rng.randint(2, 7))))
    letters = "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإآؤئ abcxyz▁-@"
    for _ in range(50):
        out.append("".join(rng.choice(letters) for _ in range(rng.randint(1, 14))))
    return list(dict.fromkeys(out))


RULES = "\n".join(
    "\t".join(" ".join(f"{ord(c):X}" for c in side) for side in rule)
    for rule in [
        ("أ", "ا"), ("إ", "ا"), ("ﻻ", "لا"), ("ﷲ", "الله"), ("ـ", ""), ("\t", " "), ("\n", " "), ("\u00a0", " "),
        ("…", "..."), ("ab", "c"), ("abab", "d"), ("aaa", "b"), ("\u200f", ""), ("ｆ", "f"), ("½", " 1 "),
        ("é", "e"), ("e\u0301", "e"),
    ]
)


def train(name, **options):
    rng_text = random.Random(3)
    corpus = [" ".join(rng_text.choice(WORDS) for _ in range(5)) for _ in range(600)]
    out = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus), model_writer=out, minloglevel=2, num_threads=1, hard_vocab_limit=False,
        **{"bos_id": -1, "eos_id": -1, **options})
    proto = pb.ModelProto.FromString(out.getvalue())
    proto.trainer_spec.ClearField("input")
    return name, proto


def write(name, proto):
    with open(name, "wb") as f:
        f.write(proto.SerializeToString())


with open("rules.tsv", "w") as f:
    f.write(RULES + "\n")

models = [
    train("unigram.model", model_type="unigram", vocab_size=180, normalization_rule_tsv="rules.tsv"),
    train("unigram_bytes.model", model_type="unigram", vocab_size=420, byte_fallback=True,
          normalization_rule_name="identity",
          user_defined_symbols=["[USER]", "@@", "@@@", "نعم"], control_symbols=["<ctl>"], bos_id=1, eos_id=2,
          add_dummy_prefix=False, remove_extra_whitespaces=False),
    train("bpe_odd.model", model_type="bpe", vocab_size=150, normalization_rule_tsv="rules.tsv",
          user_defined_symbols=["[USER]", "@@", "--"], treat_whitespace_as_suffix=True, unk_surface="<?>"),
    train("bpe_bytes.model", model_type="bpe", vocab_size=400, byte_fallback=True, normalization_rule_name="identity",
          remove_extra_whitespaces=False, pad_id=3),
    train("char.model", model_type="char", vocab_size=60, normalization_rule_name="identity"),
]
for piece in models[2][1].pieces:  # merged on the way, but not in the result: resegmented
    if piece.type == piece.NORMAL and len(piece.piece) in (2, 4):
        piece.type = piece.UNUSED
for piece in models[0][1].pieces:
    if piece.piece in ("▁ال", "سبعة", "نعم"):
        piece.type = piece.UNUSED
for name, proto in models:
    write(name, proto)

texts = sentences()
golden = {"texts": texts, "bad": BAD, "models": {}}
for name in ["reference.model"] + [name for name, _ in models]:
    sp = spm.SentencePieceProcessor(model_file=name)
    golden["models"][name] = {
        "ids": [sp.encode(t) for t in texts],
        "bad": [sp.encode(bytes.fromhex(b)) for b in BAD],
    }
with open("golden.json", "w") as f:
    json.dump(golden, f, ensure_ascii=False, separators=(",", ":"))
print(len(texts), "texts")
