package engine

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"
	"strings"
	"sync"

	"munadi/engine/decode"
)

const (
	wordMark     = "▁"  // U+2581, the word boundary of SentencePiece pieces
	frameStep    = 0.01 // seconds per feature frame
	minConfident = 1e-6
)

// frameClock converts encoder frames of one chunk to seconds of the audio.
type frameClock struct {
	start float64 // of the chunk
	frame float64 // seconds per encoder frame: 0.08 for subsampling 8
	end   float64 // of the chunk
}

func (c frameClock) secondsAt(frame int) float64 {
	return roundMilliseconds(min(c.start+float64(frame)*c.frame, c.end))
}

// roundMilliseconds rounds to milliseconds, below which the frame grid has no precision.
func roundMilliseconds(s float64) float64 { return math.Round(s*1000) / 1000 }

// assembleWords builds words from a hypothesis: a piece with the word boundary starts one; it spans from its first
// piece's frame to the end of its last one's, as NeMo's word offsets do.
func assembleWords(h decode.Hypothesis, pieces []string, c frameClock) []Word {
	var words []Word
	var sum float64
	var count int
	silent := 0    // tokens without text before the first word
	apart := false // the previous piece was unknown, which is a separate word
	for i, id := range h.Tokens {
		piece := pieces[id]
		if isControl(piece) {
			if len(words) > 0 {
				words[len(words)-1].TokenCount++
			} else {
				silent++
			}
			continue
		}
		rest, opens := strings.CutPrefix(piece, wordMark)
		if piece == unknownPiece {
			rest, opens = unknownText, true
		}
		if opens || apart || len(words) == 0 {
			words = append(words, Word{Text: rest, Start: c.secondsAt(h.Frames[i]), TokenCount: silent})
			sum, count, silent = 0, 0, 0
		} else {
			words[len(words)-1].Text += piece
		}
		apart = piece == unknownPiece
		w := &words[len(words)-1]
		sum += h.LogProbs[i]
		count++
		w.TokenCount++
		w.End = c.secondsAt(h.Frames[i] + 1)
		w.Confidence = confidenceOf(sum / float64(count))
	}
	return dropEmptyWords(words)
}

// timedWords returns a hypothesis's words with times, in the engine's output style.
func (e *Engine) timedWords(h decode.Hypothesis, c frameClock) []Word {
	words := assembleWords(h, e.model.Vocabulary, c)
	for i := range words {
		words[i].Text = e.style.Write(words[i].Text)
	}
	return dropEmptyWords(words)
}

// The unknown piece, and how SentencePiece prints it.
const (
	unknownPiece = "<unk>"
	unknownText  = "⁇"
)

// isControl reports whether a piece is a control token without text, such as <EOU> or <|ar|>.
func isControl(piece string) bool {
	piece = strings.TrimPrefix(piece, wordMark)
	return len(piece) > 2 && piece[0] == '<' && piece[len(piece)-1] == '>' && piece != unknownPiece
}

// dropEmptyWords removes words without letters: a lone word mark, or one that the style strips. Their tokens are added
// to the word before, or to the first one.
func dropEmptyWords(words []Word) []Word {
	kept, silent := words[:0], 0
	for _, w := range words {
		switch {
		case w.Text != "":
			w.TokenCount += silent
			kept, silent = append(kept, w), 0
		case len(kept) > 0:
			kept[len(kept)-1].TokenCount += w.TokenCount
		default:
			silent += w.TokenCount
		}
	}
	return kept
}

func confidenceOf(meanLogProb float64) float64 {
	return math.Round(math.Max(math.Exp(meanLogProb), minConfident)*1e4) / 1e4
}

// joinWords returns the words' text.
func joinWords(words []Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// meanLogProb returns the mean of log-probabilities; 0 for none.
func meanLogProb(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// textDeflater compresses texts one after another: a new compressor has tables of 800 KB.
type textDeflater struct {
	compressed bytes.Buffer
	zlib       *zlib.Writer
}

var deflaters = sync.Pool{New: func() any {
	d := &textDeflater{}
	d.zlib = zlib.NewWriter(&d.compressed)
	return d
}}

// compressionRatio is Whisper's measure of repetition: UTF-8 bytes over their zlib size.
func compressionRatio(text string) float64 {
	if text == "" {
		return 0
	}
	d, _ := deflaters.Get().(*textDeflater)
	defer deflaters.Put(d)
	d.compressed.Reset()
	d.zlib.Reset(&d.compressed)
	_, _ = io.WriteString(d.zlib, text) // a buffer cannot fail
	_ = d.zlib.Close()
	return math.Round(float64(len(text))/float64(d.compressed.Len())*100) / 100
}
