package stt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/realtime"
	"munadi/appliance/subtitle"
	"munadi/engine"
)

// Response bodies of a transcription, in OpenAI's shapes. Seconds are rounded to the millisecond, scores to 1e-6.

type usageBody struct {
	Type    string `json:"type"`
	Seconds int    `json:"seconds"` // rounded up
}

type plainBody struct {
	Text     string                 `json:"text"`
	Usage    usageBody              `json:"usage"`
	Logprobs []realtime.WordLogprob `json:"logprobs,omitzero"` // on request
}

type verboseBody struct {
	Task     string        `json:"task"`
	Language string        `json:"language"`
	Duration decimal       `json:"duration"`
	Text     string        `json:"text"`
	Segments []segmentBody `json:"segments"`
	Words    []wordBody    `json:"words,omitzero"`  // nil: not asked for
	Usage    *usageBody    `json:"usage,omitempty"` // of openAIFace
}

// diarizedBody is OpenAI's diarized_json: who said what.
type diarizedBody struct {
	Task     string           `json:"task"`
	Duration decimal          `json:"duration"`
	Text     string           `json:"text"`
	Segments []speakerSegment `json:"segments"`
	Usage    usageBody        `json:"usage"`
}

type speakerSegment struct {
	Type    string  `json:"type"`
	ID      string  `json:"id"`
	Start   decimal `json:"start"`
	End     decimal `json:"end"`
	Text    string  `json:"text"`
	Speaker string  `json:"speaker"` // A: left channel, B: right one
}

type segmentBody struct {
	ID               int     `json:"id"`
	Seek             int     `json:"seek"` // frames of 10 ms
	Start            decimal `json:"start"`
	End              decimal `json:"end"`
	Text             string  `json:"text"`
	Tokens           []int   `json:"tokens"`
	Temperature      decimal `json:"temperature"`
	AvgLogprob       decimal `json:"avg_logprob"`
	CompressionRatio decimal `json:"compression_ratio"`
	NoSpeechProb     decimal `json:"no_speech_prob"`
	Channel          *int    `json:"channel,omitempty"` // 0 or 1, for separately decoded channels
	// Readings are the possible interpretations, most likely first; only if the prompt is a grammar.
	Readings []readingBody `json:"readings,omitempty"`
}

type readingBody struct {
	Text        string  `json:"text"`
	Probability decimal `json:"probability"`
	InGrammar   bool    `json:"in_grammar"`
}

type wordBody struct {
	Word       string  `json:"word"`
	Start      decimal `json:"start"`
	End        decimal `json:"end"`
	Confidence decimal `json:"confidence"`
	Channel    *int    `json:"channel,omitempty"`
}

// Response formats.
const (
	formatJSON     = "json"
	formatText     = "text"
	formatVerbose  = "verbose_json"  // with timestamps
	formatSRT      = "srt"           // of openAIFace, and of jobs' results
	formatVTT      = "vtt"           // as srt
	formatDiarized = "diarized_json" // of openAIFace
)

// encodeBody returns the bytes of the body in the order's format, with their media type.
func (v verboseBody) encodeBody(o transcriptionOrder) (kind string, content []byte, err error) {
	var b bytes.Buffer
	switch o.Format {
	case formatSRT:
		kind, err = "application/x-subrip; charset=utf-8", subtitle.WriteSRT(&b, v.subtitleCues())
	case formatVTT:
		kind, err = "text/vtt; charset=utf-8", subtitle.WriteVTT(&b, v.subtitleCues())
	case formatText:
		kind = "text/plain; charset=utf-8"
		b.WriteString(v.Text + "\n")
	case formatDiarized:
		kind, err = echo.MIMEApplicationJSON, json.NewEncoder(&b).Encode(v.diarizedBody())
	default:
		if o.face == openAIFace {
			usage := v.durationUsage()
			v.Usage = &usage
		}
		if o.Format == formatVerbose && !o.words {
			v.Words = nil
		}
		kind, err = echo.MIMEApplicationJSON, json.NewEncoder(&b).Encode(v.responseBody(o.Format, o.Logprobs))
	}
	return kind, b.Bytes(), err
}

func (v verboseBody) subtitleCues() []subtitle.SubtitleCue {
	cues := make([]subtitle.SubtitleCue, 0, len(v.Segments))
	for _, s := range v.Segments {
		cues = append(cues, subtitle.SubtitleCue{Start: float64(s.Start), End: float64(s.End), Text: s.Text})
	}
	return cues
}

// diarizedBody names the speaker of each segment by its channel.
func (v verboseBody) diarizedBody() diarizedBody {
	b := diarizedBody{
		Task: v.Task, Duration: v.Duration, Text: v.Text, Segments: []speakerSegment{}, Usage: v.durationUsage(),
	}
	for _, s := range v.Segments {
		speaker := "A"
		if s.Channel != nil && *s.Channel == 1 {
			speaker = "B"
		}
		b.Segments = append(b.Segments, speakerSegment{
			Type: "transcript.text.segment", ID: fmt.Sprintf("seg_%d", s.ID), Start: s.Start, End: s.End, Text: s.Text,
			Speaker: speaker,
		})
	}
	return b
}

// responseBody returns the body for a response format: a JSON value, for text the bare text and a newline.
func (v verboseBody) responseBody(format string, logprobs bool) any {
	switch format {
	case formatText:
		return v.Text + "\n"
	case formatVerbose:
		return v
	}
	b := plainBody{Text: v.Text, Usage: v.durationUsage()}
	if logprobs {
		b.Logprobs = v.wordLogprobs()
	}
	return b
}

func (v verboseBody) durationUsage() usageBody {
	return usageBody{Type: "duration", Seconds: int(math.Ceil(float64(v.Duration)))}
}

// wordLogprobs returns those of all words.
func (v verboseBody) wordLogprobs() []realtime.WordLogprob {
	words := make([]engine.Word, len(v.Words))
	for i, w := range v.Words {
		words[i] = engine.Word{Text: w.Word, Confidence: float64(w.Confidence)}
	}
	return realtime.WordLogprobs(words, true)
}

func (t *clientTranscript) verboseBody() verboseBody {
	v := verboseBody{
		Task: "transcribe", Language: cmp.Or(t.language, "ar"), Duration: roundSeconds(t.duration), Text: t.text.String(),
		Segments: make([]segmentBody, 0, len(t.segments)), Words: []wordBody{},
	}
	for _, s := range t.segments {
		v.Segments = append(v.Segments, segmentOf(s))
		for _, w := range s.Words {
			v.Words = append(
				v.Words, wordBody{w.Text, roundSeconds(w.Start), roundSeconds(w.End), roundScore(w.Confidence), s.channel},
			)
		}
	}
	return v
}

func segmentOf(s channelSegment) segmentBody {
	return segmentBody{
		ID:               s.ID,
		Seek:             int(roundToUnit(s.Start, 1e3) * 100),
		Start:            roundSeconds(s.Start),
		End:              roundSeconds(s.End),
		Text:             s.Text,
		Tokens:           append([]int{}, s.Tokens...),
		Temperature:      roundScore(s.Temperature),
		AvgLogprob:       roundScore(s.AvgLogprob),
		CompressionRatio: roundScore(s.CompressionRatio),
		NoSpeechProb:     roundScore(s.NoSpeechProb),
		Channel:          s.channel,
		Readings:         readingsOf(s.Readings),
	}
}

func readingsOf(readings []engine.GrammarReading) []readingBody {
	var out []readingBody
	for _, r := range readings {
		out = append(out, readingBody{r.Text, roundScore(r.Probability), r.Foreseen})
	}
	return out
}

// decimal is a number whose JSON has a decimal point, or an exponent, even if it is whole (2.0, as OpenAI sends it):
// parsers that tell integers from floats, such as Dart's, then give a float for every value.
type decimal float64

// MarshalJSON implements [json.Marshaler].
func (d decimal) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(d))
	if err == nil && !bytes.ContainsAny(text, ".e") {
		text = append(text, ".0"...)
	}
	return text, err
}

func roundSeconds(v float64) decimal { return decimal(roundToUnit(v, 1e3)) }
func roundScore(v float64) decimal   { return decimal(roundToUnit(v, 1e6)) }

// roundToUnit rounds to 1/unit. NaN and infinity, which JSON cannot express, become 0.
func roundToUnit(v, unit float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*unit) / unit
}

// ResponseBody returns the service's response body, for callers without a server: the results of the decoded channels
// ([ChannelsOf]) in a response format (json, verbose_json; text is a string with a newline).
func ResponseBody(results []*engine.Result, choice, format string) any {
	return transcriptOf(results, choice).verboseBody().responseBody(format, false)
}

// MergeSegments merges the segments of all results by time.
func MergeSegments(results []*engine.Result) []engine.Segment {
	var all []engine.Segment
	for _, s := range transcriptOf(results, "").segments {
		all = append(all, s.Segment)
	}
	return all
}

func transcriptOf(results []*engine.Result, choice string) *clientTranscript {
	t := &clientTranscript{}
	for i, res := range results {
		var channel *int
		if choice == separate {
			channel = &i
		}
		t.duration = max(t.duration, res.Duration)
		for _, s := range res.Segments {
			t.segments = append(t.segments, channelSegment{s, channel})
		}
	}
	slices.SortStableFunc(t.segments, func(a, b channelSegment) int {
		return cmp.Compare(a.Start, b.Start)
	})
	for i := range t.segments {
		t.segments[i].ID = i
		appendSpaced(&t.text, t.segments[i].Text)
	}
	return t
}
