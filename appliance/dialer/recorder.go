package dialer

import (
	"context"
	"errors"
	"io"
	"math"
	"sync/atomic"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/textform"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// RecordingStore stores recordings.
type RecordingStore interface {
	Create(name string) (CallRecorder, error)
	RemoveFile(name string) error
}

// CallRecorder writes one recording: the called person left, the platform right.
type CallRecorder interface {
	AppendFrames(left, right []int16) error
	// SilenceSpan replaces samples of a channel of package blob by silence.
	SilenceSpan(channel int, from, to int64) error
	Close() error
	Sum() *call.RecordingSum // of the closed recording; nil: not known
}

// KeptIn returns a RecordingStore over the appliance's recordings.
func KeptIn(s blob.RecordingStore) RecordingStore { return keptRecordings{s} }

type keptRecordings struct{ blob.RecordingStore }

func (k keptRecordings) Create(name string) (CallRecorder, error) {
	return k.CreateRecording(name)
}

// overrunTolerance is the tolerance beyond the maximum duration: the conversation ends itself at that time, and is only
// cut off if it does not.
const overrunTolerance = 2 * time.Second

// recordedLine is an answered line that records and counts its frames. If the recording fails, it is abandoned and the
// conversation continues.
type recordedLine struct {
	carrier.Line
	longest time.Duration // maximum duration, after which the line is hung up
	overran atomic.Bool   // the maximum duration was exceeded
	timer   *time.Timer   // for a line in real time; nil for one with simulated time
	left    atomic.Bool   // we hung up, or transferred the call
	hungUp  bool          // the remote side hung up first

	checkTransfer func(ctx context.Context, to string) error // says why the target may not be called now

	name     string // name of the recording; empty: not recorded
	recorder CallRecorder
	remove   func(name string) error
	failure  error

	end   time.Duration // end of the last frame, since the answer
	began time.Time     // with its monotonic clock, which a change of the machine's time does not move
	last  atomic.Int64  // when the last frame came, in nanoseconds since began
}

// recordLine starts the recording of a line, if the rules require one.
func (a *dialAttempt) recordLine(line carrier.Line) *recordedLine {
	longest := time.Duration(a.scenario.MaxDurationSeconds) * time.Second
	if longest <= 0 {
		longest = scenario.DefaultMaxDuration
	}
	t := &recordedLine{
		Line: line, longest: longest + overrunTolerance, began: time.Now(), checkTransfer: a.checkTransfer,
	}
	if _, timed := line.(carrier.MeasuredLine); timed {
		t.timer = time.AfterFunc(t.longest, t.endAtLimit)
	}
	if a.rules.Recording == callrules.RecordOff {
		return t
	}
	name := blob.RecordingName(a.call.OrgID, a.call.ID)
	if t.recorder, t.failure = a.Recordings.Create(name); t.failure == nil {
		t.name, t.remove = name, a.Recordings.RemoveFile
	}
	return t
}

// Next reads a frame and records it.
func (t *recordedLine) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := t.Line.Next(ctx)
	if err != nil {
		t.hungUp = t.hungUp || errors.Is(err, io.EOF) && !t.left.Load()
		return f, err
	}
	t.noteFrame()
	t.end = f.At + carrier.Tick
	if t.name != "" && t.failure == nil {
		t.failure = t.recorder.AppendFrames(f.In[:], f.Out[:])
	}
	if t.end >= t.longest {
		t.endAtLimit()
	}
	return f, nil
}

// redactMargin is silenced before and after a turn of which the transcript leaves something out.
const redactMargin = 200 * time.Millisecond

// redactSound silences the turns of which the transcript leaves something out, and the spans without a transcript.
// Where words stand within a turn is not known exactly, so that the whole turn is silent: a person's in their channel,
// the platform's in both, since telephones send back an echo. A recording that cannot be changed is removed.
func (t *recordedLine) redactSound(messages []call.Message, unrecognized []call.SoundSpan) {
	if t.name == "" {
		return
	}
	err := t.silenceSpans(unrecognized, blob.PersonChannel, blob.PlatformChannel)
	for _, m := range messages {
		if !textform.IsRedacted(m.Content) {
			continue
		}
		channels := []int{blob.PersonChannel}
		if m.Role == call.Assistant {
			channels = append(channels, blob.PlatformChannel)
		}
		err = errors.Join(err, t.silenceSpans([]call.SoundSpan{{From: m.Start, To: m.End}}, channels...))
	}
	if err != nil {
		_ = t.recorder.Close()
		t.failure = errors.Join(err, t.remove(t.name))
		t.name = ""
	}
}

// silenceSpans silences spans and the margin beside them.
func (t *recordedLine) silenceSpans(spans []call.SoundSpan, channels ...int) (err error) {
	for _, span := range spans {
		from, to := sampleAt(span.From, -redactMargin), sampleAt(span.To, redactMargin)
		for _, channel := range channels {
			err = errors.Join(err, t.recorder.SilenceSpan(channel, from, to))
		}
	}
	return err
}

// sampleAt returns the sample of a recording at a time in seconds, moved.
func sampleAt(seconds float64, moved time.Duration) int64 {
	return int64((seconds + moved.Seconds()) * blob.Rate)
}

// limitLine sets the longest duration anew, from now on.
func (t *recordedLine) limitLine(d time.Duration) {
	t.longest = t.end + d + overrunTolerance
	if t.timer != nil {
		t.timer.Reset(d + overrunTolerance)
	}
}

// CountUnread implements [carrier.UnreadCounter].
func (t *recordedLine) CountUnread() int { return carrier.CountUnread(t.Line) }

// SendKeys implements [carrier.KeySender].
func (t *recordedLine) SendKeys(keys string) { carrier.SendKeys(t.Line, keys) }

// endAtLimit ends the call at its longest duration.
func (t *recordedLine) endAtLimit() {
	t.overran.Store(true)
	t.Hangup()
}

// Hangup ends the call from our side.
func (t *recordedLine) Hangup() {
	t.left.Store(true)
	t.Line.Hangup()
}

// Transfer transfers the call, if the target may be called now; the line's end that follows is not a hang-up of the
// customer.
func (t *recordedLine) Transfer(ctx context.Context, to string) error {
	if err := t.checkTransfer(ctx, to); err != nil {
		return err
	}
	err := t.Line.Transfer(ctx, to)
	switch {
	case err == nil:
		t.left.Store(true)
	case errors.Is(err, io.EOF):
		t.hungUp = !t.left.Load()
	}
	return err
}

func (t *recordedLine) noteFrame() { t.last.Store(int64(time.Since(t.began))) }

// idleTime returns the time since the last frame.
func (t *recordedLine) idleTime() time.Duration {
	return time.Since(t.began) - time.Duration(t.last.Load())
}

// lineTime returns the position on the line's audio clock.
func (t *recordedLine) lineTime() time.Duration { return t.end }

// durationSeconds is the call's duration: by the clock, or on a simulated line in frames.
func (t *recordedLine) durationSeconds() *int {
	lasted := t.end
	if line, timed := t.Line.(carrier.MeasuredLine); timed {
		lasted = line.Lasted()
	}
	n := int(math.Round(lasted.Seconds()))
	return &n
}

// closeRecording closes the recording and returns its name and sum; an empty recording is removed and has no name. The
// error is the recording's first failure; the name is returned nevertheless if there is audio.
func (t *recordedLine) closeRecording() (string, *call.RecordingSum, error) {
	if t.timer != nil {
		t.timer.Stop()
	}
	if t.name == "" {
		return "", nil, t.failure
	}
	if err := t.recorder.Close(); t.failure == nil {
		t.failure = err
	}
	if t.end == 0 {
		_ = t.remove(t.name) // the retention sweep removes orphans
		return "", nil, t.failure
	}
	return t.name, t.recorder.Sum(), t.failure
}
