package tokenizer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// space represents a space in pieces.
const space = "\u2581"

// pieceKind is the type of a piece, numbered as in sentencepiece_model.proto.
type pieceKind int

const (
	normal      pieceKind = 1
	unknown     pieceKind = 2
	control     pieceKind = 3 // never encoded
	userDefined pieceKind = 4 // matched before all others
	unused      pieceKind = 5 // used in merges, never in the output
	octet       pieceKind = 6 // <0x00> … <0xFF>
)

type vocabularyPiece struct {
	text  string
	score float32
	kind  pieceKind
}

// encodingAlgorithm divides normalized text into pieces; numbered as in sentencepiece_model.proto.
type encodingAlgorithm int

const (
	unigram    encodingAlgorithm = 1
	bpe        encodingAlgorithm = 2
	characters encodingAlgorithm = 4
)

// Tokenizer converts text to ids. It is safe for concurrent use.
type Tokenizer struct {
	pieces    []vocabularyPiece
	ids       map[string]int // of pieces that text can be encoded to
	reserved  map[string]int // of the others
	unk       int
	algorithm encodingAlgorithm
	norm      textNormalizer
	bytes     *[256]int // ids of the octets; nil if unknown text becomes one unk
	longest   int       // length of the longest piece, in bytes

	minScore, maxScore float32 // of normal pieces
}

// pieceSpan is a part of the normalized text together with its piece.
type pieceSpan struct {
	text string
	id   int
}

// FromVocab returns a Tokenizer from a list of pieces in the order of their ids. It assumes byte pair encoding,
// whose merges SentencePiece's trainer writes first and in order: the smaller id is merged first. Text is not
// normalized except for its spaces. Pieces in angle brackets, such as <unk> and <s>, are never encoded, and <0x00> …
// <0xFF>, if all exist, encode unknown characters.
func FromVocab(pieces []string) *Tokenizer {
	t := &Tokenizer{algorithm: bpe, norm: textNormalizer{prefix: true, trim: true, escape: true}}
	for id, text := range pieces {
		t.pieces = append(t.pieces, vocabularyPiece{text: text, score: -float32(id), kind: guessKind(text)})
	}
	t.buildIndex()
	if len(t.bytePieces()) == 256 {
		t.bytes = octetTable(t.bytePieces())
	}
	return t
}

// guessKind guesses the kind of a piece by its spelling.
func guessKind(text string) pieceKind {
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

// buildIndex builds the lookup by text. Of pieces with the same text the first wins.
func (t *Tokenizer) buildIndex() {
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

// bytePieces maps each byte that has a piece to its id.
func (t *Tokenizer) bytePieces() map[byte]int {
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

// VocabularySize returns the number of pieces.
func (t *Tokenizer) VocabularySize() int { return len(t.pieces) }

// PieceText returns the piece of an id, with ▁ for a word's beginning; empty for an unknown id.
func (t *Tokenizer) PieceText(id int) string {
	if id < 0 || id >= len(t.pieces) {
		return ""
	}
	return t.pieces[id].text
}

// UnknownID returns the id of the piece for unknown characters; -1 if there is none.
func (t *Tokenizer) UnknownID() int { return t.unk }

// EncodeText returns the ids of text. Characters without a piece become bytes if the model has byte pieces, otherwise
// one unknown piece per sequence, or nothing if there is no unknown piece.
func (t *Tokenizer) EncodeText(text string) []int {
	var ids []int
	wasUnknown := false
	for _, s := range t.dividePieces(t.norm.normalizeText(text)) {
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

// dividePieces divides normalized text into pieces.
func (t *Tokenizer) dividePieces(text string) []pieceSpan {
	switch t.algorithm {
	case unigram:
		return t.viterbiPieces(text)
	case bpe:
		return t.mergePairs(text)
	}
	var spans []pieceSpan
	for len(text) > 0 {
		n, _ := t.symbolLength(text)
		spans = append(spans, pieceSpan{text[:n], t.pieceID(text[:n])})
		text = text[n:]
	}
	return spans
}

// symbolLength returns the length of the symbol at the beginning of text and whether it is a user-defined symbol rather
// than a character.
func (t *Tokenizer) symbolLength(text string) (n int, verbatim bool) {
	if n = t.norm.verbatimPrefix(text); n > 0 {
		return n, true
	}
	_, n = utf8.DecodeRuneInString(text)
	return n, false
}

// pieceID returns the id of a piece of text, or that of the unknown piece.
func (t *Tokenizer) pieceID(text string) int {
	if id, ok := t.reserved[text]; ok {
		return id
	}
	if id, ok := t.ids[text]; ok {
		return id
	}
	return t.unk
}

// kindOf returns the kind of a piece; unknown for -1 (a model without an unknown piece).
func (t *Tokenizer) kindOf(id int) pieceKind {
	if id < 0 {
		return unknown
	}
	return t.pieces[id].kind
}
