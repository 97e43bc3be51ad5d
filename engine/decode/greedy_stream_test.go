package decode_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"munadi/engine/decode"
)

// However the frames come in, the hypothesis is that of all of them.
func TestGreedyStreamFindsWhatTheWholeHas(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 3))
		plain := toyNetwork{labels: 4, seed: seed}
		checkGreedyStream(t, random, plain, plain.drawFrames(40, 2))
		script := make([]float32, 40)
		for i := range script {
			script[i] = float32(10*random.IntN(4) + random.IntN(4))
		}
		jumping := scriptedTDT{jumps: []int{0, 1, 2, 9}}
		checkGreedyStream(t, random, jumping, decode.EncoderFrames{Data: script, T: len(script), J: 1})
	}
}

func checkGreedyStream(t *testing.T, random *rand.Rand, net decode.TransducerNetwork, f decode.EncoderFrames) {
	t.Helper()
	o := decode.GreedyDefaults()
	want, err := decode.GreedySearch(t.Context(), net, f, o)
	if err != nil {
		t.Fatal(err)
	}
	s := decode.NewGreedyStream(net, o)
	for at := 0; at < f.T; {
		n := min(random.IntN(6), f.T-at)
		part := decode.EncoderFrames{Data: f.Data[at*f.J : (at+n)*f.J], T: n, J: f.J}
		if err := s.PushFrames(t.Context(), part); err != nil {
			t.Fatal(err)
		}
		at += n
	}
	got := s.Best()
	if len(want.Tokens) == 0 {
		want.Tokens, want.Frames, want.LogProbs = got.Tokens, got.Frames, got.LogProbs
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
