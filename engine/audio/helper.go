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

// helperUsage is the error for invalid arguments of the hidden subcommand.
const helperUsage = "audio: helper: usage: ogg|webm|ffmpeg, CPU time limit in seconds, mix|left|right"

// RunHelper is the hidden subcommand of DecodeOptions.Helper (sandboxed decoder process): it decodes untrusted Ogg or
// WebM bytes from in to out in the format of wire.go. It first gives up access to files, sockets, new programs and most
// memory, so it must run in a separate process. The error sets the exit status; errors of the recording are written to
// out.
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

// sampleSink receives the child's decoded samples.
type sampleSink interface {
	writeFormat(f SoundFormat, rate int) error // rate of the samples, which may differ from that of the recording
	writeSamples(mono []float32) error
}

// childFault converts an error of the decoders into an error of the recording.
func childFault(err error) error {
	switch {
	case errors.Is(err, ogg.ErrTruncated):
		return newTruncatedFault("it ends within a page", err)
	case errors.Is(err, ogg.ErrDamaged):
		return newDamagedFault("a page is damaged or missing", err)
	case errors.Is(err, webm.ErrTruncated):
		return newTruncatedFault("it ends within a block", err)
	case errors.Is(err, webm.ErrDamaged):
		return newDamagedFault("a block is damaged", err)
	case errors.Is(err, xiph.ErrPacket):
		return newDamagedFault("a packet cannot be decoded", err)
	}
	return err
}
