package decode_test

import (
	"slices"
	"testing"

	"munadi/engine/decode"
)

// scriptedTDT is a TDT network whose joint answers with the label and the jump that the frame names: its number is
// 10*label + the place of the jump.
type scriptedTDT struct{ jumps []int }

func (n scriptedTDT) BlankID() int { return 3 }

func (n scriptedTDT) Durations() []int { return n.jumps }

func (n scriptedTDT) StartState() *decode.PredictionState { return &decode.PredictionState{} }

func (n scriptedTDT) NextState(*decode.PredictionState, int) *decode.PredictionState {
	return &decode.PredictionState{}
}

func (n scriptedTDT) JointLogits(dst, enc []float32, _ *decode.PredictionState) {
	clear(dst)
	dst[int(enc[0])/10] = 5
	if len(dst) > n.BlankID()+1 {
		dst[n.BlankID()+1+int(enc[0])%10] = 5
	}
}

func TestGreedyJumpsAsTDTSays(t *testing.T) {
	t.Parallel()
	const blank = 30
	for name, c := range map[string]struct {
		frames         []float32
		tokens, places []int
	}{
		"nothing":                       {nil, nil, nil},
		"a label's jump skips frames":   {[]float32{12, blank + 1, 1, blank + 1}, []int{1, 0}, []int{0, 2}},
		"a blank moves by one at least": {[]float32{blank, blank, 21}, []int{2}, []int{2}},
		"a blank's jump skips frames":   {[]float32{blank + 2, 11, 11}, []int{1}, []int{2}},
		"a jump beyond the end ends":    {[]float32{11, 12}, []int{1, 1}, []int{0, 1}},
		"labels without a jump are ten": {[]float32{20, 11}, []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
		"one label on each frame":       {[]float32{11, 11, 11}, []int{1, 1, 1}, []int{0, 1, 2}},
	} {
		f := decode.EncoderFrames{Data: c.frames, T: len(c.frames), J: 1}
		h, err := decode.GreedySearch(t.Context(), scriptedTDT{jumps: []int{0, 1, 2}}, f, decode.GreedyDefaults())
		if err != nil || !slices.Equal(h.Tokens, c.tokens) || !slices.Equal(h.Frames, c.places) {
			t.Errorf("%s: %v at %v, %v; want %v at %v", name, h.Tokens, h.Frames, err, c.tokens, c.places)
		}
	}
}
