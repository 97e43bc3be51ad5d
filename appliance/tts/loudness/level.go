package loudness

import (
	"math"

	"munadi/engine/audio"
)

// Where speech is brought to.
const (
	Target  = -23.0 // LUFS
	Ceiling = -1.0  // dBTP, the highest true peak
)

const (
	mostGain  = 30.0 // dB; what is quieter than that is noise, and stays quiet
	tolerance = 0.3  // LU
	rounds    = 12   // of limiting and making up for what it took
	lookahead = 5    // ms of the limiter, either way
)

// TruePeak is the highest magnitude of the wave that the samples stand for; 1 is full scale.
func TruePeak(samples []float32, rate int) float64 {
	peak := float32(0)
	for _, p := range truePeaks(samples, rate) {
		peak = max(peak, p)
	}
	return float64(peak)
}

// NormalizeLoudness returns samples at [Target] with no true peak above [Ceiling]; silence stays what it is. Where the peaks are
// in the way, a limiter takes them down and the rest comes up.
func NormalizeLoudness(samples []float32, rate int) []float32 {
	loud := IntegratedLoudness(samples, rate)
	if math.IsInf(loud, -1) {
		return samples
	}
	ceiling := math.Pow(10, Ceiling/20)
	gain := min(Target-loud, mostGain)
	var out []float32
	for range rounds {
		out = scaleDecibels(samples, gain)
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

func scaleDecibels(samples []float32, dB float64) []float32 {
	gain := float32(math.Pow(10, dB/20))
	out := make([]float32, len(samples))
	for i, s := range samples {
		out[i] = s * gain
	}
	return out
}

// truePeaks are the highest magnitudes between each sample and the next.
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

// limitPeaks takes peaks above the ceiling down in place, with a gain that moves slowly on both sides of each. It aims a
// little lower, for the wave between the samples moves as well.
func limitPeaks(samples []float32, rate int, ceiling float64) {
	aim := float32(ceiling * 0.98)
	peaks := truePeaks(samples, rate)
	gains := make([]float32, len(samples))
	for i, p := range peaks {
		gains[i] = 1
		if p > aim {
			gains[i] = aim / p
		}
		if i > 0 && peaks[i-1] > aim { // the peak may lie as near to this sample
			gains[i] = min(gains[i], aim/peaks[i-1])
		}
	}
	radius := max(1, rate*lookahead/1000)
	for i, g := range slidingMean(slidingMinimum(gains, radius), radius) {
		samples[i] *= g
	}
}

// slidingMinimum gives each place the smallest value at most radius away.
func slidingMinimum(values []float32, radius int) []float32 {
	out := make([]float32, len(values))
	var queue []int // of indices, their values rising
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

// slidingMean gives each place the mean of the values at most radius away.
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
