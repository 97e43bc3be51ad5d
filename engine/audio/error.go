package audio

import (
	"errors"
	"fmt"
	"io"
)

// Code is the stable name of what is wrong with a recording.
type Code string

// The codes of Error.
const (
	CodeDecode  Code = "audio_decode_error" // no audio, an unknown kind of it, damaged, or it breaks off
	CodeEmpty   Code = "audio_empty"        // it holds no sample
	CodeTooLong Code = "audio_too_long"     // longer than Options.MaxDuration
)

// Error is the fault of the recording, not ours. Message is a public sentence: no path, no library's words.
type Error struct {
	Code    Code
	Message string
	Cause   error // for the log only; may be nil
}

// Error returns the public message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, for the log.
func (e *Error) Unwrap() error { return e.Cause }

// accepted names what every machine decodes.
const accepted = "accepted are WAV, FLAC, MP3, Ogg Vorbis, Ogg Opus and WebM Opus"

func errEmpty() error {
	return &Error{Code: CodeEmpty, Message: "the recording holds no sound: it has not one sample"}
}

func notAudio(format string, a ...any) *Error {
	return &Error{Code: CodeDecode, Message: fmt.Sprintf(format, a...) + "; " + accepted}
}

// fault is what a source found wrong with its bytes; Stream adds the container and the place in seconds.
type fault struct {
	broken bool   // the bytes end too early, rather than being wrong
	what   string // after "the FLAC recording is damaged after 1.2 s: "
	cause  error
}

func (f *fault) Error() string { return f.what }
func (f *fault) Unwrap() error { return f.cause }

func breaksOff(what string, cause error) error {
	return &fault{broken: true, what: what, cause: unexpectedEnd(cause)}
}

func damaged(what string, cause error) error { return &fault{what: what, cause: unexpectedEnd(cause)} }

// unexpectedEnd keeps a fault from being taken for the end of the recording: errors.Is looks at causes.
func unexpectedEnd(cause error) error {
	if errors.Is(cause, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return cause
}

// foreignCodec is a container of ours with a codec that only ffmpeg may know.
type foreignCodec struct{ name string } // of both, for people

func (f *foreignCodec) Error() string { return f.name + " is not built in" }

// public makes the *Error of a source's error, found after seconds of good sound.
func public(err error, container string, seconds float64) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	verb := "is damaged"
	if f.broken {
		verb = "breaks off"
	}
	message := fmt.Sprintf("the %s recording %s after %.1f s: %s", container, verb, seconds, f.what)
	return &Error{Code: CodeDecode, Message: message, Cause: err}
}

// closing closes what failed with err.
func closing(err error, c io.Closer) error {
	if also := c.Close(); also != nil {
		return errors.Join(err, also)
	}
	return err
}

// cutShort is a recording of which a header promised want seconds.
func cutShort(container string, have, want float64) error {
	message := fmt.Sprintf("the %s recording breaks off after %.1f s: its header promises %.1f s", container, have, want)
	return &Error{Code: CodeDecode, Message: message, Cause: io.ErrUnexpectedEOF}
}
