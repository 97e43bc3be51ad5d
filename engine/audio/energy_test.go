package audio_test

import (
	"math"
	"testing"

	"munadi/engine/audio"
)

func TestMeasureRMS(t *testing.T) {
	t.Parallel()
	for want, got := range map[float64][2]float64{
		0:       {audio.MeasureRMS([]int16{}), audio.MeasureRMS([]float32{0, 0})},
		5:       {audio.MeasureRMS([]int16{-7, 1}), audio.MeasureRMS([]float64{3, 4, -5, 5, 5, -5, 5, 5, 5, 5, 5, 5, 5, 5})},
		0.5:     {audio.MeasureRMS([]float32{-.5, .5, .5}), math.Sqrt(audio.SumSquares([]float32{.5, -.5, .5, .5}) / 4)},
		32768:   {audio.MeasureRMS([]int16{math.MinInt16, math.MinInt16}), math.Sqrt(audio.SumSquares([]int16{math.MinInt16}))},
		1 << 20: {audio.SumSquares([]int16{1 << 10}), audio.SumSquares([]float64{1 << 10})},
	} {
		if math.Abs(got[0]-want) > 1e-9 || want != 5 && math.Abs(got[1]-want) > 1e-9 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
