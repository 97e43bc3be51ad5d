package decode

import "math"

var negInf = math.Inf(-1)

// argmax returns the position of the largest value, the first of equals.
func argmax(z []float32) int {
	best, at := float32(math.Inf(-1)), 0
	for i, v := range z {
		if v > best {
			best, at = v, i
		}
	}
	return at
}

// logSumExp returns log Σ exp(z·scale), computed from the largest value down so that nothing overflows.
func logSumExp(z []float32, scale float64) float64 {
	top := float64(z[argmax(z)]) * scale
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

// inverse turns a softmax temperature into the factor on the logits. 0 and 1 leave them as they are.
func inverse(temperature float64) float64 {
	if temperature == 0 {
		return 1
	}
	return 1 / temperature
}

// row is one joint: raw logits [V+1] and what makes log-probabilities of them.
type row struct {
	logits []float32
	scale  float64
	norm   float64 // log Σ exp(logits·scale)
}

func (r *row) logProb(label int) float64 { return float64(r.logits[label])*r.scale - r.norm }

// scorer computes joints of one frame after the other, each pair of prefix and frame once.
type scorer struct {
	net    Network
	frames Frames
	scale  float64
	t      int
	rows   []*row // buffers; the first used of them belong to frame t
	used   int
	work   *Work
}

func newScorer(net Network, f Frames, temperature float64, w *Work) *scorer {
	return &scorer{net: net, frames: f, scale: inverse(temperature), work: w}
}

// frame moves on to frame t: rows handed out before are void.
func (s *scorer) frame(t int) { s.t, s.used = t, 0 }

// at returns the joint of the current frame with the prediction after p.
func (s *scorer) at(p *prefix) *row {
	if p.rowAt == s.t+1 {
		return p.row
	}
	if s.used == len(s.rows) {
		s.rows = append(s.rows, &row{logits: make([]float32, s.net.Blank()+1), scale: s.scale})
	}
	r := s.rows[s.used]
	s.used++
	s.work.spend(1)
	s.net.Joint(r.logits, s.frames.At(s.t), p.predict(s.net))
	r.norm = logSumExp(r.logits, s.scale)
	p.row, p.rowAt = r, s.t+1
	return r
}
