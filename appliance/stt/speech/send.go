package speech

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/tts"
	"munadi/engine/audio"
)

// sendBlock is how many samples are encoded at a time.
const sendBlock = 4096

// sendSpeech encodes the samples at the order's speed, and sends them meanwhile.
func (s *SpeechService) sendSpeech(c echo.Context, o speechOrder, wide []int16) error {
	spoken := len(wide)
	if o.speed != 1 {
		spoken = audio.StretchedLength(spoken, o.speed)
	}
	total := (spoken*audio.EncodedRate + tts.WideRate - 1) / tts.WideRate // as [audio.StreamResampler] rounds
	w := c.Response()
	h := w.Header()
	h.Set(echo.HeaderContentType, o.format.MediaType())
	h.Set(echo.HeaderCacheControl, "no-store")
	switch o.format {
	case audio.FormatWAV:
		h.Set(echo.HeaderContentLength, strconv.Itoa(audio.WAVHeaderSize+2*total))
	case audio.FormatPCM:
		h.Set(echo.HeaderContentLength, strconv.Itoa(2*total))
	}
	w.WriteHeader(http.StatusOK)
	encoder, err := audio.NewSpeechEncoder(c.Request().Context(), w, o.format, total, s.Encoding())
	if err == nil {
		err = errors.Join(encodeSpeech(encoder, o.speed, wide), encoder.Close())
	}
	if err != nil {
		// The response has begun: only an aborted connection shows that it is not whole.
		panic(http.ErrAbortHandler) //nolint:forbidigo // the standard way to cut a connection
	}
	return nil
}

// encodeSpeech changes speed and rate of the samples block by block.
func encodeSpeech(encoder audio.SpeechEncoder, speed float64, wide []int16) error {
	resampler := audio.NewResampler(tts.WideRate, audio.EncodedRate)
	var floats []float32
	var pcm []int16
	encode := func(block []float32) error {
		floats = resampler.Push(floats[:0], block)
		pcm = audio.AppendInt16(pcm[:0], floats)
		return encoder.EncodeSamples(pcm)
	}
	if speed != 1 {
		if err := audio.StretchSpeech(wide, tts.WideRate, speed, encode); err != nil {
			return err
		}
	} else {
		for at := 0; at < len(wide); at += sendBlock {
			if err := encode(audio.ToFloats(wide[at:min(at+sendBlock, len(wide))])); err != nil {
				return err
			}
		}
	}
	return encoder.EncodeSamples(audio.AppendInt16(pcm[:0], resampler.Flush(floats[:0])))
}
