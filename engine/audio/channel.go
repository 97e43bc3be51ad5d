package audio

import "fmt"

// ChannelChoice selects the channels to decode.
type ChannelChoice int

// The choices. A recording of one channel has a left one only.
const (
	MixChannels ChannelChoice = iota // the mean of all
	LeftChannel
	RightChannel
)

// CodeChannel is the code of a recording that has no such channel.
const CodeChannel ErrorCode = "audio_channel"

// checkCount reports whether a recording has the channel. Which of more than two is left or right depends on the
// format: they are only mixed.
func (c ChannelChoice) checkCount(channels int) error {
	switch {
	case c == MixChannels || c == LeftChannel && channels == 1 || channels == 2:
		return nil
	case channels == 1:
		return &DecodeError{Code: CodeChannel, Message: "the recording has one channel, which counts as the left one"}
	}
	return &DecodeError{Code: CodeChannel, Message: fmt.Sprintf(
		"the recording has %d channels; they can be told apart in recordings of one or two, others can be mixed", channels)}
}

// channelIndex returns the index of the channel, -1 for the mean of all.
func (c ChannelChoice) channelIndex(channels int) int { return min(int(c), channels) - 1 }

// pickChannel takes one of interleaved channels, in place, or mixes them, and returns the mono part.
func (c ChannelChoice) pickChannel(p []float32, channels int) []float32 {
	at := c.channelIndex(channels)
	if at < 0 || channels == 1 {
		return mixDown(p, channels)
	}
	n := len(p) / channels
	for i := range n {
		p[i] = p[i*channels+at]
	}
	return p[:n]
}

// argumentName returns the channel as an argument of the child.
func (c ChannelChoice) argumentName() string { return [...]string{"mix", "left", "right"}[c] }

// channelOf returns the channel of a name; mixed for none.
func channelOf(name string) ChannelChoice {
	switch name {
	case LeftChannel.argumentName():
		return LeftChannel
	case RightChannel.argumentName():
		return RightChannel
	}
	return MixChannels
}
