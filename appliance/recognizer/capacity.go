package recognizer

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"munadi/engine"
	"munadi/engine/audio"
)

// LiveCapacity is how much live speech the machine recognizes in real time with a model.
type LiveCapacity struct {
	Speakers int           // people who speak without a pause at once, with text so far every second
	Calls    int           // conversations at once: in them the customer speaks half of the time at most
	Cost     time.Duration // of a second of speech without text so far, on one of the encoder's runs
}

// String describes the capacity for an operator.
func (c LiveCapacity) String() string {
	return fmt.Sprintf("holds %d live speakers or %d conversations at once in real time (a second of speech takes %.3f s)",
		c.Speakers, c.Calls, c.Cost.Seconds())
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
	// measureRuns is how often the recording is heard; the fastest time counts, since other programs only slow it down.
	measureRuns = 3
	// textEvery is how often live text is to come at least; with time left it comes more often.
	textEvery = time.Second
	// remeasureEvery is the interval of measurements while nothing else is recognized.
	remeasureEvery = 10 * time.Minute
	// pushLength is how much sound is pushed at once, as a telephone line does: 100 ms.
	pushLength = audio.Rate / 10
)

// MeasureCapacity lets the engine hear a recording live, a few times.
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
	return capacityOf(spoken, max(shown, spoken), e.ParallelRuns()), err
}

// measureCost returns what a second of a recording costs live, with text so far at an interval (0: none).
func measureCost(ctx context.Context, e *engine.Engine, sound []float32, partial time.Duration) (time.Duration, error) {
	fastest := time.Duration(math.MaxInt64)
	for range measureRuns {
		took, err := hearLive(ctx, e, sound, partial)
		if err != nil {
			return 0, err
		}
		fastest = min(fastest, took)
	}
	return time.Duration(float64(fastest) / (float64(len(sound)) / audio.Rate)), nil
}

// hearLive returns how long the engine takes for a recording that comes in pieces.
func hearLive(ctx context.Context, e *engine.Engine, sound []float32, partial time.Duration) (time.Duration, error) {
	stream, err := e.OpenStream(engine.StreamOptions{Partial: partial})
	if err != nil {
		return 0, err
	}
	began := time.Now()
	for len(sound) > 0 {
		n := min(pushLength, len(sound))
		if _, err := stream.Push(ctx, sound[:n]); err != nil {
			return 0, err
		}
		sound = sound[n:]
	}
	_, err = stream.Flush(ctx)
	return time.Since(began), err
}

// capacityOf returns the capacity of a machine with parallel runs from the costs of a second of speech: spoken in
// calls, shown as live text.
func capacityOf(spoken, shown time.Duration, parallel int) LiveCapacity {
	room := func(cost time.Duration, share float64) int {
		return max(1, int(math.Round(usableShare*float64(parallel)/max(cost.Seconds(), 1e-4)/share)))
	}
	return LiveCapacity{Speakers: room(shown, 1), Calls: room(spoken, speakingShare), Cost: spoken}
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

// LimitCalls returns how many of wanted calls the machine holds in real time beside open live sessions; all of them
// while its capacity is not known.
func (m *CapacityMeter) LimitCalls(wanted, sessions int) int {
	c, known := m.CurrentCapacity()
	if !known {
		return wanted
	}
	return min(wanted, c.CallsBeside(sessions))
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

// measureAgain measures a new engine, and the same one after a while; not while others use it.
func (m *CapacityMeter) measureAgain(ctx context.Context) error {
	e, k := m.Recognizer.CurrentEngine(), m.known.Load()
	if e == nil || k != nil && k.of == e && time.Since(k.at) < remeasureEvery {
		return nil
	}
	if requests, _ := e.QueueLoad(); requests > 0 {
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
	m.Log.Info("capacity", "speakers", c.Speakers, "calls", c.Calls, "cost", c.Cost.Round(time.Millisecond/10))
	return nil
}
