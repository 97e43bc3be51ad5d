package engine

import (
	"context"
	"fmt"

	"munadi/engine/decode"
)

// strategy is an RNNT search by NeMo's name.
type strategy string

const (
	greedyBatch strategy = "greedy_batch"
	beamSearch  strategy = "beam"
	maes        strategy = "maes"
	alsd        strategy = "alsd"
	tsd         strategy = "tsd"
	malsdBatch  strategy = "malsd_batch"
)

const (
	// searchJoints is how many joints a search may compute for each frame of a chunk, on the average. 64 wide, "beam"
	// takes 43 on speech and "tsd" 510, 800 at temperature 2: only senseless parameters and broken models take more.
	searchJoints = 1024
	// latticeJoints is the same for the lattices that judge the candidates of the hybrid ranking.
	latticeJoints = 4096
)

// bounded is the plan with bounds on the work of one chunk.
func (p plan) bounded(frames int) plan {
	search := decode.NewWork(frames * searchJoints)
	p.greedy.Work, p.beam.Work, p.hybrid.Work = search, search, decode.NewWork(frames*latticeJoints)
	return p
}

// plan says how one chunk is decoded.
type plan struct {
	mode       Mode
	strategy   strategy
	greedy     decode.GreedyOptions
	beam       decode.BeamOptions
	hybrid     decode.HybridOptions
	ctcBeam    int  // prefix beam's width; 0: greedy
	everything bool // both heads are decoded whatever the mode, for Debug
	spot       *spotting
	answers    *decode.Grammar // what is expected to be said; nil: anything
	readings   decode.ReadingOptions
}

// production is the plan that the model's own configuration asks for.
func (e *Engine) production() plan {
	d := e.model.Decoding
	p := plan{
		mode: Hybrid, strategy: strategy(d.Strategy),
		greedy: decode.GreedyDefaults(), beam: decode.BeamDefaults(), hybrid: decode.HybridDefaults(),
		readings: decode.ReadingDefaults(),
	}
	if p.strategy == "greedy" || e.jumps() {
		p.strategy = greedyBatch
	}
	p.greedy.MaxSymbols, p.beam.MaxSymbols, p.beam.Size = d.MaxSymbols, d.MaxSymbols, d.BeamSize
	p.hybrid.CTCWeight = d.CTCWeight
	p.mode = e.able(p.mode)
	return p
}

// jumps reports whether the model is a token-and-duration transducer (TDT), which is decoded greedily alone.
func (e *Engine) jumps() bool { return len(e.model.Decoding.Durations) > 0 }

// plan is production's, changed by what one request wishes.
func (e *Engine) plan(o Options) (plan, error) {
	p := e.production()
	switch o.Mode {
	case "":
	case Hybrid, RNNT, CTC:
		p.mode = e.able(o.Mode)
	default:
		return p, fmt.Errorf("mode %q is none of hybrid, rnnt, ctc", o.Mode)
	}
	if o.Temperature != 0 {
		p.greedy.Temperature, p.beam.SoftmaxTemperature = o.Temperature, o.Temperature
	}
	var err error
	if p.answers, err = e.answers(o.Grammar); err != nil {
		return p, err
	}
	p.spot, err = e.spotting(o.Phrases)
	return p, err
}

// able is the mode, or that of the other head where the model lacks the one that the mode needs.
func (e *Engine) able(m Mode) Mode {
	switch {
	case !e.model.HasRNNT():
		return CTC
	case m == CTC && !e.model.HasCTC():
		return RNNT
	}
	return m
}

// temperature is what the labels' scores were divided by.
func (p plan) temperature() float64 {
	if p.greedy.Temperature == 0 {
		return 1
	}
	return p.greedy.Temperature
}

// String says the plan in a few words, for people.
func (p plan) String() string {
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

// search runs the plan's RNNT search: hypotheses, best first, at least one.
func (p plan) search(ctx context.Context, net decode.Network, f decode.Frames) ([]decode.Hypothesis, error) {
	switch p.strategy {
	case beamSearch:
		return decode.Beam(ctx, net, f, p.beam)
	case maes:
		return decode.MAES(ctx, net, f, p.beam)
	case alsd:
		return decode.ALSD(ctx, net, f, p.beam)
	case tsd:
		return decode.TSD(ctx, net, f, p.beam)
	case malsdBatch:
		return decode.MALSD(ctx, net, f, p.beam)
	default:
		h, err := decode.Greedy(ctx, net, f, p.greedy)
		return []decode.Hypothesis{h}, err
	}
}
