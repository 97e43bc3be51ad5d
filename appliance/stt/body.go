package stt

import (
	"math"

	"munadi/appliance/stt/realtime"
	"munadi/engine"
)

// The bodies of a transcription, in OpenAI's shapes. Seconds are rounded to the millisecond, scores to 1e-6.

type usage struct {
	Type    string `json:"type"`
	Seconds int    `json:"seconds"` // whole, rounded up
}

type plainBody struct {
	Text     string             `json:"text"`
	Usage    usage              `json:"usage"`
	Logprobs []realtime.Logprob `json:"logprobs,omitzero"` // on request
}

type verboseBody struct {
	Task     string        `json:"task"`
	Language string        `json:"language"`
	Duration float64       `json:"duration"`
	Text     string        `json:"text"`
	Segments []segmentBody `json:"segments"`
	Words    []wordBody    `json:"words"`
}

type segmentBody struct {
	ID               int     `json:"id"`
	Seek             int     `json:"seek"` // frames of 10 ms
	Start            float64 `json:"start"`
	End              float64 `json:"end"`
	Text             string  `json:"text"`
	Tokens           []int   `json:"tokens"`
	Temperature      float64 `json:"temperature"`
	AvgLogprob       float64 `json:"avg_logprob"`
	CompressionRatio float64 `json:"compression_ratio"`
	NoSpeechProb     float64 `json:"no_speech_prob"`
	Channel          *int    `json:"channel,omitempty"` // 0, 1 of channels that were decoded separately
}

type wordBody struct {
	Word       string  `json:"word"`
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
	Channel    *int    `json:"channel,omitempty"`
}

// The response formats that are told apart; json is the other.
const (
	formatText    = "text"
	formatVerbose = "verbose_json" // with times
)

// body is the transcript in a response format: a JSON value, for text the bare text and a newline.
func (v verboseBody) body(format string, logprobs bool) any {
	switch format {
	case formatText:
		return v.Text + "\n"
	case formatVerbose:
		return v
	}
	b := plainBody{Text: v.Text, Usage: v.usage()}
	if logprobs {
		b.Logprobs = v.logprobs()
	}
	return b
}

func (v verboseBody) usage() usage {
	return usage{Type: "duration", Seconds: int(math.Ceil(v.Duration))}
}

// logprobs are those of all words.
func (v verboseBody) logprobs() []realtime.Logprob {
	words := make([]engine.Word, len(v.Words))
	for i, w := range v.Words {
		words[i] = engine.Word{Text: w.Word, Confidence: w.Confidence}
	}
	return realtime.Logprobs(words, true)
}

func (t *transcript) verbose() verboseBody {
	v := verboseBody{
		Task: "transcribe", Language: "ar", Duration: seconds(t.duration), Text: t.text.String(),
		Segments: make([]segmentBody, 0, len(t.segments)), Words: []wordBody{},
	}
	for _, s := range t.segments {
		v.Segments = append(v.Segments, segmentOf(s))
		for _, w := range s.Words {
			v.Words = append(v.Words, wordBody{w.Text, seconds(w.Start), seconds(w.End), score(w.Confidence), s.channel})
		}
	}
	return v
}

func segmentOf(s channelSegment) segmentBody {
	return segmentBody{
		ID: s.ID, Seek: int(tidy(s.Start, 1e3) * 100), Start: seconds(s.Start), End: seconds(s.End), Text: s.Text,
		Tokens: append([]int{}, s.Tokens...), Temperature: score(s.Temperature), AvgLogprob: score(s.AvgLogprob),
		CompressionRatio: score(s.CompressionRatio), NoSpeechProb: score(s.NoSpeechProb),
		Channel: s.channel,
	}
}

func seconds(v float64) float64 { return tidy(v, 1e3) }
func score(v float64) float64   { return tidy(v, 1e6) }

// tidy rounds to 1/unit. JSON holds neither NaN nor infinity, and clients want a number: 0.
func tidy(v, unit float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*unit) / unit
}
