package decode_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"munadi/engine/decode"
)

// toyNetwork is a network with labels 0..labels-1 and the blank after them. Its joint adds the frame to a row of logits that
// is drawn at random for every label sequence.
type toyNetwork struct {
	labels int
	seed   uint64
	// onJoint, if there, is called before every joint.
	onJoint func()
}

func (n toyNetwork) BlankID() int { return n.labels }

func (n toyNetwork) StartState() *decode.PredictionState {
	return n.stateLogits(float32(n.seed % 1000))
}

func (n toyNetwork) NextState(s *decode.PredictionState, label int) *decode.PredictionState {
	return n.stateLogits(float32(rand.New(rand.NewPCG(n.seed, uint64(math.Float32bits(s.H[0]))^uint64(label)<<40)).Uint32()))
}

func (n toyNetwork) JointLogits(dst, enc []float32, s *decode.PredictionState) {
	if n.onJoint != nil {
		n.onJoint()
	}
	for k := range dst {
		dst[k] = enc[k] + s.Pred[k]
	}
}

// stateLogits draws the logits of a history that is known by h.
func (n toyNetwork) stateLogits(h float32) *decode.PredictionState {
	r := rand.New(rand.NewPCG(n.seed+1, uint64(math.Float32bits(h))))
	return &decode.PredictionState{Pred: randomRow(r, n.labels+1, 2), H: []float32{h}}
}

func randomRow(r *rand.Rand, n int, spread float64) []float32 {
	row := make([]float32, n)
	for i := range row {
		row[i] = float32(spread * r.NormFloat64())
	}
	return row
}

// drawFrames draws encoder frames for the toy. A larger push makes the blank likelier.
func (n toyNetwork) drawFrames(t int, push float32) decode.EncoderFrames {
	r := rand.New(rand.NewPCG(n.seed, 7))
	f := decode.EncoderFrames{Data: randomRow(r, t*(n.labels+1), 2), T: t, J: n.labels + 1}
	for i := range t {
		f.At(i)[n.labels] += push
	}
	return f
}

// logSoftmax is the textbook's, in float64.
func logSoftmax(z []float32, temperature float64) []float64 {
	out, sum := make([]float64, len(z)), 0.0
	for _, v := range z {
		sum += math.Exp(float64(v) / temperature)
	}
	for i, v := range z {
		out[i] = float64(v)/temperature - math.Log(sum)
	}
	return out
}

// logProbs of the toy after a sequence, on one frame.
func (n toyNetwork) logProbs(f decode.EncoderFrames, t int, tokens []int) []float64 {
	s := n.StartState()
	for _, k := range tokens {
		s = n.NextState(s, k)
	}
	z := make([]float32, n.labels+1)
	n.JointLogits(z, f.At(t), s)
	return logSoftmax(z, 1)
}

// everyAlignment sums, for every sequence, the probabilities of all ways to walk through the frames with at most
// maxSymbols labels on each.
func (n toyNetwork) everyAlignment(f decode.EncoderFrames, maxSymbols int) map[string]float64 {
	total := map[string]float64{}
	var walk func(t, emitted int, tokens []int, p float64)
	walk = func(t, emitted int, tokens []int, p float64) {
		if t == f.T {
			total[sequenceKey(tokens)] += p
			return
		}
		lp := n.logProbs(f, t, tokens)
		walk(t+1, 0, tokens, p*math.Exp(lp[n.labels]))
		if emitted == maxSymbols {
			return
		}
		for k := range n.labels {
			walk(t, emitted+1, append(slices.Clone(tokens), k), p*math.Exp(lp[k]))
		}
	}
	walk(0, 0, nil, 1)
	return total
}

// sequenceKey makes a sequence usable in a map.
func sequenceKey(tokens []int) string {
	b := make([]byte, len(tokens))
	for i, k := range tokens {
		b[i] = byte('a' + k)
	}
	return string(b)
}

// ctcToy draws CTC log-probabilities over labels and the blank.
func ctcToy(seed uint64, t, labels int) decode.LogProbs {
	r := rand.New(rand.NewPCG(seed, 3))
	lp := decode.LogProbs{T: t, Labels: labels + 1}
	for range t {
		for _, v := range logSoftmax(randomRow(r, labels+1, 2), 1) {
			lp.Data = append(lp.Data, float32(v))
		}
	}
	return lp
}

// ctcReading is what all paths that collapse to one sequence have in common.
type ctcReading struct {
	tokens []int
	sum    float64 // of their probabilities
	best   float64 // log-probability of the likeliest
	frames []int   // where its runs begin
}

// everyPath collapses all paths through CTC scores.
func everyPath(lp decode.LogProbs) map[string]ctcReading {
	all := map[string]ctcReading{}
	path := make([]int, lp.T)
	for {
		tokens, frames, score := collapsePath(lp, path)
		r, ok := all[sequenceKey(tokens)]
		if !ok || score > r.best {
			r.tokens, r.frames, r.best = tokens, frames, score
		}
		r.sum += math.Exp(score)
		all[sequenceKey(tokens)] = r
		at := 0
		for ; at < lp.T && path[at] == lp.Labels-1; at++ {
			path[at] = 0
		}
		if at == lp.T {
			return all
		}
		path[at]++
	}
}

func collapsePath(lp decode.LogProbs, path []int) (tokens, frames []int, score float64) {
	for t, k := range path {
		score += float64(lp.At(t)[k])
		if k != lp.BlankID() && (t == 0 || path[t-1] != k) {
			tokens, frames = append(tokens, k), append(frames, t)
		}
	}
	return tokens, frames, score
}

// searches are all that take a transducer and a context.
var searches = map[string]func(context.Context, decode.TransducerNetwork, decode.EncoderFrames) error{
	"greedy labels": func(ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames) error {
		_, err := decode.GreedySearch(ctx, net, f, decode.GreedyOptions{LoopLabels: true})
		return err
	},
	"greedy frames": func(ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames) error {
		_, err := decode.GreedySearch(ctx, net, f, decode.GreedyOptions{})
		return err
	},
	"beam":  withDefaults(decode.BeamSearch),
	"maes":  withDefaults(decode.MAESSearch),
	"malsd": withDefaults(decode.MALSDSearch),
	"alsd":  withDefaults(decode.ALSDSearch),
	"tsd":   withDefaults(decode.TSDSearch),
	"lattice": func(ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames) error {
		_, err := decode.RNNTForward(ctx, net, f, []int{0, 1})
		return err
	},
}

func withDefaults(search beamSearch) func(context.Context, decode.TransducerNetwork, decode.EncoderFrames) error {
	return func(ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames) error {
		_, err := search(ctx, net, f, decode.BeamDefaults())
		return err
	}
}
