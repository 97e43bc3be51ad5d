package audio

import (
	"errors"
	"fmt"
	"io"
)

// ErrorCode is the stable identifier of a fault of a recording.
type ErrorCode string

// The codes of DecodeError.
const (
	CodeDecode  ErrorCode = "audio_decode_error" // no audio, unknown format, damaged or truncated
	CodeEmpty   ErrorCode = "audio_empty"        // no samples
	CodeTooLong ErrorCode = "audio_too_long"     // longer than DecodeOptions.MaxDuration
)

// DecodeError is an error of the recording. Message is shown to clients: no paths, no library texts.
type DecodeError struct {
	Code    ErrorCode
	Message string
	Cause   error // for the log only; may be nil
}

// Error returns the public message.
func (e *DecodeError) Error() string { return e.Message }

// Unwrap returns the cause, for the log.
func (e *DecodeError) Unwrap() error { return e.Cause }

// accepted names the formats that every installation decodes.
const accepted = "accepted are WAV, FLAC, MP3, Ogg Vorbis, Ogg Opus and WebM Opus"

func errEmpty() error {
	return &DecodeError{Code: CodeEmpty, Message: "the recording is empty: it has no samples"}
}

func notAudio(format string, a ...any) *DecodeError {
	return &DecodeError{Code: CodeDecode, Message: fmt.Sprintf(format, a...) + "; " + accepted}
}

// sourceFault is a decoding error; SampleStream adds the container and the position in seconds.
type sourceFault struct {
	broken bool   // the recording is truncated rather than damaged
	what   string // after "the FLAC recording is damaged after 1.2 s: "
	cause  error
}

func (f *sourceFault) Error() string { return f.what }
func (f *sourceFault) Unwrap() error { return f.cause }

func newTruncatedFault(what string, cause error) error {
	return &sourceFault{broken: true, what: what, cause: unexpectedEnd(cause)}
}

func newDamagedFault(what string, cause error) error {
	return &sourceFault{what: what, cause: unexpectedEnd(cause)}
}

// unexpectedEnd prevents io.EOF in a cause from being taken for the end of the recording by errors.Is.
func unexpectedEnd(cause error) error {
	if errors.Is(cause, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return cause
}

// foreignCodec is a supported container with a codec that only ffmpeg may support.
type foreignCodec struct{ name string } // of both, for display

func (f *foreignCodec) Error() string { return f.name + " is not built in" }

// publicError converts a *sourceFault after seconds of decoded audio into a *DecodeError; other errors are unchanged.
func publicError(err error, container string, seconds float64) error {
	if e, ok := errors.AsType[*DecodeError](err); ok {
		return e
	}
	var f *sourceFault
	if !errors.As(err, &f) {
		return err
	}
	verb := "is damaged"
	if f.broken {
		verb = "is truncated"
	}
	message := fmt.Sprintf("the %s recording %s after %.1f s: %s", container, verb, seconds, f.what)
	return &DecodeError{Code: CodeDecode, Message: message, Cause: err}
}

// closeWith closes c after err and returns err.
func closeWith(err error, c io.Closer) error {
	if also := c.Close(); also != nil {
		return errors.Join(err, also)
	}
	return err
}

// cutShort returns the error of a truncated recording whose header states want seconds.
func cutShort(container string, have, want float64) error {
	message := fmt.Sprintf("the %s recording is truncated after %.1f s: its header states %.1f s", container, have, want)
	return &DecodeError{Code: CodeDecode, Message: message, Cause: io.ErrUnexpectedEOF}
}
