package engine

import (
	"context"
	"fmt"

	"munadi/engine/decode"
)

// searchStrategy is an RNNT search by NeMo's name.
type searchStrategy string

const (
	greedyBatch searchStrategy = "greedy_batch"
	beamSearch  searchStrategy = "beam"
	maes        searchStrategy = "maes"
	alsd        searchStrategy = "alsd"
	tsd         searchStrategy = "tsd"
	malsdBatch  searchStrategy = "malsd_batch"
)

const (
	// searchJoints is the work limit of a search, in joints per frame of a chunk on average. With size 64, "beam" uses
	// 43 on speech and "tsd" 510, 800 at temperature 2: only extreme parameters and broken models exceed it.
	searchJoints = 1024
	// latticeJoints is the work limit of the hybrid ranking's lattices.
	latticeJoints = 4096
)

// withBounds returns the plan with work limits for one chunk.
func (p decodePlan) withBounds(frames int) decodePlan {
	search := decode.NewWork(frames * searchJoints)
	p.greedy.Work, p.beam.Work, p.hybrid.Work = search, search, decode.NewWork(frames*latticeJoints)
	return p
}

// decodePlan is how one chunk is decoded.
type decodePlan struct {
	mode       DecodeMode
	strategy   searchStrategy
	greedy     decode.GreedyOptions
	beam       decode.BeamOptions
	hybrid     decode.HybridOptions
	ctcBeam    int  // CTC prefix beam size; 0: greedy
	everything bool // decode both heads in every mode (debug)
	draft      bool // a partial text: no word verifier
	spot       *phraseSpotting
	answers    *decode.TokenGrammar // grammar of expected answers; nil: unconstrained
	readings   decode.ReadingOptions
}

// productionPlan returns the plan of the model's configuration.
func (e *Engine) productionPlan() decodePlan {
	d := e.model.Decoding
	p := decodePlan{
		mode: Hybrid, strategy: searchStrategy(d.Strategy),
		greedy: decode.GreedyDefaults(), beam: decode.BeamDefaults(), hybrid: decode.HybridDefaults(),
		readings: decode.ReadingDefaults(),
	}
	if p.strategy == "greedy" || e.isTDT() {
		p.strategy = greedyBatch
	}
	p.greedy.MaxSymbols, p.beam.MaxSymbols, p.beam.Size = d.MaxSymbols, d.MaxSymbols, d.BeamSize
	p.hybrid.CTCWeight = d.CTCWeight
	p.mode = e.availableMode(p.mode)
	return p
}

// isTDT reports whether the model is a token-and-duration transducer (TDT), which only greedy search decodes.
func (e *Engine) isTDT() bool { return len(e.model.Decoding.Durations) > 0 }

// requestPlan returns production's plan with the options of one request.
func (e *Engine) requestPlan(o TranscribeOptions) (decodePlan, error) {
	p := e.productionPlan()
	switch o.Mode {
	case "":
	case Hybrid, RNNT, CTC:
		p.mode = e.availableMode(o.Mode)
	default:
		return p, fmt.Errorf("unknown decoding mode %q: use hybrid, rnnt or ctc", o.Mode)
	}
	if o.Temperature != 0 {
		p.greedy.Temperature, p.beam.SoftmaxTemperature = o.Temperature, o.Temperature
	}
	var err error
	if p.answers, err = e.compileGrammar(o.Grammar); err != nil {
		return p, err
	}
	p.spot, err = e.newSpotting(o.Phrases)
	return p, err
}

// availableMode returns the mode, or the other head's mode if the model lacks a head.
func (e *Engine) availableMode(m DecodeMode) DecodeMode {
	switch {
	case !e.model.HasRNNT():
		return CTC
	case m == CTC && !e.model.HasCTC():
		return RNNT
	}
	return m
}

// draftPlan returns the plan of partial texts: greedy search, and nothing that only a final text is worth.
func (p decodePlan) draftPlan() decodePlan {
	p.draft, p.spot, p.answers, p.ctcBeam = true, nil, nil, 0
	p.strategy, p.hybrid.CTCWeight, p.hybrid.BeamLengthPenalty = greedyBatch, 0, 0
	return p
}

// isPlainGreedy reports whether the plan's text is that of greedy search: words are only appended as audio arrives.
func (p decodePlan) isPlainGreedy() bool {
	return p.spot == nil && p.answers == nil && p.ctcBeam == 0 && (p.strategy == greedyBatch || p.mode == CTC)
}

// labelTemperature returns the divisor of the labels' logits.
func (p decodePlan) labelTemperature() float64 {
	if p.greedy.Temperature == 0 {
		return 1
	}
	return p.greedy.Temperature
}

// String describes the plan, for display.
func (p decodePlan) String() string {
	if p.mode == CTC {
		return "CTC greedy"
	}
	if p.strategy == greedyBatch {
		return "RNNT greedy, label looping"
	}
	ranked := ""
	if p.mode == Hybrid && p.hybrid.CTCWeight != 0 {
		ranked = fmt.Sprintf(", ranked with CTC at %g", p.hybrid.CTCWeight)
	}
	return fmt.Sprintf("RNNT %s, beam %d%s", p.strategy, p.beam.Size, ranked)
}

// searchRNNT runs the plan's RNNT search: n-best, best first, at least one.
func (p decodePlan) searchRNNT(
	ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames,
) ([]decode.Hypothesis, error) {
	switch p.strategy {
	case beamSearch:
		return decode.BeamSearch(ctx, net, f, p.beam)
	case maes:
		return decode.MAESSearch(ctx, net, f, p.beam)
	case alsd:
		return decode.ALSDSearch(ctx, net, f, p.beam)
	case tsd:
		return decode.TSDSearch(ctx, net, f, p.beam)
	case malsdBatch:
		return decode.MALSDSearch(ctx, net, f, p.beam)
	default:
		h, err := decode.GreedySearch(ctx, net, f, p.greedy)
		return []decode.Hypothesis{h}, err
	}
}
