package kit

import (
	"bytes"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/tts"
	"munadi/engine/audio"
)

// LineRate is the sample rate of telephone audio, in Hz.
const LineRate = 8000

// LinePause is the silence after each of several lines, in samples: 200 ms, as in calls.
const LinePause = LineRate / 5

// SendSpeech sends texts as WAV, as callees hear them one after another.
func (s *Console) SendSpeech(c echo.Context, voice string, texts ...string) error {
	var samples []float32
	for i, text := range texts {
		sound, err := s.Speaker.Speak(c.Request().Context(), tts.SpeechRequest{
			OrgID: RequestVisitor(c).Org.ID, Text: text, Voice: voice,
		})
		if errors.Is(err, tts.ErrNoVoice) {
			return NewNotFoundError("no installed voice can speak this line")
		}
		if err != nil {
			return err
		}
		if i > 0 {
			samples = append(samples, make([]float32, LinePause)...)
		}
		samples = append(samples, audio.ToFloats(sound.PCM)...)
	}
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, samples, LineRate); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "audio/wav")
	h.Set("Cache-Control", "no-store") // the line may be recorded again at any time
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(wav.Bytes()))
	return nil
}
