package audio

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"munadi/engine/audio/internal/ogg"
	"munadi/engine/audio/internal/webm"
	"munadi/engine/audio/internal/xiph"
)

// Jobs of the child: the first word of its arguments.
const (
	jobOgg    = "ogg"
	jobWebM   = "webm"
	jobFFmpeg = "ffmpeg"
)

// helperUsage is what a person sees who calls the hidden subcommand.
const helperUsage = "audio: helper: want ogg|webm|ffmpeg, the seconds of processor time allowed and mix|left|right"

// RunHelper returns the body of the hidden subcommand that Options.Helper names: it decodes in, a stranger's Ogg or
// WebM bytes, to out in the form of wire.go. It gives up files, sockets, new programs and most memory first, so it must
// have the process to itself. The error is for the exit status; what is wrong with the recording goes to out.
func RunHelper(args []string, in io.Reader, out io.Writer) error {
	if len(args) < 2 {
		return errors.New(helperUsage)
	}
	seconds, err := strconv.ParseUint(args[1], 10, 31)
	if err != nil {
		return errors.New(helperUsage)
	}
	if args[0] == jobFFmpeg {
		return execConfined(seconds, args[2:])
	}
	if err := confineDecoder(seconds); err != nil {
		return fmt.Errorf("audio: helper: %w", err)
	}
	w, channel := newWireWriter(out), MixChannels
	if len(args) > 2 {
		channel = channelOf(args[2])
	}
	switch args[0] {
	case jobOgg:
		return w.writeEnd(decodeOgg(ogg.NewPages(in), w, channel))
	case jobWebM:
		return w.writeEnd(decodeWebM(in, w, channel))
	}
	return errors.New(helperUsage)
}

// sampleSink takes what a decoder in the child makes.
type sampleSink interface {
	writeFormat(f SoundFormat, rate int) error // rate of the samples, which may differ from that of the recording
	writeSamples(mono []float32) error
}

// childFault says what an error of the inner rooms means for the recording.
func childFault(err error) error {
	switch {
	case errors.Is(err, ogg.ErrTruncated):
		return breaksOff("it ends within a page", err)
	case errors.Is(err, ogg.ErrDamaged):
		return newDamagedFault("a page of it is damaged or missing", err)
	case errors.Is(err, webm.ErrTruncated):
		return breaksOff("it ends within a block", err)
	case errors.Is(err, webm.ErrDamaged):
		return newDamagedFault("a block of it is damaged", err)
	case errors.Is(err, xiph.ErrPacket):
		return newDamagedFault("a packet of it cannot be decoded", err)
	}
	return err
}
