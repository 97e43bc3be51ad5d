package engine

import (
	"context"
	"time"

	"munadi/engine/decode"
	"munadi/engine/kernel"
	"munadi/engine/model"
	"munadi/engine/queue"
)

// decodedChunk is the decoding state and result of one chunk.
type decodedChunk struct {
	segment Segment
	heard   int // samples of the source read when the chunk was cut

	rnnt    []decode.Hypothesis // n-best, best first; empty without the head
	ctc     decode.Hypothesis
	ctcBest []decode.Hypothesis      // CTC n-best, best first
	ranked  []decode.RankedCandidate // hybrid ranking, best first; empty if the plan does not rank
	best    decode.Hypothesis        // the hypothesis of the segment
	spotted []decode.SpottedPhrase
	merged  []Word                   // best's words with the spotted phrases merged in; nil without spotting
	shown   decode.Hypothesis        // tokens and log-probabilities of merged
	read    []decode.SentenceReading // grammar readings, most likely first; nil without a grammar
	clock   frameClock

	short    bool // the search reached its work limit
	unjudged bool // too many candidates for lattice scoring

	// Set while phrases are spotted without diacritics (withoutMarks): marked is best with its diacritics, places the
	// index in marked of each token of best.
	marked *decode.Hypothesis
	places []int
}

// decodeChunk computes features, encoder, search and words under one permit, which the search yields to higher-ranked
// work.
func (r *engineRequest) decodeChunk(ctx context.Context, ch speechChunk, p decodePlan) (decodedChunk, error) {
	u, err := r.acquirePermit(ctx)
	if err != nil {
		return decodedChunk{}, err
	}
	defer u.ReleasePermit()
	d := r.engine.newDecodedChunk(ch, p)
	enc, err := r.encodeSamples(ctx, u, ch.samples)
	if err != nil || enc.T == 0 {
		return d, err
	}
	return d, r.finishChunk(decode.WithPause(ctx, u.YieldPermit), &d, ch, enc, p)
}

// newDecodedChunk returns a chunk that is not yet decoded.
func (e *Engine) newDecodedChunk(ch speechChunk, p decodePlan) decodedChunk {
	start := secondsOf(ch.start)
	d := decodedChunk{clock: frameClock{
		start: start, end: start + secondsOf(len(ch.samples)), frame: float64(e.model.Subsampling) * frameStep,
	}}
	d.segment = Segment{
		Start:        d.clock.start,
		End:          roundMilliseconds(d.clock.end),
		Temperature:  p.labelTemperature(),
		NoSpeechProb: roundMilliseconds(1 - ch.speech),
	}
	return d
}

// finishChunk searches an encoded chunk and builds its segment.
func (r *engineRequest) finishChunk(
	ctx context.Context, d *decodedChunk, ch speechChunk, enc model.EncodedSpeech, p decodePlan,
) error {
	if err := r.searchHeads(ctx, d, ch, enc, p); err != nil {
		return err
	}
	r.engine.buildSegment(d, p)
	newLoudness(ch.samples).soundEnds(d.segment.Words, d.clock)
	return nil
}

// encodeSamples computes features and the encoder graph.
func (r *engineRequest) encodeSamples(
	ctx context.Context, u *queue.WorkPermit, samples []float32,
) (model.EncodedSpeech, error) {
	e := r.engine
	start := time.Now()
	buf, _ := e.mels.Get().(*[]float32)
	if buf == nil {
		buf = new([]float32)
	}
	defer e.mels.Put(buf)
	mel, valid := e.mel.ExtractMel(*buf, samples)
	*buf = mel
	r.times.addSince(stageFeatures, start)
	if valid < 2 { // normalization needs two frames
		return model.EncodedSpeech{}, nil
	}
	return r.runGraph(ctx, u, func(ctx context.Context) (model.EncodedSpeech, error) {
		return e.model.EncodeLanguage(ctx, mel, valid, r.language)
	})
}

// runGraph runs the encoder when it is this request's turn; the CPU permit is released while it waits.
func (r *engineRequest) runGraph(
	ctx context.Context, u *queue.WorkPermit, encode func(context.Context) (model.EncodedSpeech, error),
) (model.EncodedSpeech, error) {
	graph, err := u.ExchangePermit(ctx, &r.engine.queue.Graphs)
	if err != nil {
		return model.EncodedSpeech{}, err
	}
	defer graph.ReleasePermit()
	defer r.times.addSince(stageEncoder, time.Now())
	return encode(ctx)
}

// searchHeads runs the heads that the plan needs.
func (r *engineRequest) searchHeads(
	ctx context.Context, d *decodedChunk, ch speechChunk, enc model.EncodedSpeech, p decodePlan,
) error {
	enc.CTC = applyTemperature(enc.CTC, p.greedy.Temperature)
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
	d.chooseHead(p.mode)
	if p.answers == nil && p.mode == Hybrid && !p.everything && !p.draft {
		if err := r.engine.verifyHypothesis(ctx, d, ch, enc, p.readings); err != nil {
			return err
		}
	}
	if p.answers != nil {
		if err := r.readAnswer(ctx, d, ch, enc, p); err != nil || len(d.read) > 0 && d.read[0].Foreseen {
			return err
		}
	}
	if p.spot == nil || enc.CTC.T == 0 {
		return nil
	}
	defer r.times.addSince(stageSpot, time.Now())
	return r.engine.spotAndMerge(ctx, d, enc.CTC, p)
}

// searchRNNT computes the transducer's n-best and rescores them with both heads if the plan says so.
func (r *engineRequest) searchRNNT(
	ctx context.Context, d *decodedChunk, enc model.EncodedSpeech, p decodePlan,
) (err error) {
	defer r.times.addSince(stageRNNT, time.Now())
	net := r.engine.model.NewNetwork()
	p = p.withBounds(enc.Joint.T)
	defer func() { d.short, d.unjudged = p.beam.Work.WasCut(), p.hybrid.Work.WasCut() }()
	if d.rnnt, err = p.searchRNNT(ctx, net, enc.Joint); err != nil {
		return err
	}
	if p.everything || (p.mode == Hybrid && (p.hybrid.CTCWeight != 0 || p.hybrid.BeamLengthPenalty != 0)) {
		d.ranked, err = decode.RescoreHybrid(ctx, net, enc.Joint, enc.CTC, d.rnnt, p.hybrid)
	}
	return err
}

func (r *engineRequest) searchCTC(ctx context.Context, d *decodedChunk, enc model.EncodedSpeech, p decodePlan) error {
	defer r.times.addSince(stageCTC, time.Now())
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

// chooseHead selects the mode's hypothesis; without its head the other head's.
func (d *decodedChunk) chooseHead(mode DecodeMode) {
	switch {
	case mode == Hybrid && len(d.ranked) > 0:
		d.best = d.ranked[0].Hypothesis
	case mode != CTC && len(d.rnnt) > 0:
		d.best = d.rnnt[0]
	default:
		d.best = d.ctc
	}
}

// buildSegment builds the segment of a decoded chunk.
func (e *Engine) buildSegment(d *decodedChunk, p decodePlan) {
	s := &d.segment
	shown := d.best
	s.Words = e.timedWords(d.best, d.clock)
	if p.spot != nil && p.spot.apply && len(d.spotted) > 0 {
		s.Words, shown = d.merged, d.shown
	}
	s.Tokens = shown.Tokens
	s.Text = joinWords(s.Words)
	s.AvgLogprob = meanLogProb(shown.LogProbs)
}

// applyTemperature returns log_softmax(logits / temperature), computed from log-probabilities, which differ from the
// logits by a constant per frame.
func applyTemperature(lp decode.LogProbs, temperature float64) decode.LogProbs {
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
