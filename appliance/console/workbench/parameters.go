package workbench

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/engine"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/workbench"
)

// maxContext is the longest phrase list, in bytes; browsers and proxies limit that of a URL much earlier.
const maxContext = 64 << 10

// debugParameter is a parameter of the debug decoder; names (NeMo's), ranges and defaults are those of POST
// /debug/decode.
type debugParameter struct {
	name, group string
	kind        workbench.KnobKind
	low, high   float64
	choices     []string
	show        func(*engine.DebugParams) string // formats the value in resolved parameters
	set         func(*engine.DebugParams, string) bool
}

// The groups of parameters on the page.
const (
	headsGroup        = "heads"
	beamGroup         = "beam"
	spottingGroup     = "spot"
	segmentationGroup = "cut"
)

// debugParameters returns the parameters in their order on the page.
func debugParameters() []debugParameter {
	return slices.Concat(headParameters(), beamParameters(), spottingParameters(), segmentationParameters())
}

// params are the parameters of the debug decoder.
type params = engine.DebugParams

func headParameters() []debugParameter {
	return []debugParameter{
		{
			name: "mode", group: headsGroup, kind: workbench.KnobChoice, choices: []string{"hybrid", "rnnt", "ctc"},
			show: func(p *params) string { return string(p.Mode) },
			set:  func(p *params, s string) bool { p.Mode = engine.DecodeMode(s); return true },
		},
		floatParameter("ctc_weight", headsGroup, 0, 1, func(p *params) *float64 { return &p.CTCWeight }),
		optionalFloat("acoustic_scale", headsGroup, 0, 100, func(p *params) **float64 { return &p.AcousticScale }),
		optionalFloat("temperature", headsGroup, 0.01, 10, func(p *params) **float64 { return &p.Temperature }),
		optionalInt("max_symbols_per_step", headsGroup, 0, 1000, func(p *params) **int { return &p.MaxSymbolsPerStep }),
		boolParameter("loop_labels", headsGroup, func(p *params) *bool { return copyPointer(&p.LoopLabels) }),
		boolParameter("use_cuda_graph_decoder", headsGroup, func(p *params) *bool {
			return copyPointer(&p.UseCUDAGraphDecoder)
		}),
	}
}

func beamParameters() []debugParameter {
	return []debugParameter{
		{
			name: "strategy", group: beamGroup, kind: workbench.KnobChoice,
			choices: []string{"", "greedy_batch", "beam", "maes", "alsd", "tsd", "malsd_batch"},
			show: func(p *params) string {
				if p.Strategy == nil {
					return ""
				}
				return *p.Strategy
			},
			set: func(p *params, s string) bool { p.Strategy = &s; return true },
		},
		boolParameter("beam_enabled", beamGroup, func(p *params) *bool { return &p.BeamEnabled }),
		optionalInt("beam_size", beamGroup, 1, 64, func(p *params) **int { return &p.BeamSize }),
		optionalFloat("beam_length_penalty", beamGroup, -100, 100, func(p *params) **float64 { return &p.BeamLengthPenalty }),
		optionalFloat("beam_temperature", beamGroup, 0.01, 10, func(p *params) **float64 { return &p.BeamTemperature }),
	}
}

func spottingParameters() []debugParameter {
	float := func(name string, low, high float64, of func(*params) *float64) debugParameter {
		return floatParameter("ctc_ws_"+name, spottingGroup, low, high, of)
	}
	return []debugParameter{
		boolParameter("ctc_ws_enabled", spottingGroup, func(p *params) *bool { return &p.CTCWSEnabled }),
		{
			name: "ctc_ws_context", group: spottingGroup, kind: workbench.KnobText,
			show: func(p *params) string { return *copyPointer(&p.CTCWSContext) },
			set: func(p *params, s string) bool {
				*copyPointer(&p.CTCWSContext) = form.UnixLines(s)
				return len(s) <= maxContext
			},
		},
		boolParameter("ctc_ws_apply", spottingGroup, func(p *params) *bool { return &p.CTCWSApply }),
		float("beam_threshold", 0, 1000, func(p *params) *float64 { return &p.CTCWSBeamThreshold }),
		float("context_score", -100, 100, func(p *params) *float64 { return &p.CTCWSContextScore }),
		float("ali_token_weight", -100, 100, func(p *params) *float64 { return &p.CTCWSAliTokenWeight }),
		float("intersection_threshold", 0, 100, func(p *params) *float64 { return &p.CTCWSIntersectionThreshold }),
		float("keyword_threshold", -1000, 1000, func(p *params) *float64 { return &p.CTCWSKeywordThreshold }),
		float("blank_threshold", 0, 1, func(p *params) *float64 { return &p.CTCWSBlankThreshold }),
		float("non_blank_threshold", 0, 1, func(p *params) *float64 { return &p.CTCWSNonBlankThreshold }),
	}
}

func segmentationParameters() []debugParameter {
	return []debugParameter{
		intParameter("max_chunk_seconds", segmentationGroup, 1, 60, func(p *params) *int { return &p.MaxChunkSeconds }),
		floatParameter("vad_threshold", segmentationGroup, 0, 1, func(p *params) *float64 { return &p.VADThreshold }),
		intParameter("vad_min_speech_ms", segmentationGroup, 0, 60000, func(p *params) *int { return &p.VADMinSpeechMS }),
		intParameter("vad_max_speech_s", segmentationGroup, 1, 3600, func(p *params) *int { return &p.VADMaxSpeechS }),
		intParameter("vad_min_silence_ms", segmentationGroup, 0, 60000, func(p *params) *int { return &p.VADMinSilenceMS }),
		intParameter("vad_pad_ms", segmentationGroup, 0, 10000, func(p *params) *int { return &p.VADPadMS }),
	}
}

// copyPointer replaces a pointer by one to a copy, so that setting the value does not change the default.
func copyPointer[T any](p **T) *T {
	var v T
	if *p != nil {
		v = **p
	}
	*p = &v
	return *p
}

func optionalFloat(name, group string, low, high float64, of func(*params) **float64) debugParameter {
	return floatParameter(name, group, low, high, func(p *params) *float64 { return copyPointer(of(p)) })
}

func optionalInt(name, group string, low, high int, of func(*params) **int) debugParameter {
	return intParameter(name, group, low, high, func(p *params) *int { return copyPointer(of(p)) })
}

func floatParameter(name, group string, low, high float64, of func(*params) *float64) debugParameter {
	return debugParameter{
		name: name, group: group, kind: workbench.KnobNumber, low: low, high: high,
		show: func(p *params) string { return strconv.FormatFloat(*of(p), 'g', -1, 64) },
		set: func(p *params, s string) bool {
			v, err := strconv.ParseFloat(s, 64)
			*of(p) = v
			return err == nil && !math.IsNaN(v) && v >= low && v <= high
		},
	}
}

func intParameter(name, group string, low, high int, of func(*params) *int) debugParameter {
	return debugParameter{
		name: name, group: group, kind: workbench.KnobNumber, low: float64(low), high: float64(high),
		show: func(p *params) string { return strconv.Itoa(*of(p)) },
		set: func(p *params, s string) bool {
			v, err := strconv.Atoi(s)
			*of(p) = v
			return err == nil && v >= low && v <= high
		},
	}
}

func boolParameter(name, group string, of func(*params) *bool) debugParameter {
	return debugParameter{
		name: name, group: group, kind: workbench.KnobToggle,
		show: func(p *params) string { return strconv.FormatBool(*of(p)) },
		set: func(p *params, s string) bool {
			v, err := strconv.ParseBool(s)
			*of(p) = v
			return err == nil
		},
	}
}

// readParameters parses the parameters of a form or a URL; absent ones keep their defaults. shown holds the fields for
// display, query those that differ from the default; valid is false if one is invalid.
func readParameters(
	form url.Values, l locale.Language,
) (p engine.DebugParams, shown []workbench.ParameterField, query url.Values, valid bool) {
	p, query, valid = shownDefaults(), url.Values{}, true
	defaults := shownDefaults()
	for _, k := range debugParameters() {
		one := workbench.ParameterField{
			Name: k.name, Group: k.group, Kind: k.kind, Choices: k.choices, Default: k.show(&defaults),
		}
		one.Value = one.Default
		if typed := form[k.name]; len(typed) > 0 && (k.kind == workbench.KnobText || typed[len(typed)-1] != "") {
			if one.Value = typed[len(typed)-1]; k.kind != workbench.KnobText {
				one.Value = kit.WesternDigits(one.Value)
			}
			known := k.kind != workbench.KnobChoice || slices.Contains(k.choices, one.Value)
			if !known || !k.set(&p, one.Value) {
				valid, one.Fault = false, k.explainFault(l)
			} else if one.Value = k.show(&p); one.Value != one.Default {
				query.Set(k.name, one.Value)
			}
		}
		shown = append(shown, one)
	}
	return p, shown, query, valid
}

// shownDefaults returns the decoder's defaults for display, without the search strategy: without a named one,
// beam_enabled selects it, and a named one ranks results without the CTC head.
func shownDefaults() engine.DebugParams {
	p := engine.DebugDefaults().ResolveDefaults()
	p.Strategy = nil
	return p
}

// explainFault returns which values a parameter accepts.
func (k debugParameter) explainFault(l locale.Language) string {
	if k.kind == workbench.KnobChoice {
		choices := slices.DeleteFunc(slices.Clone(k.choices), isEmpty)
		return locale.FillSentence(workbench.BadChoice.In(l), "value", strings.Join(choices, ", "))
	}
	return locale.FillRange(workbench.BadRange.In(l), kit.FormatShortest(k.low), kit.FormatShortest(k.high))
}

func isEmpty(s string) bool { return s == "" }
