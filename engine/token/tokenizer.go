package token

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// space is how a piece writes a space.
const space = "\u2581"

// kind is the type of a piece, numbered as in sentencepiece_model.proto.
type kind int

const (
	normal      kind = 1
	unknown     kind = 2
	control     kind = 3 // never comes out of text, says nothing in text
	userDefined kind = 4 // comes out wherever its text stands
	unused      kind = 5 // may be merged, but doesn't come out
	octet       kind = 6 // <0x00> … <0xFF>
)

type piece struct {
	text  string
	score float32
	kind  kind
}

// algorithm is how normalised text is divided, numbered as in sentencepiece_model.proto.
type algorithm int

const (
	unigram    algorithm = 1
	bpe        algorithm = 2
	characters algorithm = 4
)

// Tokenizer turns text into ids and back. It may be used by several goroutines at once.
type Tokenizer struct {
	pieces     []piece
	ids        map[string]int // of pieces that text can become
	reserved   map[string]int // of the others
	unk        int
	unkSurface string
	algorithm  algorithm
	norm       normaliser
	bytes      *[256]int // ids of the octets, or nil where unknown text becomes one unk
	longest    int       // length of the longest piece, in bytes

	minScore, maxScore float32 // of normal pieces
}

// span is a part of the normalised text together with its piece.
type span struct {
	text string
	id   int
}

// FromVocab returns a Tokenizer for a model of which only the pieces are known, in the order of
// their ids. It supposes byte pair encoding, of which SentencePiece's trainer writes the merges
// first and in order: the smaller id is merged first. Text is not normalised except for its
// spaces. Pieces in angle brackets, such as <unk> and <s>, never come out of text, and <0x00> …
// <0xFF>, if all there, spell what is unknown.
func FromVocab(pieces []string) *Tokenizer {
	t := &Tokenizer{
		algorithm:  bpe,
		unkSurface: defaultSurface,
		norm:       normaliser{prefix: true, trim: true, escape: true},
	}
	for id, text := range pieces {
		t.pieces = append(t.pieces, piece{text: text, score: -float32(id), kind: guessKind(text)})
	}
	t.index()
	if len(t.octets()) == 256 {
		t.bytes = octetTable(t.octets())
	}
	return t
}

// guessKind tells the kind of a piece by its spelling.
func guessKind(text string) kind {
	if text == "<unk>" {
		return unknown
	}
	if _, ok := octetOf(text); ok {
		return octet
	}
	if len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>' {
		return control
	}
	return normal
}

// index builds what is looked up by text. Of pieces with the same text the first counts.
func (t *Tokenizer) index() {
	t.ids, t.reserved = make(map[string]int, len(t.pieces)), make(map[string]int)
	t.unk = -1
	t.minScore, t.maxScore = math.MaxFloat32, -math.MaxFloat32
	for id, p := range t.pieces {
		m := t.reserved
		switch p.kind {
		case normal, userDefined, unused:
			m = t.ids
			t.longest = max(t.longest, len(p.text))
		case unknown:
			t.unk = id
		}
		if _, taken := m[p.text]; !taken {
			m[p.text] = id
		}
		if p.kind == userDefined {
			t.norm.verbatim = append(t.norm.verbatim, p.text)
		}
		if p.kind == normal {
			t.minScore, t.maxScore = min(t.minScore, p.score), max(t.maxScore, p.score)
		}
	}
	slices.SortFunc(t.norm.verbatim, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

// octets maps each byte that has a piece to its id.
func (t *Tokenizer) octets() map[byte]int {
	found := make(map[byte]int)
	for id, p := range t.pieces {
		if b, ok := octetOf(p.text); ok && p.kind == octet {
			found[b] = id
		}
	}
	return found
}

func octetTable(octets map[byte]int) *[256]int {
	table := new([256]int)
	for b, id := range octets {
		table[b] = id
	}
	return table
}

// octetOf reads a piece of the form <0x4F>.
func octetOf(text string) (byte, bool) {
	var b byte
	if len(text) != 6 {
		return 0, false
	}
	if _, err := fmt.Sscanf(text, "<0x%02X>", &b); err != nil || fmt.Sprintf("<0x%02X>", b) != text {
		return 0, false
	}
	return b, true
}

// Size returns the number of pieces.
func (t *Tokenizer) Size() int { return len(t.pieces) }

// Piece returns the piece of an id, with ▁ for a word's beginning; empty beyond the ids.
func (t *Tokenizer) Piece(id int) string {
	if id < 0 || id >= len(t.pieces) {
		return ""
	}
	return t.pieces[id].text
}

// Unknown returns the id of the piece that stands for characters without one; -1 if there is none.
func (t *Tokenizer) Unknown() int { return t.unk }

// Encode returns the ids of text. Characters without a piece become bytes, if the model has
// those, and otherwise one unknown piece a run, or nothing where there is none.
func (t *Tokenizer) Encode(text string) []int {
	var ids []int
	wasUnknown := false
	for _, s := range t.divide(t.norm.normalise(text)) {
		isUnknown := t.kindOf(s.id) == unknown
		switch {
		case t.kindOf(s.id) == control:
			continue
		case isUnknown && t.bytes != nil:
			for _, b := range []byte(s.text) {
				ids = append(ids, t.bytes[b])
			}
		case isUnknown && (wasUnknown || s.id < 0):
		default:
			ids = append(ids, s.id)
		}
		wasUnknown = isUnknown
	}
	return ids
}

// divide cuts normalised text into pieces.
func (t *Tokenizer) divide(text string) []span {
	switch t.algorithm {
	case unigram:
		return t.viterbi(text)
	case bpe:
		return t.merge(text)
	}
	var spans []span
	for len(text) > 0 {
		n, _ := t.symbol(text)
		spans = append(spans, span{text[:n], t.id(text[:n])})
		text = text[n:]
	}
	return spans
}

// symbol returns the length of what text begins with, a user-defined symbol or a character, and
// whether it is the former.
func (t *Tokenizer) symbol(text string) (n int, verbatim bool) {
	if n = t.norm.verbatimPrefix(text); n > 0 {
		return n, true
	}
	_, n = utf8.DecodeRuneInString(text)
	return n, false
}

// id returns the id of a piece of text, or that of the unknown piece.
func (t *Tokenizer) id(text string) int {
	if id, ok := t.reserved[text]; ok {
		return id
	}
	if id, ok := t.ids[text]; ok {
		return id
	}
	return t.unk
}

// kindOf returns the kind of a piece; unknown for the -1 of a model without an unknown piece.
func (t *Tokenizer) kindOf(id int) kind {
	if id < 0 {
		return unknown
	}
	return t.pieces[id].kind
}
