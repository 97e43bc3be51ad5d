package recognizer

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/processors"
)

// LiveCapacity is how much live speech the machine recognizes in real time with a model.
type LiveCapacity struct {
	Speakers int           // people speaking at once without pauses, with partial texts every second
	Calls    int           // conversations at once, in which the customer speaks at most half of the time, over SIP
	Cost     time.Duration // of a second of speech without partial texts, on one of the encoder's runs
	Late     time.Duration // estimated 95th percentile of the lateness of final texts with that many speakers
}

// String describes the capacity for an operator.
func (c LiveCapacity) String() string {
	return fmt.Sprintf("holds %d live speakers or %d conversations at once in real time"+
		" (a second of speech takes %.3f s, 95 of 100 final texts come within %.1f s)",
		c.Speakers, c.Calls, c.Cost.Seconds(), c.Late.Seconds())
}

// CallsBeside returns how many conversations there is room for beside live speakers; one at least.
func (c LiveCapacity) CallsBeside(speakers int) int {
	return max(1, c.Calls-(speakers*c.Calls+c.Speakers-1)/c.Speakers)
}

// SpeakersBeside returns how many live speakers there is room for beside conversations; one at least.
func (c LiveCapacity) SpeakersBeside(calls int) int {
	return max(1, c.Speakers-calls*c.Speakers/c.Calls)
}

const (
	// capacitySample is the recording of the measurement, below the samples' folder: five sentences in 12 s.
	capacitySample = "samples/appointment.flac"
	// usableShare is the share of the machine's time that live speech may take: the rest is for peaks.
	usableShare = 0.7
	// speakingShare is the largest share of a call in which the customer speaks.
	speakingShare = 0.5
	// lineWork is what a call costs beside recognition (RTP and its packets, recording, answering machine detection,
	// mixing of prompts), as a multiple of resampling its sound: callbench measures 0.8 % of a processor for a call over
	// SIP, 0.2 % of it recognition, on a machine where resampling takes 0.042 %. A live session costs about as much:
	// livebench measures 1.1 % for one of 110, with recognition and partial texts.
	lineWork = 15
	// lineRate is the sample rate of a telephone line in Hz, lineFrame its frame of 20 ms.
	lineRate, lineFrame = 8000, 160
	// measureRuns is how often the recording is heard; the fastest time counts, since other programs only slow it down.
	measureRuns = 3
	// textEvery is how often live text is to come at least; with time left it comes more often.
	textEvery = time.Second
	// latestFinal is how late 95 of 100 final texts may come at most, behind the silence that ends a turn.
	latestFinal = 600 * time.Millisecond
	// longestTurn is the speech that a model without caches decodes at once at most, in seconds: longer turns are cut.
	longestTurn = 8
	// remeasureEvery is the interval of measurements while nothing else is recognized.
	remeasureEvery = 10 * time.Minute
	// unmeasuredCalls is how many calls are admitted before the first measurement, about a second after the start. After a
	// restart in the middle of a campaign all of its due calls want a line then.
	unmeasuredCalls = 4
	// pushLength is how much sound is pushed at once, as a telephone line does: 100 ms.
	pushLength = audio.Rate / 10
)

// MeasureCapacity transcribes a recording live, a few times, and measures the cost.
func MeasureCapacity(ctx context.Context, e *engine.Engine, samples fs.FS) (LiveCapacity, error) {
	b, err := fs.ReadFile(samples, capacitySample)
	if err != nil {
		return LiveCapacity{}, err
	}
	sound, err := audio.DecodeAll(ctx, bytes.NewReader(b), audio.DecodeOptions{FFmpeg: "none"})
	if err != nil {
		return LiveCapacity{}, err
	}
	spoken, err := measureCost(ctx, e, sound, 0)
	if err != nil {
		return LiveCapacity{}, err
	}
	shown, err := measureCost(ctx, e, sound, textEvery)
	if err != nil {
		return LiveCapacity{}, err
	}
	costs := liveCosts{
		spoken: spoken.second, shown: max(shown.second, spoken.second), piece: shown.piece, line: measureLine(sound),
		parallel: e.ParallelRuns(), processors: processors.CountProcessors(),
	}
	if len(e.LiveLatencies()) == 0 {
		costs.piece = max(costs.piece, longestTurn*costs.spoken)
	}
	return costs.fitCapacity(), nil
}

// hearingCost is the cost of transcribing a recording live.
type hearingCost struct {
	second time.Duration // for a second of the recording
	piece  time.Duration // for the most expensive push: a partial or final text
}

// measureCost measures the cost of transcribing a recording live, with partial texts at an interval (0: none).
func measureCost(ctx context.Context, e *engine.Engine, sound []float32, partial time.Duration) (hearingCost, error) {
	fastest := hearingCost{math.MaxInt64, math.MaxInt64}
	for range measureRuns {
		took, err := hearLive(ctx, e, sound, partial)
		if err != nil {
			return hearingCost{}, err
		}
		fastest = hearingCost{min(fastest.second, took.second), min(fastest.piece, took.piece)}
	}
	return fastest, nil
}

// measureLine estimates what a second of a call costs beside recognition; see lineWork.
func measureLine(sound []float32) time.Duration {
	fastest := time.Duration(math.MaxInt64)
	var out []float32
	for range measureRuns {
		r := audio.NewResampler(lineRate, audio.Rate)
		began := time.Now()
		for frame := range slices.Chunk(sound, lineFrame) {
			out = r.Push(out[:0], frame)
		}
		fastest = min(fastest, time.Since(began))
	}
	return time.Duration(lineWork * float64(fastest) * lineRate / float64(len(sound)))
}

// hearLive streams a recording to the engine in pieces, as fast as possible.
func hearLive(ctx context.Context, e *engine.Engine, sound []float32, partial time.Duration) (hearingCost, error) {
	stream, err := e.OpenStream(engine.StreamOptions{Partial: partial})
	if err != nil {
		return hearingCost{}, err
	}
	var total, longest time.Duration
	for part := range slices.Chunk(sound, pushLength) {
		began := time.Now()
		if _, err := stream.Push(ctx, part); err != nil {
			return hearingCost{}, err
		}
		took := time.Since(began)
		total, longest = total+took, max(longest, took)
	}
	began := time.Now()
	_, err = stream.Flush(ctx)
	total += time.Since(began)
	return hearingCost{time.Duration(float64(total) * audio.Rate / float64(len(sound))), longest}, err
}

// liveCosts are the measured costs that the capacity follows from.
type liveCosts struct {
	spoken     time.Duration // of a second of speech in a call, without partial texts
	shown      time.Duration // of a second of live text
	piece      time.Duration // of the longest partial or final text
	line       time.Duration // of a second of a call or live session beside recognition, on one processor
	parallel   int           // runs of the encoder at once
	processors int
}

// fitCapacity returns how many speakers fit into usableShare of the machine and get their final texts in time, and how
// many conversations. One of each is admitted on the slowest machine.
func (c liveCosts) fitCapacity() LiveCapacity {
	room := func(share float64) int { return max(1, int(math.Round(usableShare/max(share, 1e-4)))) }
	part := func(cost time.Duration, workers int) float64 { return cost.Seconds() / float64(workers) }
	line := part(c.line, c.processors)
	speakers := room(part(c.shown, c.parallel) + line)
	for speakers > 1 && c.finalLateness(speakers) > latestFinal {
		speakers--
	}
	calls := room(speakingShare*part(c.spoken, c.parallel) + line)
	return LiveCapacity{Speakers: speakers, Calls: calls, Cost: c.spoken, Late: c.finalLateness(speakers)}
}

// finalLateness estimates the 95th percentile of the time from the silence that ends a turn to its final text: a final
// text takes the longest piece at most; before it, one of the runs completes its current work, half a piece on average,
// and processes the final texts that came earlier. The mean wait for these is that of a queue with constant service
// times (M/D/1), ρ/2(1−ρ) pieces; it counts twice. Partial texts are processed after final ones, so only the latter are
// the load ρ.
func (c liveCosts) finalLateness(speakers int) time.Duration {
	load := min(float64(speakers)*c.spoken.Seconds()/float64(c.parallel), 0.99)
	wait := (0.5 + load/(1-load)) / float64(c.parallel)
	return time.Duration((1 + wait) * float64(c.piece))
}

// CapacityMeter measures the capacity when the serving engine changes, and from time to time while it is idle. It is
// safe for concurrent use.
type CapacityMeter struct {
	Recognizer *Recognizer
	Samples    fs.FS
	Log        *slog.Logger

	known atomic.Pointer[measuredCapacity]
}

// measuredCapacity is the capacity with one engine.
type measuredCapacity struct {
	of       *engine.Engine
	at       time.Time
	capacity LiveCapacity
}

// CurrentCapacity returns the capacity with the serving engine; false while it has not been measured.
func (m *CapacityMeter) CurrentCapacity() (LiveCapacity, bool) {
	k := m.known.Load()
	if k == nil || k.of != m.Recognizer.CurrentEngine() {
		return LiveCapacity{}, false
	}
	return k.capacity, true
}

// LimitCalls returns how many of wanted calls the machine holds in real time beside open live sessions: with the former
// engine while the serving one is not measured, and few before the first measurement.
func (m *CapacityMeter) LimitCalls(wanted, sessions int) int {
	k := m.known.Load()
	if k == nil {
		return min(wanted, unmeasuredCalls)
	}
	return min(wanted, k.capacity.CallsBeside(sessions))
}

// LimitSessions returns how many live sessions the machine holds in real time beside running calls; 0: not known yet.
func (m *CapacityMeter) LimitSessions(calls int) int {
	c, known := m.CurrentCapacity()
	if !known {
		return 0
	}
	return c.SpeakersBeside(calls)
}

// Run measures until ctx ends.
func (m *CapacityMeter) Run(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := m.measureAgain(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// measureAgain measures a new engine, and the same one after a while; not while others use it. Only the first
// measurement waits for nobody: an engine that is busy from the start on would never be measured.
func (m *CapacityMeter) measureAgain(ctx context.Context) error {
	e, k := m.Recognizer.CurrentEngine(), m.known.Load()
	if e == nil || k != nil && k.of == e && time.Since(k.at) < remeasureEvery {
		return nil
	}
	if requests, _ := e.QueueLoad(); requests > 0 && k != nil {
		return nil
	}
	c, err := MeasureCapacity(ctx, e, m.Samples)
	if err != nil {
		if ctx.Err() != nil || e != m.Recognizer.CurrentEngine() { // the engine was replaced meanwhile
			return nil //nolint:nilerr // it is measured next time
		}
		return err
	}
	m.known.Store(&measuredCapacity{e, time.Now(), c})
	if k == nil || k.of != e {
		releaseStartupMemory() // the last step of starting, or of a change of the model
	}
	m.Log.Info("capacity measured", "speakers", c.Speakers, "calls", c.Calls, "cost", c.Cost.Round(time.Millisecond/10))
	return nil
}

// largeMapping is the size in bytes from which a mapping of a file is worth releasing: embedded files, and the code of
// the program and of ONNX Runtime.
const largeMapping = 8 << 20

// releaseStartupMemory returns to the system the memory that was needed for starting only: the heap's garbage, the
// pages of the program's embedded files, which have been unpacked, and code. These pages are read from their files
// again when needed. Errors are ignored: it only saves memory.
func releaseStartupMemory() {
	debug.FreeOSMemory()
	program, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var start, end uintptr
		var mode string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &start, &end, &mode); err != nil || end-start < largeMapping {
			continue
		}
		switch {
		case mode == "r--p" && strings.HasSuffix(lines.Text(), " "+program):
			// MADV_PAGEOUT, not MADV_DONTNEED: it never loses written pages, e.g. of the dynamic linker.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, start, end-start, unix.MADV_PAGEOUT)
		case mode == "r-xp" && strings.Contains(lines.Text(), "/"):
			// Code is never written: its pages stay in the system's cache of files, so that using them again is cheap.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, start, end-start, unix.MADV_DONTNEED)
		}
	}
}
