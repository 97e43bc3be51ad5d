package audio

import (
	"errors"
	"fmt"
	"io"
)

// ErrorCode is the stable name of what is wrong with a recording.
type ErrorCode string

// The codes of Error.
const (
	CodeDecode  ErrorCode = "audio_decode_error" // no audio, an unknown kind of it, damaged, or it breaks off
	CodeEmpty   ErrorCode = "audio_empty"        // it holds no sample
	CodeTooLong ErrorCode = "audio_too_long"     // longer than Options.MaxDuration
)

// DecodeError is the fault of the recording, not ours. Message is a public sentence: no path, no library's words.
type DecodeError struct {
	Code    ErrorCode
	Message string
	Cause   error // for the log only; may be nil
}

// Error returns the public message.
func (e *DecodeError) Error() string { return e.Message }

// Unwrap returns the cause, for the log.
func (e *DecodeError) Unwrap() error { return e.Cause }

// accepted names what every machine decodes.
const accepted = "accepted are WAV, FLAC, MP3, Ogg Vorbis, Ogg Opus and WebM Opus"

func errEmpty() error {
	return &DecodeError{Code: CodeEmpty, Message: "the recording holds no sound: it has not one sample"}
}

func notAudio(format string, a ...any) *DecodeError {
	return &DecodeError{Code: CodeDecode, Message: fmt.Sprintf(format, a...) + "; " + accepted}
}

// sourceFault is what a source found wrong with its bytes; Stream adds the container and the place in seconds.
type sourceFault struct {
	broken bool   // the bytes end too early, rather than being wrong
	what   string // after "the FLAC recording is damaged after 1.2 s: "
	cause  error
}

func (f *sourceFault) Error() string { return f.what }
func (f *sourceFault) Unwrap() error { return f.cause }

func breaksOff(what string, cause error) error {
	return &sourceFault{broken: true, what: what, cause: unexpectedEnd(cause)}
}

func newDamagedFault(what string, cause error) error {
	return &sourceFault{what: what, cause: unexpectedEnd(cause)}
}

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

// publicError makes the *Error of a source's error, found after seconds of good sound.
func publicError(err error, container string, seconds float64) error {
	var e *DecodeError
	if errors.As(err, &e) {
		return e
	}
	var f *sourceFault
	if !errors.As(err, &f) {
		return err
	}
	verb := "is damaged"
	if f.broken {
		verb = "breaks off"
	}
	message := fmt.Sprintf("the %s recording %s after %.1f s: %s", container, verb, seconds, f.what)
	return &DecodeError{Code: CodeDecode, Message: message, Cause: err}
}

// closeWith closes what failed with err.
func closeWith(err error, c io.Closer) error {
	if also := c.Close(); also != nil {
		return errors.Join(err, also)
	}
	return err
}

// cutShort returns a recording of which a header promised want seconds.
func cutShort(container string, have, want float64) error {
	message := fmt.Sprintf("the %s recording breaks off after %.1f s: its header promises %.1f s", container, have, want)
	return &DecodeError{Code: CodeDecode, Message: message, Cause: io.ErrUnexpectedEOF}
}
