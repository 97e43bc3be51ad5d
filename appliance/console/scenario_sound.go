package console

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/tts"
	"munadi/engine/audio"
	"munadi/store/scenario"
)

// lineRate is the sample rate of telephone audio, in Hz.
const lineRate = 8000

// serveScenarioLine serves the audio of a fixed line of a scenario as callees hear it; the query names the line by its
// number among all lines.
func (s *ConsoleService) serveScenarioLine(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	found = found.Latest()
	lines := found.SpokenLines()
	n, err := strconv.Atoi(c.QueryParam("line"))
	if err != nil || n < 0 || n >= len(lines) || !scenario.IsFixed(lines[n].Text) {
		return kit.NewNotFoundError("no such line")
	}
	return s.sendSpeech(c, found.Voice, lines[n].Text)
}

// serveDraftLine serves the audio of a line of a draft.
func (s *ConsoleService) serveDraftLine(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(c.QueryParam("text"))
	if text == "" || utf8.RuneCountInString(text) > scenario.MaxText || !scenario.IsFixed(text) {
		return kit.NewNotFoundError("no such line")
	}
	return s.sendSpeech(c, found.Latest().Voice, text)
}

// linePause is the silence after each of several lines, in samples: 200 ms, as in calls.
const linePause = lineRate / 5

// sendSpeech sends texts as WAV, as callees hear them one after another.
func (s *ConsoleService) sendSpeech(c echo.Context, voice string, texts ...string) error {
	var samples []float32
	for i, text := range texts {
		sound, err := s.Speaker.Speak(c.Request().Context(), tts.SpeechRequest{
			OrgID: kit.RequestVisitor(c).Org.ID, Text: text, Voice: voice,
		})
		if errors.Is(err, tts.ErrNoVoice) {
			return kit.NewNotFoundError("no installed voice can speak this line")
		}
		if err != nil {
			return err
		}
		if i > 0 {
			samples = append(samples, make([]float32, linePause)...)
		}
		for _, v := range sound.PCM {
			samples = append(samples, float32(v)/(1<<15))
		}
	}
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, samples, lineRate); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "audio/wav")
	h.Set("Cache-Control", "no-store") // the line may be recorded again at any time
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(wav.Bytes()))
	return nil
}
