package workbench

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"munadi/engine"
	"munadi/engine/audio"
	"munadi/ui/workbench"
)

// The chart's dimensions, in pixels.
const (
	pixelsPerSecond = 160 // along the time axis
	columnWidth     = 2   // of the waveform
	waveMiddle      = 64
	waveHalf        = 40
	bracketY        = 122 // top of a spotted phrase
	firstRow        = 146
	rowHeight       = 84
	laneHeight      = 19
	lanes           = 3
	letterWidth     = 9 // average width of a letter
)

// samplesPerColumn is the number of samples that a column of the waveform covers.
const samplesPerColumn = audio.Rate * columnWidth / pixelsPerSecond

// wordStart is SentencePiece's mark of a token that begins a word.
const wordStart = "▁"

// waveformTee computes the waveform of audio while the decoder reads it.
type waveformTee struct {
	engine.SampleSource
	peaks       []float32 // largest sample of each column
	samplesRead int       // samples
}

// Read implements [engine.SampleSource].
func (s *waveformTee) Read(p []float32) (int, error) {
	n, err := s.SampleSource.Read(p)
	for _, v := range p[:n] {
		if s.samplesRead%samplesPerColumn == 0 {
			s.peaks = append(s.peaks, 0)
		}
		last := len(s.peaks) - 1
		s.peaks[last] = max(s.peaks[last], float32(math.Abs(float64(v))))
		s.samplesRead++
	}
	return n, err
}

// decodedView returns the view of a debug decoding, with its chart.
func decodedView(r *engine.DebugResult, peaks []float32) workbench.DecodedResult {
	d := workbench.DecodedResult{
		Text: r.Text, Seconds: formatTwoPlaces(r.Duration), Warnings: r.Warnings, Chart: tokenChart(r, peaks),
	}
	for _, t := range []struct {
		stage string
		took  float64
	}{
		{"decode_audio", r.Timings.DecodeAudio.Seconds()},
		{"vad", r.Timings.VAD.Seconds()},
		{"features", r.Timings.Features.Seconds()},
		{"encoder", r.Timings.Encoder.Seconds()},
		{"rnnt", r.Timings.RNNT.Seconds()},
		{"ctc", r.Timings.CTC.Seconds()},
		{"ctc_ws", r.Timings.CTCWS.Seconds()},
		{"total", r.Timings.Total.Seconds()},
	} {
		d.Timings = append(
			d.Timings, workbench.StageTiming{Stage: t.stage, Took: strconv.FormatFloat(t.took*1e3, 'f', 1, 64)},
		)
	}
	for i, s := range r.Segments {
		one := workbench.DecodedSegment{
			Number: strconv.Itoa(i + 1), From: formatTwoPlaces(s.Start), To: formatTwoPlaces(s.End),
			RNNT:    workbench.DecodedReading{Text: s.RNNT.Text, Score: formatScore(s.RNNT.Score)},
			CTC:     workbench.DecodedReading{Text: s.CTC.Text, Score: formatScore(s.CTC.Score)},
			Hybrid:  workbench.DecodedReading{Text: s.Hybrid.Text, Score: formatScore(s.Hybrid.Score)},
			Picked:  strings.ToUpper(s.Hybrid.Picked),
			Applied: s.Applied,
		}
		for _, phrase := range s.Spotted {
			one.Spotted = append(one.Spotted, workbench.DecodedPhrase{
				Text: phrase.Phrase, Score: formatScore(phrase.Score),
				From: formatTwoPlaces(phrase.Start), To: formatTwoPlaces(phrase.End),
			})
		}
		d.Segments = append(d.Segments, one)
	}
	return d
}

func formatTwoPlaces(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 2, 64) }

// formatScore formats a log-probability; a dash if it is infinite or NaN.
func formatScore(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "–"
	}
	return formatTwoPlaces(v)
}

// tokenChart returns the chart: waveform and tokens over time.
func tokenChart(r *engine.DebugResult, peaks []float32) workbench.TokenChart {
	c := workbench.TokenChart{
		Width:  max(pixelAt(r.Duration), len(peaks)*columnWidth, 320),
		Height: firstRow + 3*rowHeight, Wave: waveformPath(peaks),
	}
	for second := 0; second <= int(r.Duration); second++ {
		c.Ticks = append(c.Ticks, workbench.ChartTick{X: second * pixelsPerSecond, Name: strconv.Itoa(second) + " s"})
	}
	rows := []workbench.TokenRow{{Name: "rnnt"}, {Name: "ctc"}, {Name: "hybrid"}}
	for i := range rows {
		rows[i].Y, rows[i].Bar = firstRow+i*rowHeight, firstRow+(i+1)*rowHeight-8
	}
	for _, s := range r.Segments {
		from, width := pixelAt(s.Start), pixelAt(s.End-s.Start)
		c.Segments = append(c.Segments, workbench.ChartBox{X: from, Width: width})
		picked := s.RNNT
		if s.Hybrid.Picked == "ctc" {
			picked = s.CTC
		}
		for i, head := range []engine.HeadResult{s.RNNT, s.CTC, picked} {
			rows[i].Tokens = append(rows[i].Tokens, chartTokens(head, rows[i].Y)...)
			filled := int(tokenProbability(head) * float64(width))
			rows[i].Scores = append(rows[i].Scores, workbench.ChartBox{X: from, Width: width, Filled: filled})
		}
		for _, phrase := range s.Spotted {
			c.Brackets = append(c.Brackets, workbench.ChartBracket{
				X: pixelAt(phrase.Start), Width: pixelAt(phrase.End - phrase.Start), Y: bracketY, Name: phrase.Phrase,
			})
		}
	}
	c.Rows = rows
	return c
}

func pixelAt(seconds float64) int { return int(math.Round(seconds * pixelsPerSecond)) }

// tokenProbability returns the mean probability of a token: exp(score / tokens), 0 to 1.
func tokenProbability(d engine.HeadResult) float64 {
	if len(d.Tokens) == 0 || math.IsNaN(d.Score) {
		return 0
	}
	return min(1, math.Exp(d.Score/float64(len(d.Tokens))))
}

// chartTokens places tokens on the time axis, on several lanes if they would overlap.
func chartTokens(d engine.HeadResult, top int) []workbench.ChartToken {
	var ends [lanes]int
	out := make([]workbench.ChartToken, 0, len(d.Tokens))
	for i, token := range d.Tokens {
		if i >= len(d.Timestamps) {
			break
		}
		x := pixelAt(d.Timestamps[i])
		written, start := strings.CutPrefix(token, wordStart)
		lane := 0
		for k := range ends {
			if ends[k] <= x {
				lane = k
				break
			}
			if ends[k] < ends[lane] {
				lane = k
			}
		}
		ends[lane] = x + 8 + letterWidth*utf8.RuneCountInString(written)
		out = append(out, workbench.ChartToken{
			X: x, Y: top + 32 + lane*laneHeight - 2, Text: written, Start: start, At: formatTwoPlaces(d.Timestamps[i]) + " s",
		})
	}
	return out
}

// waveformPath returns the SVG path of the waveform: one line a column, as high as its largest sample.
func waveformPath(peaks []float32) string {
	var b strings.Builder
	loudest := float32(0.05) // keeps silence flat
	for _, p := range peaks {
		loudest = max(loudest, p)
	}
	for i, p := range peaks {
		h := max(int(p/loudest*waveHalf), 1)
		fmt.Fprintf(&b, "M%d %dv%d", i*columnWidth+1, waveMiddle-h, 2*h)
	}
	return b.String()
}
