package publisher

import (
	"context"
	"time"

	"munadi/appliance/carrier"
)

const (
	barFrames   = 5 // frames in a bar of the waveform: 100 ms
	batchBars   = 5 // bars published at once
	chunkFrames = 5 // frames in a chunk of audio for listeners
)

// TappedLine wraps a line and publishes the speech, the waveform and the audio to viewers of the call. Like any line it
// belongs to one goroutine, except Hangup.
type TappedLine struct {
	carrier.Line
	Publisher *CallPublisher

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
func (l *TappedLine) Say(said carrier.Speech) {
	start := l.end + l.Queued()
	end := start + time.Duration(len(said.PCM))*time.Second/carrier.Rate + said.Rest
	text := said.Text
	if l.Publisher.Form != nil {
		text = l.Publisher.Form(text)
	}
	if text != "" {
		l.Publisher.hubs.Events.PublishEvent(l.Publisher.topic, "say", map[string]any{
			"text": text, "start": start.Seconds(), "end": end.Seconds(),
		})
	}
	l.Line.Say(said)
}

// CountUnread implements [carrier.UnreadCounter].
func (l *TappedLine) CountUnread() int { return carrier.CountUnread(l.Line) }

// SendKeys implements [carrier.KeySender].
func (l *TappedLine) SendKeys(keys string) { carrier.SendKeys(l.Line, keys) }

// Flush implements [carrier.Line].
func (l *TappedLine) Flush() {
	l.Publisher.hubs.Events.PublishEvent(l.Publisher.topic, "cut", map[string]any{"at": l.end.Seconds()})
	l.Line.Flush()
}

// Next implements [carrier.Line].
func (l *TappedLine) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := l.Line.Next(ctx)
	if err != nil {
		l.publishBars()
		return f, err
	}
	l.end = f.At + carrier.Tick
	l.frames++
	l.addToWaveform(f)
	l.playToListeners(f)
	return f, nil
}

// addToWaveform adds a frame to the waveform.
func (l *TappedLine) addToWaveform(f carrier.Frame) {
	l.left.pushSamples(f.In[:])
	l.right.pushSamples(f.Out[:])
	if l.frames%barFrames != 0 {
		return
	}
	l.bars.Left = append(l.bars.Left, l.left.takePercent())
	l.bars.Right = append(l.bars.Right, l.right.takePercent())
	if len(l.bars.Left) == batchBars {
		l.publishBars()
	}
}

// publishBars publishes the new waveform bars.
func (l *TappedLine) publishBars() {
	n := len(l.bars.Left)
	if n == 0 {
		return
	}
	drawn := l.frames / barFrames
	l.bars.At = float64((drawn-n)*barFrames) * carrier.Tick.Seconds()
	l.Publisher.hubs.Events.PublishEvent(l.Publisher.topic, "peaks", l.bars)
	l.bars.Left, l.bars.Right = l.bars.Left[:0], l.bars.Right[:0]
}

// playToListeners sends the audio to listeners, stereo with the customer left, if there are any.
func (l *TappedLine) playToListeners(f carrier.Frame) {
	if !l.Publisher.hubs.Sound.HasListeners(l.Publisher.topic) {
		l.pcm = nil
		return
	}
	for i := range f.In {
		l.pcm = append(l.pcm, f.In[i], f.Out[i])
	}
	if len(l.pcm) >= 2*chunkFrames*carrier.Samples {
		l.Publisher.hubs.Sound.PlayChunk(l.Publisher.topic, l.pcm)
		l.pcm = nil
	}
}
