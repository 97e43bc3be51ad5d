package loudness

import (
	"math"

	"munadi/engine/audio"
)

// Target levels.
const (
	Target  = -23.0 // LUFS
	Ceiling = -1.0  // dBTP, maximum true peak
)

const (
	mostGain  = 30.0 // dB; quieter audio is noise, and is not raised further
	tolerance = 0.3  // LU
	rounds    = 12   // iterations of limiting and make-up gain
	lookahead = 5    // limiter look-ahead in ms, both directions
)

// TruePeak returns the highest magnitude of the reconstructed waveform; 1 is full scale.
func TruePeak(samples []float32, rate int) float64 {
	peak := float32(0)
	for _, p := range truePeaks(samples, rate) {
		peak = max(peak, p)
	}
	return float64(peak)
}

// NormalizeLoudness returns samples at [Target] loudness with no true peak above [Ceiling]; silence is unchanged. Peaks
// above the ceiling are reduced by a limiter with make-up gain.
func NormalizeLoudness(samples []float32, rate int) []float32 {
	loud := IntegratedLoudness(samples, rate)
	if math.IsInf(loud, -1) {
		return samples
	}
	ceiling := math.Pow(10, Ceiling/20)
	gain := min(Target-loud, mostGain)
	var out []float32
	for range rounds {
		out = scaleSamples(samples, float32(math.Pow(10, gain/20)))
		if TruePeak(out, rate) <= ceiling {
			break
		}
		limitPeaks(out, rate, ceiling)
		missing := Target - IntegratedLoudness(out, rate)
		if missing < tolerance || gain+missing > mostGain {
			break
		}
		gain += missing
	}
	return out
}

// ApplyGain returns samples times a factor, with peaks above [Ceiling] reduced.
func ApplyGain(samples []float32, rate int, factor float32) []float32 {
	out := scaleSamples(samples, factor)
	if ceiling := math.Pow(10, Ceiling/20); TruePeak(out, rate) > ceiling {
		limitPeaks(out, rate, ceiling)
	}
	return out
}

func scaleSamples(samples []float32, factor float32) []float32 {
	out := make([]float32, len(samples))
	for i, s := range samples {
		out[i] = s * factor
	}
	return out
}

// truePeaks returns the highest magnitude between each sample and the next.
func truePeaks(samples []float32, rate int) []float32 {
	const times = 4
	up := audio.NewResampler(rate, times*rate)
	fine := up.Flush(up.Push(nil, samples))
	out := make([]float32, len(samples))
	for i, s := range fine {
		at := min(i/times, len(out)-1)
		out[at] = max(out[at], s, -s)
	}
	return out
}

// limitPeaks is a look-ahead limiter: it reduces peaks above the ceiling in place, with a slowly changing gain on both
// sides. It aims a little lower, because the waveform between the samples changes too.
func limitPeaks(samples []float32, rate int, ceiling float64) {
	aim := float32(ceiling * 0.98)
	peaks := truePeaks(samples, rate)
	gains := make([]float32, len(samples))
	for i, p := range peaks {
		gains[i] = 1
		if p > aim {
			gains[i] = aim / p
		}
		if i > 0 && peaks[i-1] > aim { // the peak may be as near to this sample
			gains[i] = min(gains[i], aim/peaks[i-1])
		}
	}
	radius := max(1, rate*lookahead/1000)
	for i, g := range slidingMean(slidingMinimum(gains, radius), radius) {
		samples[i] *= g
	}
}

// slidingMinimum returns for each position the minimum within radius.
func slidingMinimum(values []float32, radius int) []float32 {
	out := make([]float32, len(values))
	var queue []int // of indices, with increasing values
	for i := range len(values) + radius {
		if i < len(values) {
			for len(queue) > 0 && values[queue[len(queue)-1]] >= values[i] {
				queue = queue[:len(queue)-1]
			}
			queue = append(queue, i)
		}
		at := i - radius
		if at < 0 {
			continue
		}
		for queue[0] < at-radius {
			queue = queue[1:]
		}
		out[at] = values[queue[0]]
	}
	return out
}

// slidingMean returns for each position the mean within radius.
func slidingMean(values []float32, radius int) []float32 {
	out := make([]float32, len(values))
	sum, from, to := 0.0, 0, 0 // of values[from:to]
	for i := range values {
		for ; to < min(len(values), i+radius+1); to++ {
			sum += float64(values[to])
		}
		for ; from < i-radius; from++ {
			sum -= float64(values[from])
		}
		out[i] = float32(sum / float64(to-from))
	}
	return out
}
