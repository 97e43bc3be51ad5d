package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"munadi/engine/crosstalk"
	"munadi/engine/grammar"
	"munadi/engine/queue"
)

// DecodeMode selects the head that produces a request's text.
type DecodeMode string

// Modes of the service description. Hybrid rescores the RNNT's n-best with the CTC head.
const (
	Hybrid DecodeMode = "hybrid"
	RNNT   DecodeMode = "rnnt"
	CTC    DecodeMode = "ctc"
)

// QueuePriority is the priority of work in the engine's queue; see [queue.Priority].
type QueuePriority = queue.Priority

// Live is real-time speech (calls, microphones); Upload is one request; Batch is a job.
const (
	Live   = queue.Live
	Upload = queue.Upload
	Batch  = queue.Batch
)

// SampleSource is 16 kHz mono audio in [-1, 1], read until io.EOF. *audio.SampleStream implements it.
type SampleSource interface {
	Read(p []float32) (int, error)
}

// SampleReader is a [SampleSource] of samples in memory.
type SampleReader struct{ left []float32 }

// NewSampleReader returns a reader of samples.
func NewSampleReader(samples []float32) *SampleReader { return &SampleReader{samples} }

// Read implements [SampleSource].
func (r *SampleReader) Read(p []float32) (int, error) {
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// TranscribeOptions are the options of one production request; the zero value decodes as the model's configuration
// says.
type TranscribeOptions struct {
	Mode        DecodeMode           // empty: Hybrid
	Phrases     []string             // phrases for context biasing (CTC word spotter)
	Grammar     *grammar.RuleGrammar // expected sentences of each speech segment; nil: unconstrained
	Language    string               // that a model with prompts is asked for; empty: its usual one
	Priority    QueuePriority
	Temperature float64                      // softmax temperature of both heads; 0: 1
	NoVAD       bool                         // treat all audio as speech, cut every 60 s only
	OneChannel  bool                         // of several: quiet speech may be the echo of another, so it is not raised
	Echo        crosstalk.EchoWindows        // of another channel, to be silenced; nil: none
	OnSegment   func(Segment) error          // called in order when a segment is final; its error aborts the request
	OnProgress  func(decoded, heard float64) // seconds whose text is final, and seconds read
}

// Word is one word with its times in seconds and the geometric mean of its tokens' probabilities.
type Word struct {
	Text       string
	Start, End float64
	Confidence float64
	TokenCount int // number of the segment's Tokens that belong to it, in order
}

// Segment is one stretch of speech between silences.
type Segment struct {
	ID               int
	Start, End       float64 // seconds from the start of the audio
	Text             string
	Tokens           []int // vocabulary ids of Text
	Temperature      float64
	AvgLogprob       float64 // mean over tokens, natural log
	CompressionRatio float64 // UTF-8 bytes over deflated bytes, as Whisper defines it; of [Engine.Transcribe] alone
	NoSpeechProb     float64 // 1 − the VAD's peak speech probability
	Words            []Word
	Readings         []GrammarReading // most likely first; only with a grammar
}

// Result is a complete transcript. Text is the segments' texts joined by a space.
type Result struct {
	Text     string
	Duration float64 // seconds of audio
	Segments []Segment
	Timings  Timings
}

// Timings are the processing times of a request by stage, summed over its segments, which run in parallel: the sum may
// exceed Total.
type Timings struct {
	DecodeAudio, VAD, Features, Encoder, RNNT, CTC, CTCWS, Total time.Duration
}

// ErrBusy is returned when the queue is full (backpressure); nothing was read.
type ErrBusy = queue.ErrBusy

// ErrClosed is returned after Close.
var ErrClosed = errors.New("the engine is closed")

// DebugParams are the parameters of the debug decoder, by their names in NeMo and the service description, with the
// defaults and ranges of the latter in tags, as package multipartform reads them; ranges that NeMo does not have are
// chosen here. A nil pointer takes the default of ResolveDefaults.
type DebugParams struct {
	Mode DecodeMode `json:"mode" default:"hybrid" enum:"hybrid|rnnt|ctc"`
	// Strategy is the search strategy of the RNNT head by NeMo's name; nil: by BeamEnabled.
	Strategy    *string  `json:"strategy,omitempty" enum:"greedy_batch|beam|maes|alsd|tsd|malsd_batch"`
	Temperature *float64 `json:"temperature" ge:"0.01" le:"10"`
	// MaxSymbolsPerStep is 0 for no limit, as NeMo's None.
	MaxSymbolsPerStep          *int     `json:"max_symbols_per_step" ge:"0" le:"1000"`
	BeamEnabled                bool     `json:"beam_enabled" default:"false"`
	BeamSize                   *int     `json:"beam_size" ge:"1" le:"64"`
	BeamLengthPenalty          *float64 `json:"beam_length_penalty" ge:"-100" le:"100"`
	BeamTemperature            *float64 `json:"beam_temperature" ge:"0.01" le:"10"`
	LoopLabels                 *bool    `json:"loop_labels"`
	UseCUDAGraphDecoder        *bool    `json:"use_cuda_graph_decoder"`
	AcousticScale              *float64 `json:"acoustic_scale" ge:"0" le:"100"`
	CTCWeight                  float64  `json:"ctc_weight" default:"0" ge:"0" le:"1"`
	CTCWSEnabled               bool     `json:"ctc_ws_enabled" default:"false"`
	CTCWSContext               *string  `json:"ctc_ws_context" maxlen:"65536"`
	CTCWSApply                 bool     `json:"ctc_ws_apply" default:"false"`
	CTCWSBeamThreshold         float64  `json:"ctc_ws_beam_threshold" default:"7" ge:"0" le:"1000"`
	CTCWSContextScore          float64  `json:"ctc_ws_context_score" default:"3" ge:"-100" le:"100"`
	CTCWSAliTokenWeight        float64  `json:"ctc_ws_ali_token_weight" default:"0.5" ge:"-100" le:"100"`
	CTCWSIntersectionThreshold float64  `json:"ctc_ws_intersection_threshold" default:"30" ge:"0" le:"100"`
	CTCWSKeywordThreshold      float64  `json:"ctc_ws_keyword_threshold" default:"-5" ge:"-1000" le:"1000"`
	CTCWSBlankThreshold        float64  `json:"ctc_ws_blank_threshold" default:"0.8" ge:"0" le:"1"`
	CTCWSNonBlankThreshold     float64  `json:"ctc_ws_non_blank_threshold" default:"0.001" ge:"0" le:"1"`
	MaxChunkSeconds            int      `json:"max_chunk_seconds" default:"15" ge:"1" le:"60"`
	VADThreshold               float64  `json:"vad_threshold" default:"0.4" ge:"0" le:"1"`
	VADMinSpeechMS             int      `json:"vad_min_speech_ms" default:"100" ge:"0" le:"60000"`
	VADMaxSpeechS              int      `json:"vad_max_speech_s" default:"20" ge:"1" le:"3600"`
	VADMinSilenceMS            int      `json:"vad_min_silence_ms" default:"200" ge:"0" le:"60000"`
	VADPadMS                   int      `json:"vad_pad_ms" default:"30" ge:"0" le:"10000"`
}

// DebugDefaults returns the service description's defaults, with its nulls as nil.
func DebugDefaults() DebugParams {
	return DebugParams{
		Mode: Hybrid, CTCWSBeamThreshold: 7, CTCWSContextScore: 3, CTCWSAliTokenWeight: 0.5,
		CTCWSIntersectionThreshold: 30, CTCWSKeywordThreshold: -5, CTCWSBlankThreshold: 0.8, CTCWSNonBlankThreshold: 0.001,
		MaxChunkSeconds: 15, VADThreshold: 0.4, VADMinSpeechMS: 100, VADMaxSpeechS: 20, VADMinSilenceMS: 200, VADPadMS: 30,
	}
}

// ResolveDefaults replaces every nil by its default: NeMo's if it has one (temperature 1, max_symbols 10, beam_size 4,
// softmax_temperature 1, loop_labels true), otherwise a neutral one (length penalty 0, acoustic scale 1). CUDA graphs
// resolve to false, since there is no CUDA provider.
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

// usualStrategy returns the default search strategy.
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

// DebugResult is the report of the debug decoder.
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
	Applied     bool   // spotted phrases replaced words of Text
	SpottedText string // text with the spotted phrases merged in, applied or not
}

// HeadResult is one head's best hypothesis. Timestamps are seconds from the start of the audio, one per token.
type HeadResult struct {
	Text       string
	Score      float64
	Tokens     []string
	TokenIDs   []int
	Timestamps []float64
}

// HybridPick is the winner of the hybrid ranking: Picked is "rnnt" or "ctc".
type HybridPick struct {
	Text   string
	Score  float64
	Picked string
}

// NBest is one hypothesis of the mode's ranking with the components of its score; -Inf if not computed.
type NBest struct {
	Text                       string
	Score, RNNTScore, CTCScore float64
	TokenIDs                   []int
}

// SpottedPhrase is one phrase detected by the CTC word spotter. Times in seconds from the start of the audio.
type SpottedPhrase struct {
	Phrase     string
	Start, End float64
	Score      float64
}

// EngineInfo describes the model and the engine for display.
type EngineInfo struct {
	Name       string   // of the model
	Layout     string   // detected file layout: "nemo (onnx-asr)", "nemo (sherpa-onnx)", …
	Precision  string   // fp32 | int8
	Wide       bool     // int8 that is inexact on x86 processors without VNNI
	Saturates  bool     // Wide, and this is such a processor
	Parameters int64    // of the encoder, from its initializers
	Vocabulary int      // pieces without the blank
	Heads      []string // rnnt, ctc
	Decoding   string   // production decoding, e.g. "RNNT malsd_batch, beam 4"
	Bytes      int64    // size of the model's files
	Mapped     bool     // the weights are memory-mapped: slow, with little memory
	Threads    int
	Latencies  []time.Duration   // offered by a streaming model, see Engine.LiveLatencies; none: whole utterances
	Languages  []string          // that requests may name, see Engine.HasLanguage
	Usual      string            // language of requests that name none
	Label      map[string]string // language → training data and known limits
	Metrics    []string          // measured figures supplied with the model, a sentence each
	Checksums  string            // origin of the SHA-256 that its files were verified by; empty: none, they are unverified
	Repaired   []string          // damaged files of the cache, which were unpacked again
}

// DescribePrecision names the precision, and says where 8-bit weights are inexact, with the remedy.
func (i EngineInfo) DescribePrecision() string {
	const remedy = "install the original again with --int8, which makes weights of 7 bits"
	switch {
	case i.Saturates:
		return i.Precision + ": sums overflow on this processor, which lacks VNNI, and words may be wrong; " + remedy
	case i.Wide:
		return i.Precision + ": exact here, inexact on x86 processors without VNNI; " + remedy
	}
	return i.Precision
}

// DescribeChecksums says how the files were verified, after the word "files".
func (i EngineInfo) DescribeChecksums() string {
	text := "verified by SHA-256 (" + i.Checksums + ")"
	if i.Checksums == "" {
		text = "not verified: no checksums are recorded"
	}
	if len(i.Repaired) > 0 {
		text += "; damaged ones were unpacked again, check the disk and the memory: " + strings.Join(i.Repaired, ", ")
	}
	return text
}

// ClientID identifies the client of a request for fair queuing; see [queue.ClientID].
type ClientID = queue.ClientID

type clientKey struct{}

// WithClient returns a context whose requests are accounted to the client. Requests without one share the empty client.
func WithClient(ctx context.Context, c ClientID) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf returns the client of a request.
func ClientOf(ctx context.Context) ClientID {
	c, _ := ctx.Value(clientKey{}).(ClientID)
	return c
}

// LatencyList returns the latencies that a streaming model offers, the usual one first, such as "1120 ms, 80 ms".
func (i EngineInfo) LatencyList(separator string) string {
	parts := make([]string, len(i.Latencies))
	for n, d := range i.Latencies {
		parts[n] = fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return strings.Join(parts, separator)
}
