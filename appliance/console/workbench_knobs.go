package console

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"munadi/engine"
	"munadi/ui/page"
	"munadi/ui/text"
)

// maxContext is the longest phrase list, in bytes; that of a URL is cut by whoever carries it much earlier.
const maxContext = 64 << 10

// knob is a parameter of the debug decoder under NeMo's name; the same names, ranges and defaults as POST
// /debug/decode has.
type knob struct {
	name, group string
	kind        page.KnobKind
	low, high   float64
	choices     []string
	show        func(*engine.DebugParams) string // of resolved parameters
	set         func(*engine.DebugParams, string) bool
}

// The groups that knobs stand in.
const (
	knobsHeads = "heads"
	knobsBeam  = "beam"
	knobsSpot  = "spot"
	knobsCut   = "cut"
)

// knobs lists the parameters in the order in which they are shown.
func knobs() []knob {
	type p = engine.DebugParams
	return []knob{
		{
			name: "mode", group: knobsHeads, kind: page.KnobChoice, choices: []string{"hybrid", "rnnt", "ctc"},
			show: func(p *p) string { return string(p.Mode) },
			set: func(p *p, s string) bool {
				p.Mode = engine.Mode(s)
				return s == "hybrid" || s == "rnnt" || s == "ctc"
			},
		},
		float("ctc_weight", knobsHeads, 0, 1, func(p *p) *float64 { return &p.CTCWeight }),
		float("acoustic_scale", knobsHeads, 0, 100, func(p *p) *float64 { return own(&p.AcousticScale) }),
		float("temperature", knobsHeads, 0.01, 10, func(p *p) *float64 { return own(&p.Temperature) }),
		whole("max_symbols_per_step", knobsHeads, 0, 1000, func(p *p) *int { return own(&p.MaxSymbolsPerStep) }),
		toggle("loop_labels", knobsHeads, func(p *p) *bool { return own(&p.LoopLabels) }),
		toggle("use_cuda_graph_decoder", knobsHeads, func(p *p) *bool { return own(&p.UseCUDAGraphDecoder) }),
		toggle("beam_enabled", knobsBeam, func(p *p) *bool { return &p.BeamEnabled }),
		whole("beam_size", knobsBeam, 1, 64, func(p *p) *int { return own(&p.BeamSize) }),
		float("beam_length_penalty", knobsBeam, -100, 100, func(p *p) *float64 { return own(&p.BeamLengthPenalty) }),
		float("beam_temperature", knobsBeam, 0.01, 10, func(p *p) *float64 { return own(&p.BeamTemperature) }),
		toggle("ctc_ws_enabled", knobsSpot, func(p *p) *bool { return &p.CTCWSEnabled }),
		{
			name: "ctc_ws_context", group: knobsSpot, kind: page.KnobText,
			show: func(p *p) string { return *own(&p.CTCWSContext) },
			set: func(p *p, s string) bool {
				*own(&p.CTCWSContext) = strings.ReplaceAll(s, "\r\n", "\n")
				return len(s) <= maxContext
			},
		},
		toggle("ctc_ws_apply", knobsSpot, func(p *p) *bool { return &p.CTCWSApply }),
		float("ctc_ws_beam_threshold", knobsSpot, 0, 1000, func(p *p) *float64 { return &p.CTCWSBeamThreshold }),
		float("ctc_ws_context_score", knobsSpot, -100, 100, func(p *p) *float64 { return &p.CTCWSContextScore }),
		float("ctc_ws_ali_token_weight", knobsSpot, -100, 100, func(p *p) *float64 { return &p.CTCWSAliTokenWeight }),
		float("ctc_ws_intersection_threshold", knobsSpot, 0, 100, func(p *p) *float64 {
			return &p.CTCWSIntersectionThreshold
		}),
		float("ctc_ws_keyword_threshold", knobsSpot, -1000, 1000, func(p *p) *float64 { return &p.CTCWSKeywordThreshold }),
		float("ctc_ws_blank_threshold", knobsSpot, 0, 1, func(p *p) *float64 { return &p.CTCWSBlankThreshold }),
		float("ctc_ws_non_blank_threshold", knobsSpot, 0, 1, func(p *p) *float64 { return &p.CTCWSNonBlankThreshold }),
		whole("max_chunk_seconds", knobsCut, 1, 60, func(p *p) *int { return &p.MaxChunkSeconds }),
		float("vad_threshold", knobsCut, 0, 1, func(p *p) *float64 { return &p.VADThreshold }),
		whole("vad_min_speech_ms", knobsCut, 0, 60000, func(p *p) *int { return &p.VADMinSpeechMS }),
		whole("vad_max_speech_s", knobsCut, 1, 3600, func(p *p) *int { return &p.VADMaxSpeechS }),
		whole("vad_min_silence_ms", knobsCut, 0, 60000, func(p *p) *int { return &p.VADMinSilenceMS }),
		whole("vad_pad_ms", knobsCut, 0, 10000, func(p *p) *int { return &p.VADPadMS }),
	}
}

// own is the value of a resolved parameter in a place of its own, so that setting it leaves the default alone.
func own[T any](p **T) *T {
	var v T
	if *p != nil {
		v = **p
	}
	*p = &v
	return *p
}

func float(name, group string, low, high float64, of func(*engine.DebugParams) *float64) knob {
	return knob{
		name: name, group: group, kind: page.KnobNumber, low: low, high: high,
		show: func(p *engine.DebugParams) string { return strconv.FormatFloat(*of(p), 'g', -1, 64) },
		set: func(p *engine.DebugParams, s string) bool {
			v, err := strconv.ParseFloat(s, 64)
			*of(p) = v
			return err == nil && !math.IsNaN(v) && v >= low && v <= high
		},
	}
}

func whole(name, group string, low, high int, of func(*engine.DebugParams) *int) knob {
	return knob{
		name: name, group: group, kind: page.KnobNumber, low: float64(low), high: float64(high),
		show: func(p *engine.DebugParams) string { return strconv.Itoa(*of(p)) },
		set: func(p *engine.DebugParams, s string) bool {
			v, err := strconv.Atoi(s)
			*of(p) = v
			return err == nil && v >= low && v <= high
		},
	}
}

func toggle(name, group string, of func(*engine.DebugParams) *bool) knob {
	return knob{
		name: name, group: group, kind: page.KnobToggle,
		show: func(p *engine.DebugParams) string { return strconv.FormatBool(*of(p)) },
		set: func(p *engine.DebugParams, s string) bool {
			v, err := strconv.ParseBool(s)
			*of(p) = v
			return err == nil
		},
	}
}

// turned reads the parameters that a form or a URL names; the others keep their defaults. The knobs come back as they
// are to be shown, and the query names those that differ from the default.
func turned(form url.Values, w text.Workbench) (p engine.DebugParams, shown []page.Knob, query url.Values, sound bool) {
	p, query, sound = engine.DebugDefaults().Resolve(), url.Values{}, true
	defaults := engine.DebugDefaults().Resolve()
	for _, k := range knobs() {
		one := page.Knob{Name: k.name, Group: k.group, Kind: k.kind, Choices: k.choices, Default: k.show(&defaults)}
		one.Value = one.Default
		if typed := form[k.name]; len(typed) > 0 && (k.kind == page.KnobText || typed[len(typed)-1] != "") {
			if one.Value = typed[len(typed)-1]; k.kind != page.KnobText {
				one.Value = western(one.Value)
			}
			if !k.set(&p, one.Value) {
				sound, one.Fault = false, text.Between(w.BadRange, bare(k.low), bare(k.high))
			} else if one.Value = k.show(&p); one.Value != one.Default {
				query.Set(k.name, one.Value)
			}
		}
		shown = append(shown, one)
	}
	return p, shown, query, sound
}

// bare writes a bound as short as it goes.
func bare(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
