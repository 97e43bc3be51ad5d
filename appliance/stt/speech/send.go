package speech

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/tts"
	"munadi/engine/audio"
)

// sendBlock is how many samples are encoded at a time.
const sendBlock = 4096

// sendSpeech encodes the samples at the order's speed, and sends them meanwhile; then those of the pieces that next
// speaks.
func (s *SpeechService) sendSpeech(
	c echo.Context, o speechOrder, wide []int16, next func() ([]int16, error, bool),
) error {
	total := len(wide)
	if o.speed != 1 {
		total = audio.StretchedLength(total, o.speed)
	}
	total = (total*audio.EncodedRate + tts.WideRate - 1) / tts.WideRate // as [audio.StreamResampler] rounds
	w := c.Response()
	h := w.Header()
	h.Set(echo.HeaderContentType, o.format.MediaType())
	h.Set(echo.HeaderCacheControl, "no-store")
	if o.format == audio.FormatWAV {
		h.Set(echo.HeaderContentLength, strconv.Itoa(audio.WAVHeaderSize+2*total))
	}
	w.WriteHeader(http.StatusOK)
	encoder, err := audio.NewSpeechEncoder(c.Request().Context(), flushWriter{w}, o.format, total, s.Encoding())
	if err == nil {
		err = errors.Join(encodeSpeech(encoder, o.speed, wide, next), encoder.Close())
	}
	if err != nil {
		if c.Request().Context().Err() == nil {
			s.Log.Warn("speech that was being sent has failed", "err", err)
		}
		// The response has begun: only an aborted connection shows that it is not whole.
		panic(http.ErrAbortHandler) //nolint:forbidigo // the standard way to cut a connection
	}
	return nil
}

// flushWriter sends at once what is written. Each write has the middleware's deadline, and the time until the next one,
// in which a sentence is spoken, has none: HTTP/2 would reset the stream.
type flushWriter struct{ response *echo.Response }

func (w flushWriter) Write(p []byte) (int, error) {
	n, err := w.response.Write(p)
	if err != nil {
		return n, err
	}
	control := http.NewResponseController(w.response)
	if err := control.Flush(); err != nil {
		return n, err
	}
	_ = control.SetWriteDeadline(time.Time{}) // a writer without deadlines (a test's) never blocks
	return n, nil
}

// encodeSpeech changes speed and rate of the samples block by block; those of each piece when it is spoken.
func encodeSpeech(
	encoder audio.SpeechEncoder, speed float64, wide []int16, next func() ([]int16, error, bool),
) error {
	resampler := audio.NewResampler(tts.WideRate, audio.EncodedRate)
	var floats []float32
	var pcm []int16
	encode := func(block []float32) error {
		floats = resampler.Push(floats[:0], block)
		pcm = audio.AppendInt16(pcm[:0], floats)
		return encoder.EncodeSamples(pcm)
	}
	for more := true; more; {
		if err := changeSpeed(wide, speed, encode); err != nil {
			return err
		}
		var err error
		if wide, err, more = next(); err != nil {
			return err
		}
	}
	return encoder.EncodeSamples(audio.AppendInt16(pcm[:0], resampler.Flush(floats[:0])))
}

// changeSpeed calls emit with the samples at a speed, in blocks.
func changeSpeed(wide []int16, speed float64, emit func([]float32) error) error {
	if speed != 1 {
		return audio.StretchSpeech(wide, tts.WideRate, speed, emit)
	}
	for block := range slices.Chunk(wide, sendBlock) {
		if err := emit(audio.ToFloats(block)); err != nil {
			return err
		}
	}
	return nil
}
