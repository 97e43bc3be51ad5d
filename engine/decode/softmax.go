package decode

import "math"

var negInf = math.Inf(-1)

// argmaxIndex returns the index of the largest value, the first of equals.
func argmaxIndex(z []float32) int {
	best, at := float32(math.Inf(-1)), 0
	for i, v := range z {
		if v > best {
			best, at = v, i
		}
	}
	return at
}

// logSumExp returns log Σ exp(z·scale), shifted by the maximum to avoid overflow.
func logSumExp(z []float32, scale float64) float64 {
	top := float64(z[argmaxIndex(z)]) * scale
	if math.IsInf(top, 0) {
		return top
	}
	var sum float64
	for _, v := range z {
		sum += math.Exp(float64(v)*scale - top)
	}
	return top + math.Log(sum)
}

// logAdd returns log(exp a + exp b).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if b == negInf {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// inverseTemperature converts a softmax temperature into the factor on the logits. 0 and 1 give 1.
func inverseTemperature(temperature float64) float64 {
	if temperature == 0 {
		return 1
	}
	return 1 / temperature
}

// jointRow is one joint: raw logits [V+1] and the normalization of their log-softmax.
type jointRow struct {
	logits []float32
	scale  float64
	norm   float64 // log Σ exp(logits·scale)
}

func (r *jointRow) logProb(label int) float64 { return float64(r.logits[label])*r.scale - r.norm }

// jointScorer computes and caches the joints of one frame, each pair of prefix and frame once.
type jointScorer struct {
	net    TransducerNetwork
	frames EncoderFrames
	scale  float64
	t      int
	rows   []*jointRow // buffers; the first used ones belong to frame t
	used   int
	work   *WorkBudget
}

func newScorer(net TransducerNetwork, f EncoderFrames, temperature float64, w *WorkBudget) *jointScorer {
	return &jointScorer{net: net, frames: f, scale: inverseTemperature(temperature), work: w}
}

// moveToFrame moves to frame t and invalidates earlier rows.
func (s *jointScorer) moveToFrame(t int) { s.t, s.used = t, 0 }

// rowFor returns the joint of the current frame with the prediction after p.
func (s *jointScorer) rowFor(p *prefixNode) *jointRow {
	if p.rowAt == s.t+1 {
		return p.row
	}
	if s.used == len(s.rows) {
		s.rows = append(s.rows, &jointRow{logits: make([]float32, s.net.BlankID()+1), scale: s.scale})
	}
	r := s.rows[s.used]
	s.used++
	s.work.spendJoints(1)
	s.net.JointLogits(r.logits, s.frames.At(s.t), p.predictState(s.net))
	r.norm = logSumExp(r.logits, s.scale)
	p.row, p.rowAt = r, s.t+1
	return r
}
