package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"munadi/engine/decode"
	"munadi/engine/vad"
)

// DebugDecode decodes with explicit parameters and reports both heads for every segment, whatever the mode. It does not
// affect production. Parameters must be in range (the HTTP handler validates them); ineffective ones are named in
// Warnings.
//
// beam_enabled selects NeMo's "beam" for the RNNT (beam_temperature is its softmax_temperature) and prefix beam search
// for CTC. Empty segments are reported too.
func (e *Engine) DebugDecode(ctx context.Context, src SampleSource, p DebugParams) (*DebugResult, error) {
	r, err := e.admitRequest(ctx, Upload, priceOf(src))
	if err != nil {
		return nil, err
	}
	res := &DebugResult{Mode: p.Mode}
	defer func() { r.leaveQueue(res.Duration) }()
	named := p.Strategy != nil
	p = p.ResolveDefaults()
	plan, err := e.debugPlan(p, named)
	if err != nil {
		return nil, err
	}
	c := r.newVADCutter(&timedSource{src: src, times: &r.times}, vad.SpeechParams{
		Threshold: p.VADThreshold, MinSpeechMS: p.VADMinSpeechMS, MaxSpeechS: p.VADMaxSpeechS,
		MinSilenceMS: p.VADMinSilenceMS, PadMS: p.VADPadMS,
	}, p.MaxChunkSeconds)
	res.Warnings = e.debugWarnings(p)
	var cut workLimits
	var texts []string
	started := time.Now()
	err = r.transcribeChunks(ctx, c, plan, func(d decodedChunk) error {
		s := e.debugSegment(d, plan)
		cut.countSegment(d)
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
	res.Warnings = cut.addWarnings(res.Warnings)
	res.Text, res.Duration, res.Timings = strings.Join(texts, " "), secondsOf(c.total), r.times.totalTimings()
	res.Timings.Total = time.Since(started)
	return res, nil
}

// debugPlan converts resolved parameters into a plan. A search named by the caller ranks as production does; otherwise
// the CTC head's hypothesis is a candidate too.
func (e *Engine) debugPlan(p DebugParams, named bool) (decodePlan, error) {
	out := decodePlan{
		mode: e.availableMode(p.Mode), strategy: searchStrategy(*p.Strategy), beam: decode.BeamDefaults(), everything: true,
		hybrid: decode.HybridOptions{
			AcousticScale: *p.AcousticScale, CTCWeight: p.CTCWeight, BeamLengthPenalty: *p.BeamLengthPenalty,
			CTCCandidate: p.CTCWeight > 0 && !named && !e.isTDT(),
		},
	}
	out.greedy = decode.GreedyOptions{
		Temperature: *p.Temperature, MaxSymbols: *p.MaxSymbolsPerStep, LoopLabels: *p.LoopLabels,
	}
	out.beam.Size, out.beam.SoftmaxTemperature = *p.BeamSize, *p.BeamTemperature
	out.beam.MaxSymbols = *p.MaxSymbolsPerStep
	if p.BeamEnabled {
		out.ctcBeam = *p.BeamSize
	}
	if e.isTDT() {
		out.strategy = greedyBatch
	}
	if !p.CTCWSEnabled || !e.model.HasCTC() {
		return out, nil
	}
	entries, _ := e.parseContext(*p.CTCWSContext)
	spot, err := e.buildGraph(entries)
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

// debugSegment returns the report of one chunk.
func (e *Engine) debugSegment(d decodedChunk, p decodePlan) DebugSegment {
	s := DebugSegment{
		Start: d.segment.Start, End: d.segment.End, Text: d.segment.Text,
		CTC: e.describeHypothesis(d.ctc, d.clock), Spotted: []SpottedPhrase{},
	}
	s.RNNT = e.describeHypothesis(decode.Hypothesis{}, d.clock)
	if len(d.rnnt) > 0 {
		s.RNNT = e.describeHypothesis(d.rnnt[0], d.clock)
	}
	ranking := hybridRanking(d)
	s.Hybrid = HybridPick{Text: s.CTC.Text, Score: s.CTC.Score, Picked: string(CTC)}
	if len(ranking) > 0 {
		s.Hybrid.Text, s.Hybrid.Score = e.hypothesisText(ranking[0].Hypothesis), ranking[0].Total
		if !ranking[0].FromCTC {
			s.Hybrid.Picked = string(RNNT)
		}
	}
	s.NBest = e.listNBest(d, p.mode)
	for _, sp := range d.spotted {
		s.Spotted = append(s.Spotted, SpottedPhrase{
			Phrase: sp.Text, Start: d.clock.secondsAt(sp.Start), End: d.clock.secondsAt(sp.End + 1), Score: sp.Score,
		})
	}
	s.SpottedText = s.Text
	if d.merged != nil {
		s.SpottedText = joinWords(d.merged)
		s.Applied = p.spot.apply && len(d.spotted) > 0
	}
	return s
}

// hybridRanking returns the hybrid ranking, or the RNNT's n-best without one.
func hybridRanking(d decodedChunk) []decode.RankedCandidate {
	if len(d.ranked) > 0 {
		return d.ranked
	}
	var out []decode.RankedCandidate
	for _, h := range d.rnnt {
		out = append(out, decode.RankedCandidate{Hypothesis: h, RNNT: h.Score, CTC: math.Inf(-1), Total: h.Score})
	}
	return out
}

// listNBest returns the hypotheses that the mode chose from: the result first, duplicates of a text removed.
func (e *Engine) listNBest(d decodedChunk, mode DecodeMode) []NBest {
	out, seen := []NBest{}, map[string]bool{}
	for _, c := range d.listCandidates(mode) {
		text := e.hypothesisText(c.Hypothesis)
		if seen[text] {
			continue
		}
		seen[text] = true
		out = append(out, NBest{
			Text: text, Score: c.Total, RNNTScore: c.RNNT, CTCScore: c.CTC, TokenIDs: notNil(c.Tokens),
		})
	}
	return out
}

// listCandidates returns the hypotheses that the mode chose from, best first, each with its hybrid scores.
func (d decodedChunk) listCandidates(mode DecodeMode) []decode.RankedCandidate {
	ranked := hybridRanking(d)
	own := d.rnnt
	switch {
	case mode == Hybrid && len(ranked) > 0:
		return ranked
	case mode == CTC || len(own) == 0:
		own = d.ctcBest
	}
	out := make([]decode.RankedCandidate, len(own))
	for i, h := range own {
		out[i] = decode.RankedCandidate{Hypothesis: h, RNNT: math.Inf(-1), CTC: math.Inf(-1)}
		for _, c := range ranked {
			if slices.Equal(c.Tokens, h.Tokens) {
				out[i].RNNT, out[i].CTC = c.RNNT, c.CTC
			}
		}
		out[i].Total = h.Score
	}
	return out
}

func (e *Engine) describeHypothesis(h decode.Hypothesis, c frameClock) HeadResult {
	d := HeadResult{
		Text:       e.hypothesisText(h),
		Score:      h.Score,
		Tokens:     []string{},
		TokenIDs:   notNil(h.Tokens),
		Timestamps: []float64{},
	}
	for i, id := range h.Tokens {
		d.Tokens = append(d.Tokens, e.model.Vocabulary[id])
		d.Timestamps = append(d.Timestamps, c.secondsAt(h.Frames[i]))
	}
	return d
}

// hypothesisText returns the text of a hypothesis.
func (e *Engine) hypothesisText(h decode.Hypothesis) string {
	return joinWords(e.timedWords(h, frameClock{frame: 1, end: 1e9}))
}

func notNil(ids []int) []int {
	if ids == nil {
		return []int{}
	}
	return ids
}

// debugWarnings lists the given parameters that have no effect on this machine, with this model or with the other
// parameters, or that make the result meaningless.
func (e *Engine) debugWarnings(p DebugParams) []string {
	out := []string{}
	note := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	note(*p.UseCUDAGraphDecoder, "use_cuda_graph_decoder has no effect: decoding runs on the CPU, without CUDA graphs")
	note(!e.model.HasRNNT(), "the model has no RNNT head: mode, rnnt and hybrid show the CTC head's result")
	note(!e.model.HasCTC(),
		"the model has no CTC head: mode ctc shows the RNNT head's result; ctc_weight and ctc_ws_* have no effect")
	note(e.isTDT() && searchStrategy(*p.Strategy) != greedyBatch,
		"strategy and beam_enabled: the model is a token-and-duration transducer (TDT), whose RNNT head is decoded greedily")
	p.warnOfSearch(note)
	note(p.Mode != Hybrid && (p.CTCWeight != 0 || *p.AcousticScale != 1 || *p.BeamLengthPenalty != 0),
		"ctc_weight, acoustic_scale and beam_length_penalty rank hypotheses in mode hybrid only")
	note(2*p.VADPadMS >= 1000*p.VADMaxSpeechS,
		"vad_pad_ms before and after speech fills vad_max_speech_s: speech is cut at every window")
	note(p.CTCWSApply && !p.CTCWSEnabled, "ctc_ws_apply: ctc_ws_enabled is off")
	note(p.tunesSpotter() && !p.CTCWSEnabled,
		"ctc_ws_context and the thresholds of ctc_ws_* apply to the word spotter; ctc_ws_enabled is off")
	entries, unwritable := e.parseContext(*p.CTCWSContext)
	note(p.CTCWSEnabled && len(unwritable) > 0,
		"ctc_ws_context: phrases with letters that the model's vocabulary lacks are not spotted: %s", joinPhrases(unwritable))
	note(p.CTCWSEnabled && len(entries) == 0,
		"ctc_ws_context has no phrase that the model's vocabulary can write; nothing is spotted")
	return out
}

// warnOfSearch lists the parameters that the chosen search does not use.
func (p DebugParams) warnOfSearch(note func(when bool, format string, args ...any)) {
	chosen := searchStrategy(*p.Strategy)
	greedy, why := chosen == greedyBatch, "beam_enabled is on"
	if chosen != p.usualStrategy() {
		why = "strategy is " + string(chosen)
	}
	note(chosen != p.usualStrategy() && p.BeamEnabled,
		"beam_enabled applies to the CTC head only; strategy selects the RNNT search")
	note(!greedy && !*p.LoopLabels, "loop_labels applies to greedy decoding; %s", why)
	note(!greedy && chosen != malsdBatch && *p.MaxSymbolsPerStep != 10,
		"max_symbols_per_step applies to greedy decoding and malsd_batch; %s", why)
	note(!greedy && *p.Temperature != 1,
		"temperature applies to greedy decoding and CTC; the RNNT beam uses beam_temperature")
	note(chosen == malsdBatch && *p.BeamTemperature != 1, "beam_temperature does not apply to malsd_batch")
	note(greedy && *p.BeamTemperature != 1, "beam_temperature applies to the beam; beam_enabled is off")
	note(greedy && !p.BeamEnabled && *p.BeamSize != 4, "beam_size applies to the beam; beam_enabled is off")
}

// namedPhrases is the number of phrases that a warning lists, namedRunes their truncated length.
const namedPhrases, namedRunes = 20, 60

// joinPhrases lists phrases in one line.
func joinPhrases(phrases []string) string {
	var out []string
	for _, p := range phrases[:min(namedPhrases, len(phrases))] {
		if runes := []rune(p); len(runes) > namedRunes {
			p = string(runes[:namedRunes]) + "…"
		}
		out = append(out, p)
	}
	if more := len(phrases) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// workLimits counts the segments that reached their work limit.
type workLimits struct{ searches, lattices int }

func (l *workLimits) countSegment(d decodedChunk) {
	if d.short {
		l.searches++
	}
	if d.unjudged {
		l.lattices++
	}
}

// addWarnings appends warnings for the client.
func (l workLimits) addWarnings(warnings []string) []string {
	if l.searches > 0 {
		warnings = append(
			warnings,
			fmt.Sprintf("the RNNT search reached its work limit in segments (%d of them, at %d evaluations of the joint"+
				" network per frame) and continued with its best hypothesis only:"+
				" use a smaller beam_size, a lower beam_temperature or fewer max_symbols_per_step", l.searches, searchJoints),
		)
	}
	if l.lattices > 0 {
		warnings = append(
			warnings,
			fmt.Sprintf("hypotheses were ranked by the scores of their search, without the CTC head, in"+
				" segments (%d of them) where scoring all of them on their lattices takes more than %d evaluations of the"+
				" joint network per frame: use a smaller beam_size", l.lattices, latticeJoints),
		)
	}
	return warnings
}

// tunesSpotter reports whether a word spotter parameter differs from its default.
func (p DebugParams) tunesSpotter() bool {
	d := DebugDefaults()
	return *p.CTCWSContext != "" || p.CTCWSBeamThreshold != d.CTCWSBeamThreshold ||
		p.CTCWSContextScore != d.CTCWSContextScore || p.CTCWSAliTokenWeight != d.CTCWSAliTokenWeight ||
		p.CTCWSIntersectionThreshold != d.CTCWSIntersectionThreshold ||
		p.CTCWSKeywordThreshold != d.CTCWSKeywordThreshold || p.CTCWSBlankThreshold != d.CTCWSBlankThreshold ||
		p.CTCWSNonBlankThreshold != d.CTCWSNonBlankThreshold
}

// parseContext parses ctc_ws_context: phrases separated by lines or commas, each alone or in NeMo's form
// word_spelling1_spelling2. Spellings outside the vocabulary are left out and returned.
func (e *Engine) parseContext(text string) (entries []decode.ContextPhrase, unwritable []string) {
	for _, line := range SplitPhrases(text) {
		parts := strings.Split(line, "_")
		spellings := parts[1:]
		if len(spellings) == 0 {
			spellings = parts
		}
		if entry, ok := e.spellPhrase(parts[0], spellings...); ok {
			entries = append(entries, entry)
		}
		for _, s := range spellings {
			if ids := e.model.Tokenizer.EncodeText(s); len(ids) == 0 || !canWrite(e.model, ids) {
				unwritable = append(unwritable, s)
			}
		}
	}
	return entries, unwritable
}

// SplitPhrases splits a phrase list at lines and at Latin and Arabic commas, and drops empty and duplicate items.
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
