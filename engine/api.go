package engine

import (
	"errors"
	"fmt"
	"time"

	"munadi/engine/grammar"
)

// DecodeMode says which head's text a request gets.
type DecodeMode string

// The modes of the service description. Hybrid ranks the RNNT's hypotheses together with the CTC head's opinion.
const (
	Hybrid DecodeMode = "hybrid"
	RNNT   DecodeMode = "rnnt"
	CTC    DecodeMode = "ctc"
)

// QueuePriority orders work in the engine's queue; a lower value goes first.
type QueuePriority int

// Live is speech that somebody waits for right now (calls, microphones); Upload is one request; Batch is a job.
const (
	Live   QueuePriority = iota
	glance               // the text so far of somebody who still speaks: every final text goes before it
	Upload
	Batch
)

// SampleSource is 16 kHz mono audio in [-1, 1], read until io.EOF. *audio.Stream is one.
type SampleSource interface {
	Read(p []float32) (int, error)
}

// TranscribeOptions are one production request's wishes; the zero value decodes as the model's own configuration says.
type TranscribeOptions struct {
	Mode        DecodeMode           // empty: Hybrid
	Phrases     []string             // what the decoder is biased towards (CTC word spotter)
	Grammar     *grammar.RuleGrammar // its root is what each stretch of speech is expected to say; nil: anything
	Priority    QueuePriority
	Temperature float64             // softmax temperature of both heads; 0: 1
	NoVAD       bool                // the audio is speech from end to end; cut every 60 s only
	OnSegment   func(Segment) error // called in order, as soon as a segment is final; its error ends the work
	OnProgress  func(decoded, heard float64)
}

// Word is one word with its place in seconds and the geometric mean of its tokens' probabilities.
type Word struct {
	Text       string
	Start, End float64
	Confidence float64
	TokenCount int // how many of its segment's Tokens are its own, in their order
}

// Segment is one stretch of speech between silences.
type Segment struct {
	ID               int
	Start, End       float64 // seconds from the beginning of the audio
	Text             string
	Tokens           []int // vocabulary ids of Text
	Temperature      float64
	AvgLogprob       float64 // mean over tokens, natural log
	CompressionRatio float64 // UTF-8 bytes over deflated bytes, as Whisper defines it
	NoSpeechProb     float64 // 1 − the VAD's speech probability where speech is likeliest
	Words            []Word
	Readings         []GrammarReading // likeliest first; only where a grammar was given
}

// Result is a whole transcript. Text is the segments' texts joined by one space.
type Result struct {
	Text     string
	Duration float64 // seconds of audio heard
	Segments []Segment
	Timings  Timings
}

// Timings are where a request's time went, summed over its segments (they overlap: the sum may exceed Total).
type Timings struct {
	DecodeAudio, VAD, Features, Encoder, RNNT, CTC, CTCWS, Total time.Duration
}

// ErrBusy is returned when the queue is full; nothing was taken.
type ErrBusy struct{ RetryAfter time.Duration }

func (e *ErrBusy) Error() string {
	return fmt.Sprintf("the recognizer's queue is full; try again in %d s", int(e.RetryAfter.Seconds()))
}

// ErrClosed is returned by an engine that was closed.
var ErrClosed = errors.New("the engine is closed")

// DebugParams are the debug decoder's parameters under the names that NeMo and the service description use.
// A nil pointer takes the default that Resolve fills in.
type DebugParams struct {
	Mode                       DecodeMode
	Strategy                   *string // the RNNT's search by NeMo's name; nil: beam or greedy_batch, as BeamEnabled says
	Temperature                *float64
	MaxSymbolsPerStep          *int // 0 = unlimited, as NeMo's None
	BeamEnabled                bool
	BeamSize                   *int
	BeamLengthPenalty          *float64
	BeamTemperature            *float64
	LoopLabels                 *bool
	UseCUDAGraphDecoder        *bool
	AcousticScale              *float64
	CTCWeight                  float64
	CTCWSEnabled               bool
	CTCWSContext               *string
	CTCWSApply                 bool
	CTCWSBeamThreshold         float64
	CTCWSContextScore          float64
	CTCWSAliTokenWeight        float64
	CTCWSIntersectionThreshold float64
	CTCWSKeywordThreshold      float64
	CTCWSBlankThreshold        float64
	CTCWSNonBlankThreshold     float64
	MaxChunkSeconds            int
	VADThreshold               float64
	VADMinSpeechMS             int
	VADMaxSpeechS              int
	VADMinSilenceMS            int
	VADPadMS                   int
}

// DebugDefaults are the service description's defaults, with its nulls left nil.
func DebugDefaults() DebugParams {
	return DebugParams{
		Mode: Hybrid, CTCWSBeamThreshold: 7, CTCWSContextScore: 3, CTCWSAliTokenWeight: 0.5,
		CTCWSIntersectionThreshold: 30, CTCWSKeywordThreshold: -5, CTCWSBlankThreshold: 0.8, CTCWSNonBlankThreshold: 0.001,
		MaxChunkSeconds: 15, VADThreshold: 0.4, VADMinSpeechMS: 100, VADMaxSpeechS: 20, VADMinSilenceMS: 200, VADPadMS: 30,
	}
}

// ResolveDefaults replaces every nil by its default: NeMo's where it has one (temperature 1, max_symbols 10, beam_size 4,
// softmax_temperature 1, loop_labels true), neutral where it has none (length penalty 0, acoustic scale 1). CUDA
// graphs resolve to false, since there is no CUDA provider.
func (p DebugParams) ResolveDefaults() DebugParams {
	fillDefault(&p.Strategy, string(p.usualStrategy()))
	fillDefault(&p.Temperature, 1)
	fillDefault(&p.MaxSymbolsPerStep, 10)
	fillDefault(&p.BeamSize, 4)
	fillDefault(&p.BeamLengthPenalty, 0)
	fillDefault(&p.BeamTemperature, 1)
	fillDefault(&p.LoopLabels, true)
	fillDefault(&p.UseCUDAGraphDecoder, false)
	fillDefault(&p.AcousticScale, 1)
	fillDefault(&p.CTCWSContext, "")
	return p
}

// usualStrategy is the search of a request that names none.
func (p DebugParams) usualStrategy() searchStrategy {
	if p.BeamEnabled {
		return beamSearch
	}
	return greedyBatch
}

func fillDefault[T any](p **T, v T) {
	if *p == nil {
		*p = &v
	}
}

// DebugResult is what the debug decoder reports.
type DebugResult struct {
	Mode     DecodeMode
	Text     string
	Duration float64
	Segments []DebugSegment
	Timings  Timings
	Warnings []string
}

// DebugSegment holds both heads' outputs for one chunk of speech.
type DebugSegment struct {
	ID          int
	Start, End  float64
	Text        string
	RNNT, CTC   HeadResult
	Hybrid      HybridPick
	NBest       []NBest
	Spotted     []SpottedPhrase
	Applied     bool   // the spotted phrases replaced words of Text
	SpottedText string // the text with the spotted phrases merged in, applied or not
}

// HeadResult is one head's best hypothesis. Timestamps are seconds from the beginning of the audio, one a token.
type HeadResult struct {
	Text       string
	Score      float64
	Tokens     []string
	TokenIDs   []int
	Timestamps []float64
}

// HybridPick is the ranking's winner: Picked is "rnnt" or "ctc".
type HybridPick struct {
	Text   string
	Score  float64
	Picked string
}

// NBest is one hypothesis of the mode's ranking with the parts of its score; one that was not computed is -Inf.
type NBest struct {
	Text                       string
	Score, RNNTScore, CTCScore float64
	TokenIDs                   []int
}

// SpottedPhrase is one phrase that the CTC word spotter found. Seconds from the beginning of the audio.
type SpottedPhrase struct {
	Phrase     string
	Start, End float64
	Score      float64
}

// EngineInfo describes the model and the engine for people.
type EngineInfo struct {
	Name       string   // of the model
	Layout     string   // which files were found: "nemo (onnx-asr)", "nemo (sherpa-onnx)", …
	Precision  string   // fp32 | int8
	Parameters int64    // of the encoder, from its initialisers
	Vocabulary int      // pieces without the blank
	Heads      []string // rnnt, ctc
	Decoding   string   // what production does, e.g. "RNNT malsd_batch, beam 4"
	Bytes      int64    // of the model's files
	Threads    int
	Label      map[string]string // language → what it was trained on and what it can't do
	Metrics    []string          // measured figures that came with it, a sentence each
}
