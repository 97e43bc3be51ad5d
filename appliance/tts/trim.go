package tts

import "math"

// Silence at the ends of a recording, measured in windows: quieter by silentBelow than the loudest one.
const (
	trimWindow  = WideRate / 50 // 20 ms
	trimMargin  = WideRate / 5  // 200 ms that stay before the first and behind the last sound
	silentBelow = 0.0178        // -35 dB
)

// trimSilence cuts the silence at both ends of samples at [WideRate].
func trimSilence(samples []float32) []float32 {
	levels := windowLevels(samples)
	loudest := 0.0
	for _, level := range levels {
		loudest = max(loudest, level)
	}
	first, last := -1, -1
	for i, level := range levels {
		if level > loudest*silentBelow {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return samples
	}
	from, to := max(0, first*trimWindow-trimMargin), min(len(samples), (last+1)*trimWindow+trimMargin)
	return samples[from:to]
}

// windowLevels returns the RMS level of each window.
func windowLevels(samples []float32) []float64 {
	var levels []float64
	for at := 0; at < len(samples); at += trimWindow {
		window := samples[at:min(len(samples), at+trimWindow)]
		sum := 0.0
		for _, x := range window {
			sum += float64(x) * float64(x)
		}
		levels = append(levels, math.Sqrt(sum/float64(len(window))))
	}
	return levels
}
