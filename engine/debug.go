package engine

import (
	"context"
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
