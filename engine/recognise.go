package engine

import (
	"context"
	"time"

	"munadi/engine/decode"
	"munadi/engine/kernel"
	"munadi/engine/model"
)

// decoded is everything that is known of one chunk.
type decoded struct {
	segment Segment
	heard   int // samples of the source read when the chunk was cut

	rnnt    []decode.Hypothesis // best first; empty without the head
	ctc     decode.Hypothesis
	ctcBest []decode.Hypothesis // ctc and what else its beam found, best first
	ranked  []decode.Candidate  // the hybrid ranking, best first; empty where the plan doesn't rank
	best    decode.Hypothesis   // the one that became the segment
	spotted []decode.Spotted
	merged  []Word            // best's words with the spotted phrases in their places; nil without a spotting
	shown   decode.Hypothesis // tokens and log-probabilities of merged
	read    []decode.Reading  // of the plan's grammar, likeliest first; nil without one
	clock   clock

	short    bool // the search was cut short by its bound
	unjudged bool // there were too many candidates to judge them by their lattices
}

// decode is features, encoder, search, words, in one turn which the search lends to those who go first.
func (r *request) decode(ctx context.Context, ch chunk, p plan) (decoded, error) {
	e := r.engine
	u, err := r.acquire(ctx)
	if err != nil {
		return decoded{}, err
	}
	defer u.release()
	start := seconds(ch.start)
	d := decoded{clock: clock{
		start: start, end: start + seconds(len(ch.samples)), frame: float64(e.model.Subsampling) * frameStep,
	}}
	d.segment = Segment{
		Start: d.clock.start, End: round3(d.clock.end), Temperature: p.temperature(), NoSpeechProb: round3(1 - ch.speech),
	}
	enc, err := r.encode(ctx, u, ch.samples)
	if err != nil || enc.T == 0 {
		return d, err
	}
	if err := r.search(decode.WithPause(ctx, u.pause), &d, enc, p); err != nil {
		return d, err
	}
	e.fill(&d, p)
	newLoudness(ch.samples).soundEnds(d.segment.Words, d.clock)
	return d, nil
}

// encode is features and the graph, in a turn that is lent to others while the graph is not free.
func (r *request) encode(ctx context.Context, u *permit, samples []float32) (model.Encoded, error) {
	e := r.engine
	start := time.Now()
	buf, _ := e.mels.Get().(*[]float32)
	if buf == nil {
		buf = new([]float32)
	}
	defer e.mels.Put(buf)
	mel, valid := e.mel.Extract(*buf, samples)
	*buf = mel
	r.times.since(stageFeatures, start)
	if valid < 2 { // the normalisation needs two frames
		return model.Encoded{}, nil
	}
	graph, err := u.exchange(ctx, &e.queue.graphs)
	if err != nil {
		return model.Encoded{}, err
	}
	defer graph.release()
	defer r.times.since(stageEncoder, time.Now())
	return e.model.Encode(ctx, mel, valid)
}

// search runs the heads that the plan asks for.
func (r *request) search(ctx context.Context, d *decoded, enc model.Encoded, p plan) error {
	enc.CTC = tempered(enc.CTC, p.greedy.Temperature)
	if r.engine.model.HasRNNT() && (p.everything || p.mode != CTC) {
		if err := r.searchRNNT(ctx, d, enc, p); err != nil {
			return err
		}
	}
	if enc.CTC.T > 0 && (p.everything || p.mode == CTC) {
		if err := r.searchCTC(ctx, d, enc, p); err != nil {
			return err
		}
	}
	d.choose(p.mode)
	if p.answers != nil {
		if err := r.readAnswer(ctx, d, enc, p); err != nil || len(d.read) > 0 && d.read[0].Foreseen {
			return err
		}
	}
	if p.spot == nil || enc.CTC.T == 0 {
		return nil
	}
	defer r.times.since(stageSpot, time.Now())
	return r.engine.spot(ctx, d, enc.CTC, p)
}

// searchRNNT finds the n best of the transducer and ranks them by both heads where the plan says so.
func (r *request) searchRNNT(ctx context.Context, d *decoded, enc model.Encoded, p plan) (err error) {
	defer r.times.since(stageRNNT, time.Now())
	net := r.engine.model.Network()
	p = p.bounded(enc.Joint.T)
	defer func() { d.short, d.unjudged = p.beam.Work.Short(), p.hybrid.Work.Short() }()
	if d.rnnt, err = p.search(ctx, net, enc.Joint); err != nil {
		return err
	}
	if p.everything || (p.mode == Hybrid && (p.hybrid.CTCWeight != 0 || p.hybrid.BeamLengthPenalty != 0)) {
		d.ranked, err = decode.Rescore(ctx, net, enc.Joint, enc.CTC, d.rnnt, p.hybrid)
	}
	return err
}

func (r *request) searchCTC(ctx context.Context, d *decoded, enc model.Encoded, p plan) error {
	defer r.times.since(stageCTC, time.Now())
	if p.ctcBeam == 0 {
		d.ctc = decode.CTCGreedy(enc.CTC)
		d.ctcBest = []decode.Hypothesis{d.ctc}
		return nil
	}
	o := decode.CTCPrefixDefaults()
	o.Size = p.ctcBeam
	hs, err := decode.CTCPrefixBeam(ctx, enc.CTC, o)
	if err == nil && len(hs) > 0 {
		d.ctc, d.ctcBest = hs[0], hs
	}
	return err
}

// choose takes the hypothesis that the mode names; a model without that head gives the other's.
func (d *decoded) choose(mode Mode) {
	switch {
	case mode == Hybrid && len(d.ranked) > 0:
		d.best = d.ranked[0].Hypothesis
	case mode != CTC && len(d.rnnt) > 0:
		d.best = d.rnnt[0]
	default:
		d.best = d.ctc
	}
}

// fill makes the segment of what was decoded.
func (e *Engine) fill(d *decoded, p plan) {
	s := &d.segment
	shown := d.best
	s.Words = assemble(d.best, e.model.Vocabulary, d.clock)
	if p.spot != nil && p.spot.apply && len(d.spotted) > 0 {
		s.Words, shown = d.merged, d.shown
	}
	s.Tokens = shown.Tokens
	s.Text = join(s.Words)
	s.AvgLogprob = mean(shown.LogProbs)
	s.CompressionRatio = compressionRatio(s.Text)
}

// tempered is log_softmax(logits / temperature), computed from log-probabilities, which differ from the logits by one
// number a frame.
func tempered(lp decode.LogProbs, temperature float64) decode.LogProbs {
	if temperature == 0 || temperature == 1 {
		return lp
	}
	out := decode.LogProbs{Data: make([]float32, len(lp.Data)), T: lp.T, Labels: lp.Labels}
	for i, v := range lp.Data {
		out.Data[i] = v / float32(temperature)
	}
	for t := range out.T {
		kernel.LogSoftmax(out.At(t), out.At(t))
	}
	return out
}
