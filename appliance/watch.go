package appliance

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dial"
	"munadi/appliance/event"
	"munadi/store/call"
)

const (
	bar   = 5 // frames in a bar of the waveform: 100 ms
	batch = 5 // bars that are told of at once
	chunk = 5 // frames in a chunk of sound for those who listen in

	soFar = 500 * time.Millisecond // between two texts of a turn that goes on
)

// watched makes attempts in public: whoever looks at a call sees its state move.
type watched struct {
	*dial.Dialer
	store interface {
		Call(ctx context.Context, orgID, id string) (call.Call, error)
	}
	events *event.Hub
	sound  *event.Sound
	count  func(status string) // of calls that ended
}

// Run implements [schedule.Dialer].
func (w *watched) Run(ctx context.Context, c call.Call) error {
	s := newShow(w.events, w.sound, c)
	s.state(call.Dialing)
	err := w.Dialer.Run(ctx, c)
	status := call.Failed
	if ended, lost := w.store.Call(context.WithoutCancel(ctx), c.OrgID, c.ID); lost == nil {
		status = ended.Status
	}
	s.state(status)
	if status.Final() { // else it was put back, and is dialled again later
		w.count(string(status))
	}
	w.events.End(s.at)
	w.sound.Stop(s.at)
	return err
}

// show tells those who look at a call what happens in it.
type show struct {
	hub   *event.Hub
	sound *event.Sound
	at    event.Topic // the call
	list  event.Topic // all calls of its organization
	id    string
}

func newShow(hub *event.Hub, sound *event.Sound, c call.Call) *show {
	return &show{
		hub: hub, sound: sound, at: event.Topic{OrgID: c.OrgID, Name: "call/" + c.ID},
		list: event.Topic{OrgID: c.OrgID, Name: "calls"}, id: c.ID,
	}
}

func (s *show) state(status call.Status) {
	s.hub.Publish(s.at, "state", map[string]any{"status": status, "at": time.Now().UTC()})
	s.hub.Tell(s.list, "state", map[string]any{"id": s.id, "status": status})
}

// message is a turn that is over.
func (s *show) message(m call.Message) { s.hub.Publish(s.at, "message", m) }

// slot is a value that was found out, or taken back.
func (s *show) slot(name string, value any) {
	s.hub.Publish(s.at, "slot", map[string]any{"name": name, "value": value})
}

// partial is what the person has said so far in a turn that goes on; the text may be empty still.
func (s *show) partial(start, end float64, text string) {
	s.hub.Publish(s.at, "partial", map[string]any{"start": start, "end": end, "text": text})
}

// every is how often the words of a turn that goes on are worth finding out: only while somebody looks.
func (s *show) every() time.Duration {
	if s.hub.Watched(s.at) {
		return soFar
	}
	return 0
}

// nothing says that what was taken for a turn held no words.
func (s *show) nothing() { s.hub.Publish(s.at, "nothing", struct{}{}) }

// stage is a line in public: what goes over it is shown and can be listened to. Like any line it belongs to one
// goroutine, but for Hangup.
type stage struct {
	carrier.Line
	show *show

	end         time.Duration // of the last frame
	frames      int
	left, right peak
	bars        struct {
		At    float64 `json:"at"` // seconds of the first
		Left  []int   `json:"left"`
		Right []int   `json:"right"`
	}
	pcm []int16
}

// peak is the loudest sample of a bar.
type peak int

func (p *peak) hear(samples []int16) {
	for _, v := range samples {
		*p = max(*p, peak(v), -peak(v))
	}
}

// take is the bar's height in percent.
func (p *peak) take() int {
	height := int(*p) * 100 / (1 << 15)
	*p = 0
	return height
}

// Say implements [carrier.Line]: the words are shown as they begin to be heard.
func (s *stage) Say(said carrier.Speech) {
	start := s.end + s.Queued()
	end := start + time.Duration(len(said.PCM))*time.Second/carrier.Rate
	if said.Text != "" {
		s.show.hub.Publish(s.show.at, "say", map[string]any{
			"text": said.Text, "start": start.Seconds(), "end": end.Seconds(),
		})
	}
	s.Line.Say(said)
}

// Flush implements [carrier.Line].
func (s *stage) Flush() {
	s.show.hub.Publish(s.show.at, "cut", map[string]any{"at": s.end.Seconds()})
	s.Line.Flush()
}

// Next implements [carrier.Line].
func (s *stage) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := s.Line.Next(ctx)
	if err != nil {
		s.tell()
		return f, err
	}
	s.end = f.At + carrier.Tick
	s.frames++
	s.draw(f)
	s.play(f)
	return f, nil
}

// draw adds a frame to the waveform.
func (s *stage) draw(f carrier.Frame) {
	s.left.hear(f.In[:])
	s.right.hear(f.Out[:])
	if s.frames%bar != 0 {
		return
	}
	s.bars.Left = append(s.bars.Left, s.left.take())
	s.bars.Right = append(s.bars.Right, s.right.take())
	if len(s.bars.Left) == batch {
		s.tell()
	}
}

// tell shows the bars that are drawn.
func (s *stage) tell() {
	n := len(s.bars.Left)
	if n == 0 {
		return
	}
	drawn := s.frames / bar
	s.bars.At = float64((drawn-n)*bar) * carrier.Tick.Seconds()
	s.show.hub.Publish(s.show.at, "peaks", s.bars)
	s.bars.Left, s.bars.Right = s.bars.Left[:0], s.bars.Right[:0]
}

// play passes the sound on, the customer left, if anybody listens in.
func (s *stage) play(f carrier.Frame) {
	if !s.show.sound.Heard(s.show.at) {
		s.pcm = nil
		return
	}
	for i := range f.In {
		s.pcm = append(s.pcm, f.In[i], f.Out[i])
	}
	if len(s.pcm) >= 2*chunk*carrier.Samples {
		s.show.sound.Play(s.show.at, s.pcm)
		s.pcm = nil
	}
}
