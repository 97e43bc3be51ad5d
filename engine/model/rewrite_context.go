package model

// attentionContext limits the frames that a frame attends to; the zero value is no limit.
type attentionContext struct {
	limited     bool
	chunk       int64 // frames of a chunk; 1: the context is relative to each frame
	left, right int64 // chunks before and after; -1: all
}

// masked is added to the score of a frame outside the attention context. Softmax turns it into 0.
const masked = -10000

// emitPenalty returns the attention mask [T, T]: 0 where frame i may attend to frame j, masked elsewhere. Empty if
// there is no limit.
func (e *graphEmitter) emitPenalty(c attentionContext, frames string) string {
	if !c.limited || c.left < 0 && c.right < 0 {
		return ""
	}
	count := e.emitOp("Squeeze", []string{frames, e.emitIntegers(0)})
	index := e.emitOp("Range", []string{e.emitScalar(0), count, e.emitScalar(1)})
	if c.chunk > 1 {
		index = e.emitOp("Div", []string{index, e.emitIntegers(c.chunk)})
	}
	rows := e.emitOp("Unsqueeze", []string{index, e.emitIntegers(1)})
	behind := e.emitOp("Sub", []string{rows, e.emitOp("Unsqueeze", []string{index, e.emitIntegers(0)})})
	var within string
	if c.left >= 0 {
		within = e.emitOp("LessOrEqual", []string{behind, e.emitIntegers(c.left)})
	}
	if c.right >= 0 {
		ahead := e.emitOp("GreaterOrEqual", []string{behind, e.emitIntegers(-c.right)})
		if within != "" {
			ahead = e.emitOp("And", []string{within, ahead})
		}
		within = ahead
	}
	return e.emitOp("Where", []string{within, e.emitFloats([]float32{0}), e.emitFloats([]float32{masked})})
}
