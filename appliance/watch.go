package appliance

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialer"
	"munadi/appliance/ssehub"
	"munadi/store/call"
)

const (
	bar   = 5 // frames in a bar of the waveform: 100 ms
	batch = 5 // bars published at once
	chunk = 5 // frames in a chunk of audio for listeners

	soFar = 500 * time.Millisecond // between two partial results of a turn
)

// publishingDialer publishes each state change of an attempt to the SSE hub.
type publishingDialer struct {
	*dialer.CallDialer
	store interface {
		FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	}
	events *ssehub.EventHub
	sound  *ssehub.SoundHub
	count  func(status string) // counts ended calls by status for the metrics
}

// Run implements [scheduler.CallDialer].
func (w *publishingDialer) Run(ctx context.Context, c call.Call) error {
	s := newShow(w.events, w.sound, c)
	s.publishState(call.Dialing)
	err := w.CallDialer.Run(ctx, c)
	status := call.Failed
	if ended, lost := w.store.FindCall(context.WithoutCancel(ctx), c.OrgID, c.ID); lost == nil {
		status = ended.Status
	}
	s.publishState(status)
	if status.IsFinal() { // else it was rescheduled and is dialled again later
		w.count(string(status))
	}
	w.events.EndTopic(s.at)
	w.sound.StopTopic(s.at)
	return err
}

// callPublisher publishes the events of a call to the SSE hub.
type callPublisher struct {
	hub   *ssehub.EventHub
	sound *ssehub.SoundHub
	at    ssehub.EventTopic // the call
	list  ssehub.EventTopic // all calls of its organization
	id    string
}

func newShow(hub *ssehub.EventHub, sound *ssehub.SoundHub, c call.Call) *callPublisher {
	return &callPublisher{
		hub: hub, sound: sound, at: ssehub.EventTopic{OrgID: c.OrgID, Name: "call/" + c.ID},
		list: ssehub.EventTopic{OrgID: c.OrgID, Name: "calls"}, id: c.ID,
	}
}

func (s *callPublisher) publishState(status call.CallStatus) {
	s.hub.PublishEvent(s.at, "state", map[string]any{"status": status, "at": time.Now().UTC()})
	s.hub.PublishTransient(s.list, "state", map[string]any{"id": s.id, "status": status})
}

// publishMessage publishes a finished turn.
func (s *callPublisher) publishMessage(m call.Message) { s.hub.PublishEvent(s.at, "message", m) }

// publishSlot publishes a slot's new value; null means removed.
func (s *callPublisher) publishSlot(name string, value any) {
	s.hub.PublishEvent(s.at, "slot", map[string]any{"name": name, "value": value})
}

// publishPartial publishes the partial transcript of the person's current turn; the text may be empty.
func (s *callPublisher) publishPartial(start, end float64, text string) {
	s.hub.PublishEvent(s.at, "partial", map[string]any{"start": start, "end": end, "text": text})
}

// partialInterval returns how often partial transcripts are computed: 0, never, without viewers.
func (s *callPublisher) partialInterval() time.Duration {
	if s.hub.HasViewers(s.at) {
		return soFar
	}
	return 0
}

// publishNoWords says that the current turn held no words.
func (s *callPublisher) publishNoWords() { s.hub.PublishEvent(s.at, "nothing", struct{}{}) }

// tappedLine wraps a line, publishes what is spoken, the waveform and the audio to viewers of the call. Like any line
// it belongs to one goroutine, but for Hangup.
type tappedLine struct {
	carrier.Line
	show *callPublisher

	end         time.Duration // of the last frame
	frames      int
	left, right peakMeter
	bars        struct {
		At    float64 `json:"at"` // seconds of the first
		Left  []int   `json:"left"`
		Right []int   `json:"right"`
	}
	pcm []int16
}

// peakMeter is the largest sample of a waveform bar.
type peakMeter int

func (p *peakMeter) pushSamples(samples []int16) {
	for _, v := range samples {
		*p = max(*p, peakMeter(v), -peakMeter(v))
	}
}

// takePercent returns the bar's height in percent and resets it.
func (p *peakMeter) takePercent() int {
	height := int(*p) * 100 / (1 << 15)
	*p = 0
	return height
}

// Say implements [carrier.Line]: the text is published with the time at which it is heard.
func (s *tappedLine) Say(said carrier.Speech) {
	start := s.end + s.Queued()
	end := start + time.Duration(len(said.PCM))*time.Second/carrier.Rate
	if said.Text != "" {
		s.show.hub.PublishEvent(s.show.at, "say", map[string]any{
			"text": said.Text, "start": start.Seconds(), "end": end.Seconds(),
		})
	}
	s.Line.Say(said)
}

// Flush implements [carrier.Line].
func (s *tappedLine) Flush() {
	s.show.hub.PublishEvent(s.show.at, "cut", map[string]any{"at": s.end.Seconds()})
	s.Line.Flush()
}

// Next implements [carrier.Line].
func (s *tappedLine) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := s.Line.Next(ctx)
	if err != nil {
		s.publishBars()
		return f, err
	}
	s.end = f.At + carrier.Tick
	s.frames++
	s.addToWaveform(f)
	s.playToListeners(f)
	return f, nil
}

// addToWaveform adds a frame to the waveform.
func (s *tappedLine) addToWaveform(f carrier.Frame) {
	s.left.pushSamples(f.In[:])
	s.right.pushSamples(f.Out[:])
	if s.frames%bar != 0 {
		return
	}
	s.bars.Left = append(s.bars.Left, s.left.takePercent())
	s.bars.Right = append(s.bars.Right, s.right.takePercent())
	if len(s.bars.Left) == batch {
		s.publishBars()
	}
}

// publishBars publishes the waveform bars computed so far.
func (s *tappedLine) publishBars() {
	n := len(s.bars.Left)
	if n == 0 {
		return
	}
	drawn := s.frames / bar
	s.bars.At = float64((drawn-n)*bar) * carrier.Tick.Seconds()
	s.show.hub.PublishEvent(s.show.at, "peaks", s.bars)
	s.bars.Left, s.bars.Right = s.bars.Left[:0], s.bars.Right[:0]
}

// playToListeners sends the audio to listeners, stereo with the customer left, if there are any.
func (s *tappedLine) playToListeners(f carrier.Frame) {
	if !s.show.sound.HasListeners(s.show.at) {
		s.pcm = nil
		return
	}
	for i := range f.In {
		s.pcm = append(s.pcm, f.In[i], f.Out[i])
	}
	if len(s.pcm) >= 2*chunk*carrier.Samples {
		s.show.sound.PlayChunk(s.show.at, s.pcm)
		s.pcm = nil
	}
}
