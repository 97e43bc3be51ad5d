package audio

import (
	"errors"
	"fmt"
)

// ChannelChoice selects the channels to decode.
type ChannelChoice int

// The choices. The only channel of a mono recording is the left one.
const (
	MixChannels ChannelChoice = iota // the mean of all
	LeftChannel
	RightChannel
)

// CodeChannel is the code of a recording that has no such channel.
const CodeChannel ErrorCode = "audio_channel"

// checkCount returns an error if the recording does not have the channel. In recordings of more than two channels left
// and right depend on the format: these can only be mixed.
func (c ChannelChoice) checkCount(channels int) error {
	switch {
	case c == MixChannels || c == LeftChannel && channels == 1 || channels == 2:
		return nil
	case channels == 1:
		return &DecodeError{Code: CodeChannel, Message: "the recording has one channel only: use channel left or mix"}
	}
	return &DecodeError{Code: CodeChannel, Message: fmt.Sprintf(
		"the recording has %d channels: left and right can be chosen only in recordings of two; use channel mix", channels)}
}

// LacksChannel reports whether an error says that a recording has no such channel.
func LacksChannel(err error) bool {
	var bad *DecodeError
	return errors.As(err, &bad) && bad.Code == CodeChannel
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

// channelOf returns the channel of a name; MixChannels for any other.
func channelOf(name string) ChannelChoice {
	switch name {
	case LeftChannel.argumentName():
		return LeftChannel
	case RightChannel.argumentName():
		return RightChannel
	}
	return MixChannels
}
