package model

// attentionContext limits which frames a frame attends to; the zero value is no limit.
type attentionContext struct {
	limited     bool
	chunk       int64 // frames of a chunk; 1: each frame has its own reach
	left, right int64 // chunks before and behind that are seen; -1: all
}

// masked is what is added to the score of a frame that is out of reach. Softmax turns it into 0.
const masked = -10000

// penalty is [T, T]: 0 where frame i may attend to frame j, masked elsewhere. Empty when there is no limit.
func (e *emitter) penalty(c attentionContext, frames string) string {
	if !c.limited || c.left < 0 && c.right < 0 {
		return ""
	}
	count := e.op("Squeeze", []string{frames, e.integers(0)})
	index := e.op("Range", []string{e.scalar(0), count, e.scalar(1)})
	if c.chunk > 1 {
		index = e.op("Div", []string{index, e.integers(c.chunk)})
	}
	rows := e.op("Unsqueeze", []string{index, e.integers(1)})
	behind := e.op("Sub", []string{rows, e.op("Unsqueeze", []string{index, e.integers(0)})})
	var within string
	if c.left >= 0 {
		within = e.op("LessOrEqual", []string{behind, e.integers(c.left)})
	}
	if c.right >= 0 {
		ahead := e.op("GreaterOrEqual", []string{behind, e.integers(-c.right)})
		if within != "" {
			ahead = e.op("And", []string{within, ahead})
		}
		within = ahead
	}
	return e.op("Where", []string{within, e.floats([]float32{0}), e.floats([]float32{masked})})
}
