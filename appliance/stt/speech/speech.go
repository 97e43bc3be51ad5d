// Package speech is text to speech over HTTP in OpenAI's shape: POST /v1/audio/speech and the list of voices.
//
//	request → text in pieces → voice ([VoiceSpeaker], 16 kHz) → speed (pitch kept) → 24 kHz → file format → response
//
// A response begins when the first sentence is spoken, and the rest is encoded and sent as it is; it is cut if a later
// sentence fails. Formats whose header has the length, and a voice that speaks few texts, are spoken whole before, so
// that a refusal is an ordinary error ([speechOrder.isStreamed]). Speech is bounded in length, time and number;
// organizations take turns, piece by piece.
// Errors are package multipartform's and middleware's; who mounts the routes decides how they are written.
//
// Choices that the contract leaves open:
//
//   - A text of several sentences is spoken in pieces, with a pause of 200 ms.
//   - The voices are the chain of calls ("default"), and each voice of it alone.
//   - instructions are accepted without effect; of stream_format there is audio.
package speech

import (
	"iter"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/quota"
	"munadi/appliance/tts"
	"munadi/engine/audio"
)

// Limits of speech.
const (
	maxInput    = 4096 // characters
	maxBody     = 256 << 10
	maxSpeech   = 10 * time.Minute // at speed 1: 19 MB in memory
	maxTime     = 2 * time.Minute  // of synthesis, waiting included
	atOnce      = 2                // pieces that are spoken at once; organizations that wait take turns
	waiting     = 32               // texts that are spoken, wait or are sent
	shareOfWait = 8                // of them of one organization
)

// VoiceSpeaker speaks texts with named voices; *tts.SwappableChain is one.
type VoiceSpeaker interface {
	tts.TextSpeaker
	ListVoices() []tts.NamedVoice // the default first
	EndpointModel() string        // empty without one
}

// Dependencies are the dependencies of the service; all fields are required.
type Dependencies struct {
	Speaker   func() VoiceSpeaker
	Encoding  func() audio.EncodeOptions
	Principal func(c echo.Context) auth.Principal // of the guarded request
	Log       *slog.Logger
}

// SpeechService answers requests for speech. It is safe for concurrent use.
type SpeechService struct {
	Dependencies
	queue *quota.Quota
	slots *quota.Semaphore
}

// NewService creates the service.
func NewService(d Dependencies) *SpeechService {
	return &SpeechService{
		Dependencies: d, queue: quota.NewQuota(waiting, shareOfWait), slots: quota.NewSemaphore(atOnce, atOnce),
	}
}

// MountRoutes adds the routes below root to e: guard admits requests with a key, guardWork those that start work.
func (s *SpeechService) MountRoutes(e *echo.Echo, root string, guard, guardWork echo.MiddlewareFunc) {
	e.POST(root+"/audio/speech", s.createSpeech, guardWork)
	e.GET(root+"/audio/voices", s.listVoices, guard)
}

type voiceBody struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Language string `json:"language"`
}

type voiceList struct {
	Object string      `json:"object"`
	Data   []voiceBody `json:"data"`
}

// listVoices handles GET /v1/audio/voices.
func (s *SpeechService) listVoices(c echo.Context) error {
	list := voiceList{Object: "list"}
	for _, v := range s.Speaker().ListVoices() {
		list.Data = append(list.Data, voiceBody{v.ID, v.Name, v.Language})
	}
	return c.JSON(http.StatusOK, list)
}

// createSpeech handles POST /v1/audio/speech.
func (s *SpeechService) createSpeech(c echo.Context) error {
	order, err := s.readOrder(c)
	if err != nil {
		return err
	}
	org := s.Principal(c).OrgID
	if err := s.queue.TakeUnits(org, 1); err != nil {
		return queueFull(err)
	}
	defer s.queue.ReleaseUnits(org, 1)
	next, stop := iter.Pull2(s.speakText(c.Request().Context(), org, order))
	defer stop()
	sound, err, more := next()
	for !order.isStreamed() && err == nil && more {
		var piece []int16
		piece, err, more = next()
		sound = append(sound, piece...)
	}
	if err != nil {
		return err
	}
	return s.sendSpeech(c, order, sound, next)
}
