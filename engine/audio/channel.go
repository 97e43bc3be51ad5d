package audio

import "fmt"

// Channel says which channels of a recording are heard.
type Channel int

// The choices. A recording of one channel has a left one only.
const (
	MixChannels Channel = iota // the mean of all
	LeftChannel
	RightChannel
)

// CodeChannel is the code of a recording that has no such channel.
const CodeChannel Code = "audio_channel"

// check says whether a recording has the channel. Which of more than two is left or right depends on the format: they
// are only mixed.
func (c Channel) check(channels int) error {
	switch {
	case c == MixChannels || c == LeftChannel && channels == 1 || channels == 2:
		return nil
	case channels == 1:
		return &Error{Code: CodeChannel, Message: "the recording has one channel, which counts as the left one"}
	}
	return &Error{Code: CodeChannel, Message: fmt.Sprintf(
		"the recording has %d channels; they can be told apart in recordings of one or two, others can be mixed", channels)}
}

// index is the place of the channel among so many, -1 for their mean.
func (c Channel) index(channels int) int { return min(int(c), channels) - 1 }

// pick takes one of interleaved channels, in place, or mixes them, and returns the mono part.
func (c Channel) pick(p []float32, channels int) []float32 {
	at := c.index(channels)
	if at < 0 || channels == 1 {
		return mix(p, channels)
	}
	n := len(p) / channels
	for i := range n {
		p[i] = p[i*channels+at]
	}
	return p[:n]
}

// name is the channel as an argument of the child.
func (c Channel) name() string { return [...]string{"mix", "left", "right"}[c] }

// channelOf is the channel of a name; mixed for none.
func channelOf(name string) Channel {
	switch name {
	case LeftChannel.name():
		return LeftChannel
	case RightChannel.name():
		return RightChannel
	}
	return MixChannels
}
