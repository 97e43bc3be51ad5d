// Package crosstalk finds the echo of one side of a call in the channel of the other. Telephone lines and handsets send
// back what they are sent, up to half a second later and 10 to 40 dB quieter: loud enough to be transcribed as words of
// the person who only heard them.
//
// The delay is the peak of the cross-correlation, normalized by the power of both channels at each frequency (smoothed
// coherence transform; Carter, Nuttall and Cable, 1973). The least-squares filter around that peak predicts the level
// of the echo, and where a channel is not clearly above it, it holds nothing else. Nothing is subtracted: of two people
// who talk at once both stay. Without a clear peak a recording is left as it is.
package crosstalk

import (
	"errors"
	"io"

	"gonum.org/v1/gonum/dsp/fourier"
	dspwindow "gonum.org/v1/gonum/dsp/window"

	"munadi/engine/audio"
)

const (
	decimation = 2 // of 16 kHz: telephone lines pass 300 to 3,400 Hz
	rate       = audio.Rate / decimation
	window     = 256        // samples per level: 32 ms
	bands      = 4          // per level
	lowest     = 300        // Hz
	highest    = 3400       // Hz
	learned    = 180 * rate // samples from which the delay is learned
)

// Track is what [FindEcho] needs of one channel.
type Track struct {
	sound  []float32   // the first three minutes, 8 kHz
	levels []bandPower // of each window
}

// bandPower is the power of a window in each band.
type bandPower [bands]float32

// SampleSource is 16 kHz mono audio in [-1, 1], read until io.EOF.
type SampleSource interface {
	Read(p []float32) (int, error)
}

// RecordTrack reads a channel to its end. Its track takes 0.5 kB a second, and 6 MB for the first three minutes. The
// error is the source's.
func RecordTrack(src SampleSource) (*Track, error) {
	t := new(Track)
	m := newLevelMeter()
	block := make([]float32, decimation*window)
	for {
		n, err := readBlock(src, block)
		if n > 0 {
			clear(block[n:])
			t.addWindow(m, block)
		}
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readBlock fills block, except at the end.
func readBlock(src SampleSource, block []float32) (n int, err error) {
	for n < len(block) && err == nil {
		var some int
		some, err = src.Read(block[n:])
		n += some
	}
	return n, err
}

// addWindow adds one window of 16 kHz sound.
func (t *Track) addWindow(m *levelMeter, block []float32) {
	for i := range m.samples {
		m.samples[i] = float64(block[decimation*i]+block[decimation*i+1]) / decimation
	}
	if len(t.sound) < learned {
		for _, v := range m.samples {
			t.sound = append(t.sound, float32(v))
		}
	}
	t.levels = append(t.levels, m.measureBands())
}

// levelMeter measures the power of windows in bands.
type levelMeter struct {
	fft     *fourier.FFT
	taper   []float64 // Hann
	samples []float64 // [window]
	tapered []float64
	bins    []complex128
}

func newLevelMeter() *levelMeter {
	return &levelMeter{
		fft: fourier.NewFFT(window), taper: hannWindow(window), samples: make([]float64, window),
		tapered: make([]float64, window), bins: make([]complex128, window/2+1),
	}
}

// measureBands returns the power of the samples in each band.
func (m *levelMeter) measureBands() (power bandPower) {
	for i, v := range m.samples {
		m.tapered[i] = v * m.taper[i]
	}
	m.fft.Coefficients(m.bins, m.tapered)
	for k, c := range m.bins {
		if b := bandOf(m.fft.Freq(k) * rate); b >= 0 {
			power[b] += float32(squaredMagnitude(c))
		}
	}
	return power
}

// bandOf returns the band of a frequency in Hz; -1 outside a telephone line's.
func bandOf(hz float64) int {
	if hz < lowest || hz >= highest {
		return -1
	}
	return int((hz - lowest) * bands / (highest - lowest))
}

// hannWindow returns the taper of n samples.
func hannWindow(n int) []float64 {
	taper := make([]float64, n)
	for i := range taper {
		taper[i] = 1
	}
	return dspwindow.Hann(taper)
}

func squaredMagnitude(c complex128) float64 { return real(c)*real(c) + imag(c)*imag(c) }
