package tokenizer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"munadi/engine/tokenizer"
)

// protoMessage builds a ModelProto: pieces of the kinds 1 … 6, then what follows.
type protoMessage []byte

func (m protoMessage) addPiece(text string, score uint32, kind uint64) protoMessage {
	var p []byte
	p = protowire.AppendTag(p, 1, protowire.BytesType)
	p = protowire.AppendString(p, text)
	p = protowire.AppendTag(p, 2, protowire.Fixed32Type)
	p = protowire.AppendFixed32(p, score)
	p = protowire.AppendTag(p, 3, protowire.VarintType)
	p = protowire.AppendVarint(p, kind)
	m = protowire.AppendTag(m, 1, protowire.BytesType)
	return protowire.AppendBytes(m, p)
}

func (m protoMessage) addNumber(spec, field protowire.Number, v uint64) protoMessage {
	inner := protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), v)
	m = protowire.AppendTag(m, spec, protowire.BytesType)
	return protowire.AppendBytes(m, inner)
}

func (m protoMessage) addCharsmap(b string) protoMessage {
	inner := protowire.AppendString(protowire.AppendTag(nil, 2, protowire.BytesType), b)
	m = protowire.AppendTag(m, 3, protowire.BytesType)
	return protowire.AppendBytes(m, inner)
}

func TestBrokenModelsAreRefused(t *testing.T) {
	t.Parallel()
	const nan = 0x7fc00000
	ok := slices.Clip(protoMessage(nil).addPiece("<unk>", 0, 2).addPiece("a", 0, 1))
	cases := []struct {
		name  string
		model []byte
		want  string
	}{
		{"empty", nil, "0 unknown pieces"},
		{"text", []byte("hello there"), "not a protocol buffer"},
		{"truncated", ok[:len(ok)-1], "not a protocol buffer"},
		{"broken piece", []byte{1<<3 | byte(protowire.BytesType), 1, 0xff}, "not a protocol buffer"},
		{"two unknowns", ok.addPiece("<unk2>", 0, 2), "2 unknown pieces"},
		{"twice", ok.addPiece("a", 0, 1), "occurs twice"},
		{"empty piece", ok.addPiece("", 0, 1), "empty"},
		{"no score", ok.addPiece("b", nan, 1), "no score"},
		{"word model", ok.addNumber(2, 3, 3), "type 3"},
		{"bytes are missing", ok.addPiece("<0x41>", 0, 6).addNumber(2, 35, 1), "1 of 256"},
		{"short table", ok.addCharsmap("ab"), "truncated"},
		{"table too small", ok.addCharsmap("\x08\x00\x00\x00abcd"), "truncated"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := tokenizer.FromSentencePiece(c.model); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := tokenizer.FromSentencePiece(ok); err != nil {
		t.Errorf("the sound one was refused: %v", err)
	}
}

func TestFromVocabWithoutUnknown(t *testing.T) {
	t.Parallel()
	tok := tokenizer.FromVocab([]string{"▁a", "▁", "a", "b"})
	if got := tok.EncodeText("a zb"); !slices.Equal(got, []int{0, 1, 3}) || tok.UnknownID() != -1 {
		t.Errorf("got %v, unknown %d", got, tok.UnknownID())
	}
	empty := tokenizer.FromVocab(nil)
	if got := empty.EncodeText("a"); len(got) != 0 {
		t.Errorf("without pieces: %v", got)
	}
}

func TestFromVocabSpellsWithBytes(t *testing.T) {
	t.Parallel()
	pieces := []string{"<unk>", "<s>", "▁"}
	for b := range 256 {
		pieces = append(pieces, fmt.Sprintf("<0x%02X>", b))
	}
	tok := tokenizer.FromVocab(pieces)
	if got := tok.EncodeText("é"); !slices.Equal(got, []int{2, 3 + 0xc3, 3 + 0xa9}) {
		t.Errorf("got %v", got)
	}
	if got := tok.SpellText(tok.EncodeText("<s> نعم é")); got != "<s> نعم é" {
		t.Errorf("got %q", got)
	}
	if got := tokenizer.FromVocab(pieces[:200]).EncodeText("é"); !slices.Equal(got, []int{2, 0}) {
		t.Errorf("with some bytes only: %v", got)
	}
}

func TestFromVocabMergesTheSmallestIdFirst(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want []int
	}{
		{"abc", []int{5, 1, 4}}, // ab before bc
		{"bc", []int{5, 2}},
		{"ababab", []int{5, 3, 1}}, // abab from the left
	}
	tok := tokenizer.FromVocab([]string{"<unk>", "ab", "bc", "abab", "c", "▁", "a", "b"})
	for _, c := range cases {
		if got := tok.EncodeText(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Encode(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

// TestWhatIsSpelledReadsTheSame: with byte fallback, the pieces spell the text.
func TestWhatIsSpelledReadsTheSame(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"unigram_bytes.model", "bpe_bytes.model"} {
		tok, err := tokenizer.FromSentencePiece(readFile(t, name))
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringOf(rapid.RuneFrom([]rune("نعملاabc  xyz😀é"))).Draw(t, "text")
			if got := tok.SpellText(tok.EncodeText(text)); got != text {
				t.Fatalf("%s: %q became %q", name, text, got)
			}
		})
	}
}

func FuzzFromSentencePiece(f *testing.F) {
	for _, name := range []string{"char.model", "bpe_odd.model", "unigram.model"} {
		f.Add(readFile(f, name), "نعم abab ﻻ [USER] z")
	}
	f.Add([]byte(protoMessage(nil).addPiece("<unk>", 0, 2).addCharsmap("\x04\x00\x00\x00\xff\xff\xff\xffx")), "a\xff")
	f.Fuzz(func(t *testing.T, model []byte, text string) {
		tok, err := tokenizer.FromSentencePiece(model)
		if err != nil {
			return
		}
		checkIDs(t, tok, text)
	})
}

// checkIDs encodes a text and checks that its ids are pieces of the vocabulary.
func checkIDs(t *testing.T, tok *tokenizer.Tokenizer, text string) {
	for _, id := range tok.EncodeText(text) {
		if id < 0 || id >= tok.VocabularySize() {
			t.Fatalf("id %d of %d pieces", id, tok.VocabularySize())
		}
	}
}

func FuzzFromVocab(f *testing.F) {
	f.Add("<unk>\nab\nabab\na\nb\n▁", "abab ab")
	f.Add("<0x41>\n<s>\n\n▁\n▁", " <s> \xff")
	f.Fuzz(func(t *testing.T, vocab, text string) {
		checkIDs(t, tokenizer.FromVocab(strings.Split(vocab, "\n")), text)
	})
}

func BenchmarkEncode(b *testing.B) {
	tok, err := tokenizer.FromSentencePiece(readFile(b, "reference.model"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		tok.EncodeText("أريد حجز طاولة لأربعة أشخاص مساء يوم الجمعة")
	}
}
