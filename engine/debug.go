package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"munadi/engine/decode"
	"munadi/engine/vad"
)

// Debug decodes with every parameter in the caller's hand and reports both heads for every segment, whatever the mode.
// It changes nothing of production. Parameters must be in range (the door checks them); one that makes no difference
// here says so in Warnings.
//
// beam_enabled means NeMo's "beam" for the RNNT (beam_temperature is its softmax_temperature) and the classic prefix
// beam for CTC. Segments that come out empty are reported too.
func (e *Engine) Debug(ctx context.Context, src Source, p DebugParams) (*DebugResult, error) {
	r, err := e.enter(ctx, Upload, priceOf(src))
	if err != nil {
		return nil, err
	}
	res := &DebugResult{Mode: p.Mode}
	defer func() { r.leave(res.Duration) }()
	p = p.Resolve()
	plan, err := e.debugPlan(p)
	if err != nil {
		return nil, err
	}
	c := r.cutterBy(&timedSource{src: src, times: &r.times}, vad.Params{
		Threshold: p.VADThreshold, MinSpeechMS: p.VADMinSpeechMS, MaxSpeechS: p.VADMaxSpeechS,
		MinSilenceMS: p.VADMinSilenceMS, PadMS: p.VADPadMS,
	}, p.MaxChunkSeconds)
	res.Warnings = e.warnings(p)
	var texts []string
	started := time.Now()
	err = r.run(ctx, c, plan, func(d decoded) error {
		s := e.debugSegment(d, plan)
		s.ID = len(res.Segments)
		res.Segments = append(res.Segments, s)
		if s.Text != "" {
			texts = append(texts, s.Text)
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	res.Text, res.Duration, res.Timings = strings.Join(texts, " "), seconds(c.total), r.times.sum()
	res.Timings.Total = time.Since(started)
	return res, nil
}

// debugPlan turns resolved parameters into a plan.
func (e *Engine) debugPlan(p DebugParams) (plan, error) {
	out := plan{
		mode: e.able(p.Mode), strategy: greedyBatch, beam: decode.BeamDefaults(), everything: true,
		hybrid: decode.HybridOptions{
			AcousticScale: *p.AcousticScale, CTCWeight: p.CTCWeight, BeamLengthPenalty: *p.BeamLengthPenalty,
			CTCCandidate: p.CTCWeight > 0 && !e.jumps(),
		},
	}
	out.greedy = decode.GreedyOptions{
		Temperature: *p.Temperature, MaxSymbols: *p.MaxSymbolsPerStep, LoopLabels: *p.LoopLabels,
	}
	out.beam.Size, out.beam.SoftmaxTemperature = *p.BeamSize, *p.BeamTemperature
	if p.BeamEnabled {
		out.strategy, out.ctcBeam = beamSearch, *p.BeamSize
	}
	if e.jumps() {
		out.strategy = greedyBatch
	}
	if !p.CTCWSEnabled || !e.model.HasCTC() {
		return out, nil
	}
	spot, err := e.graph(e.context(*p.CTCWSContext))
	if spot != nil {
		spot.apply, spot.weigh, spot.intersection = p.CTCWSApply, false, p.CTCWSIntersectionThreshold
		spot.options = decode.SpotOptions{
			BeamThreshold: p.CTCWSBeamThreshold, ContextScore: p.CTCWSContextScore, AliTokenWeight: p.CTCWSAliTokenWeight,
			KeywordThreshold: p.CTCWSKeywordThreshold, BlankThreshold: p.CTCWSBlankThreshold,
			NonBlankThreshold: p.CTCWSNonBlankThreshold,
		}
	}
	out.spot = spot
	return out, err
}

// context reads ctc_ws_context: phrases separated by lines or commas, each alone or in NeMo's form
// word_spelling1_spelling2.
func (e *Engine) context(text string) []decode.Phrase {
	var entries []decode.Phrase
	for _, line := range SplitPhrases(text) {
		parts := strings.Split(line, "_")
		spellings := parts[1:]
		if len(spellings) == 0 {
			spellings = parts
		}
		if entry, ok := e.spell(parts[0], spellings...); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

// SplitPhrases cuts a phrase list at lines and at Latin and Arabic commas, and drops what is empty or twice in it.
func SplitPhrases(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r,،", r) }) {
		phrase := strings.Join(strings.Fields(f), " ")
		if phrase != "" && !seen[phrase] {
			seen[phrase] = true
			out = append(out, phrase)
		}
	}
	return out
}

// warnings names the parameters that were given and make no difference on this machine, with this model or beside
// the other parameters, or leave these no sense.
func (e *Engine) warnings(p DebugParams) []string {
	out := []string{}
	note := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	note(*p.UseCUDAGraphDecoder, "use_cuda_graph_decoder: decoding on the CPU, where there are no CUDA graphs")
	note(!e.model.HasRNNT(), "the model has no RNNT head: mode, rnnt and hybrid show the CTC head's result")
	note(!e.model.HasCTC(),
		"the model has no CTC head: mode ctc shows the RNNT head's result; ctc_weight and ctc_ws_* have no effect")
	note(p.BeamEnabled && e.jumps(),
		"beam_enabled: the model is a token-and-duration transducer (TDT), whose RNNT head is decoded greedily")
	note(p.BeamEnabled && !*p.LoopLabels, "loop_labels applies to greedy decoding; beam_enabled is on")
	note(p.BeamEnabled && *p.MaxSymbolsPerStep != 10,
		"max_symbols_per_step applies to greedy decoding; beam_enabled is on")
	note(p.BeamEnabled && *p.Temperature != 1,
		"temperature applies to greedy decoding and CTC; the RNNT beam uses beam_temperature")
	note(!p.BeamEnabled && *p.BeamTemperature != 1, "beam_temperature applies to the beam; beam_enabled is off")
	note(!p.BeamEnabled && *p.BeamSize != 4, "beam_size applies to the beam; beam_enabled is off")
	note(p.Mode != Hybrid && (p.CTCWeight != 0 || *p.AcousticScale != 1 || *p.BeamLengthPenalty != 0),
		"ctc_weight, acoustic_scale and beam_length_penalty rank hypotheses in mode hybrid only")
	note(2*p.VADPadMS >= 1000*p.VADMaxSpeechS,
		"vad_pad_ms, counted twice, leaves nothing of vad_max_speech_s: speech is cut at every window")
	note(p.CTCWSApply && !p.CTCWSEnabled, "ctc_ws_apply: ctc_ws_enabled is off")
	note(p.tunesSpotter() && !p.CTCWSEnabled,
		"ctc_ws_context and the thresholds of ctc_ws_* apply to the word spotter; ctc_ws_enabled is off")
	note(p.CTCWSEnabled && len(e.context(*p.CTCWSContext)) == 0,
		"ctc_ws_context holds no phrase that the model's vocabulary can write; nothing is spotted")
	return out
}

// tunesSpotter says that a parameter of the word spotter was given that is not its default.
func (p DebugParams) tunesSpotter() bool {
	d := DebugDefaults()
	return *p.CTCWSContext != "" || p.CTCWSBeamThreshold != d.CTCWSBeamThreshold ||
		p.CTCWSContextScore != d.CTCWSContextScore || p.CTCWSAliTokenWeight != d.CTCWSAliTokenWeight ||
		p.CTCWSIntersectionThreshold != d.CTCWSIntersectionThreshold ||
		p.CTCWSKeywordThreshold != d.CTCWSKeywordThreshold || p.CTCWSBlankThreshold != d.CTCWSBlankThreshold ||
		p.CTCWSNonBlankThreshold != d.CTCWSNonBlankThreshold
}

// debugSegment reports one chunk.
func (e *Engine) debugSegment(d decoded, p plan) DebugSegment {
	s := DebugSegment{
		Start: d.segment.Start, End: d.segment.End, Text: d.segment.Text,
		CTC: e.describe(d.ctc, d.clock), Spotted: []Spotted{}, NBest: []NBest{},
	}
	s.RNNT = e.describe(decode.Hypothesis{}, d.clock)
	if len(d.rnnt) > 0 {
		s.RNNT = e.describe(d.rnnt[0], d.clock)
	}
	ranking := e.ranking(d)
	s.Hybrid = HybridPick{Text: s.CTC.Text, Score: s.CTC.Score, Picked: string(CTC)}
	if len(ranking) > 0 {
		s.Hybrid.Text, s.Hybrid.Score = e.text(ranking[0].Hypothesis), ranking[0].Total
		if !ranking[0].FromCTC {
			s.Hybrid.Picked = string(RNNT)
		}
	}
	for _, c := range ranking {
		s.NBest = append(s.NBest, NBest{
			Text: e.text(c.Hypothesis), Score: c.Total, RNNTScore: c.RNNT, CTCScore: c.CTC, TokenIDs: notNil(c.Tokens),
		})
	}
	for _, sp := range d.spotted {
		s.Spotted = append(s.Spotted, Spotted{
			Phrase: sp.Text, Start: d.clock.at(sp.Start), End: d.clock.at(sp.End + 1), Score: sp.Score,
		})
	}
	s.SpottedText = s.Text
	if d.merged != nil {
		s.SpottedText = join(d.merged)
		s.Applied = p.spot.apply && len(d.spotted) > 0
	}
	return s
}

// ranking is the hybrid ranking, or the RNNT's own where nothing was ranked.
func (e *Engine) ranking(d decoded) []decode.Candidate {
	if len(d.ranked) > 0 {
		return d.ranked
	}
	var out []decode.Candidate
	for _, h := range d.rnnt {
		out = append(out, decode.Candidate{Hypothesis: h, RNNT: h.Score, Total: h.Score})
	}
	return out
}

func (e *Engine) describe(h decode.Hypothesis, c clock) Decoded {
	d := Decoded{Text: e.text(h), Score: h.Score, Tokens: []string{}, TokenIDs: notNil(h.Tokens), Timestamps: []float64{}}
	for i, id := range h.Tokens {
		d.Tokens = append(d.Tokens, e.model.Vocabulary[id])
		d.Timestamps = append(d.Timestamps, c.at(h.Frames[i]))
	}
	return d
}

// text is a hypothesis as words.
func (e *Engine) text(h decode.Hypothesis) string {
	return join(assemble(h, e.model.Vocabulary, clock{frame: 1, end: 1e9}))
}

func notNil(ids []int) []int {
	if ids == nil {
		return []int{}
	}
	return ids
}
