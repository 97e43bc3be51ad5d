// Package realtime is the WebSocket endpoint of the speech-to-text service: the transcription part of OpenAI's Realtime
// protocol, in both of its versions (beta and current event names).
//
// Clients that send "OpenAI-Beta: realtime=v1" or the subprotocol "openai-beta.realtime-v1" get the event names of the
// beta (transcription_session.*, conversation.item.created), all others the current ones (session.*,
// conversation.item.added and .done); an update in the other version is accepted and switches to it. The package uses
// [RecognitionStream] for live audio and Transcribe for committed audio; it imports neither models nor the store.
//
//	reader: socket → events, bounded in bytes ─→ worker: audio → RecognitionStream → events → socket
//
// One worker processes a session's events in order, so that audio sent before "commit" is part of the commit. The
// socket of a client that sends faster than its audio is processed is not read (backpressure); a client that reads
// nothing for ten seconds is disconnected. The memory of all sessions together is bounded too: see [SessionLimits].
//
// Choices that the protocol leaves open:
//
//   - A delta is words on which two successive texts of the open utterance agreed; deltas are sent during the
//     utterance, before "committed". They are never retracted; "completed" has the best text, which can differ in a
//     word from the joined deltas.
//   - speech_stopped and all later events of a turn are sent together, when its text is ready.
//   - Any model name is accepted, and returned as svc-stt; the language is ar. A prompt and keywords are a phrase list.
//   - semantic_vad is the server's VAD with a silence by its eagerness: high 400 ms, medium and auto 800, low 1500.
//   - 16 kHz is requested by {"type":"audio/pcm","rate":16000}, in the beta version by that object as
//     input_audio_format or by input_audio_sample_rate in addition to "pcm16".
//   - Noise reduction is accepted and ignored. A log probability is a word's.
//   - include "item.input_audio_transcription.partial" is an extension: after each decoding an event of that name has
//     the current text of the open utterance, which the next one replaces.
package realtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/quota"
	"munadi/engine"
)

// RecognitionStream is streaming recognition of one audio source at 16 kHz; *engine.LiveStream implements it.
type RecognitionStream interface {
	Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error)
	Flush(ctx context.Context) ([]engine.StreamEvent, error)
	Tune(o engine.StreamOptions) error
	Discard()
}

// SessionObserver receives all audio and events of a session, in order, from one goroutine (observer).
type SessionObserver interface {
	AddSound(samples []float32) // 16 kHz
	AddEvent(e engine.StreamEvent)
	EndSession()
}

// SessionLimits are the resource limits of sessions.
type SessionLimits struct {
	Sessions int           // concurrent sessions, if the machine recognizes as many in real time
	Share    int           // of these, per organization: so many, or half of them if that is more
	Message  int64         // maximum bytes of one event
	Waiting  int64         // maximum bytes of one session's queued events
	Bulk     int           // concurrent larger events that have come, of all sessions; the next waits
	Buffer   time.Duration // maximum uncommitted audio of a session, without turn detection
	Buffers  time.Duration // the same for all sessions together

	BulkShare    int           // of Bulk for one organization
	BuffersShare time.Duration // of Buffers for one organization

	Idle    time.Duration // idle timeout without client events
	Age     time.Duration // maximum age; the client reconnects
	Partial time.Duration // interval of partial results
	Ping    time.Duration // silence after which the client is pinged
	Pong    time.Duration // ping timeout
}

// DefaultLimits returns the appliance's limits: a message may hold the 15 MiB of audio that the protocol allows. A
// second of uncommitted audio takes 64 kB.
func DefaultLimits() SessionLimits {
	return SessionLimits{
		Sessions:     1024,
		Share:        32,
		Message:      21 << 20,
		Waiting:      1 << 20,
		Bulk:         4,
		Buffer:       5 * time.Minute,
		Buffers:      time.Hour,
		BulkShare:    2,
		BuffersShare: 30 * time.Minute,
		Idle:         15 * time.Minute,
		Age:          12 * time.Hour,
		Partial:      128 * time.Millisecond,
		Ping:         20 * time.Second,
		Pong:         20 * time.Second,
	}
}

// Dependencies are the dependencies of the service.
type Dependencies struct {
	OpenStream func(o engine.StreamOptions) (RecognitionStream, error)
	Transcribe func(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	// Admit authenticates a request, by key if it is not empty, else by the Authorization header. Its error is the
	// response.
	Admit    func(c echo.Context, key string) (auth.Principal, error)
	Draining func() bool
	// Room returns how many sessions the machine can recognize in real time; 0, or nil: unknown.
	Room     func() int
	Observer func(who auth.Principal) SessionObserver // nil, or returning nil: no observer
	// Country returns an organization's country for the written form; nil, or empty: unknown.
	Country func(ctx context.Context, orgID string) (string, error)
	// Languages returns the languages that refusals of sessions of /v1/realtime list; nil: Arabic. HasLanguage reports
	// whether they may name one, or a locale; nil: those of Languages alone. Sessions of /compat are Arabic.
	Languages   func() []string
	HasLanguage func(language string) bool
	Spool       string // folder for large events that arrive; empty: the system's temporary one
	Log         *slog.Logger
	Limits      SessionLimits
}

// RealtimeService is the WebSocket endpoint. It is safe for concurrent use.
type RealtimeService struct {
	Dependencies
	seats *quota.Quota     // sessions
	bulk  *quota.Semaphore // large events in memory
	held  *quota.Quota     // uncommitted samples of all sessions
}

// NewService creates the service.
func NewService(d Dependencies) *RealtimeService {
	return &RealtimeService{
		Dependencies: d, bulk: quota.NewSemaphore(d.Limits.Bulk, d.Limits.BulkShare),
		seats: quota.NewQuota(d.Limits.Sessions, d.Limits.Share),
		held:  quota.NewQuota(inSamples(d.Limits.Buffers.Seconds()), inSamples(d.Limits.BuffersShare.Seconds())),
	}
}

// Paths are the URL paths of the endpoint.
var Paths = []string{"/compat/v1/realtime", openAIPath}

const openAIPath = "/v1/realtime"

// MountRoutes adds the routes to e.
func (s *RealtimeService) MountRoutes(e *echo.Echo) {
	for _, path := range Paths {
		e.GET(path, s.serveRequest)
	}
}

// CountSessions returns the number of open sessions.
func (s *RealtimeService) CountSessions() int { return s.seats.CountUnits() }

// serveRequest authenticates a client and checks limits before the upgrade.
func (s *RealtimeService) serveRequest(c echo.Context) error {
	offered := parseSubprotocols(c.Request().Header)
	if _, err := s.admitClient(c, offered); err != nil {
		return err
	}
	return s.upgradeConnection(c, offered)
}

func (s *RealtimeService) admitClient(c echo.Context, offered subprotocolOffer) (auth.Principal, error) {
	who, err := s.Admit(c, offered.key)
	if err != nil {
		return who, err
	}
	c.Set(principalKey, who)
	if intent := c.QueryParam("intent"); intent != "" && intent != "transcription" {
		return who, &middleware.HTTPProblem{
			Status: http.StatusBadRequest, Detail: "The only supported intent is transcription",
		}
	}
	return who, nil
}

const principalKey = "munadi.realtime.principal"

// takeSession counts a session of an organization, or returns which limit is reached and the remedy.
func (s *RealtimeService) takeSession(orgID string) error {
	var why string
	most := s.Limits.Sessions
	if room := s.machineRoom(); room > 0 && s.seats.CountUnits() >= room {
		return &middleware.HTTPProblem{
			Status: http.StatusTooManyRequests, RetryAfter: 10 * time.Second,
			Detail: fmt.Sprintf(
				"This machine can recognize %d realtime sessions in addition to its calls, and all are in use; "+
					"try again later, or use a faster model or machine", room),
		}
	} else if room > 0 {
		most = min(most, room)
	}
	share := min(most, max(s.Limits.Share, most/2))
	switch err := s.seats.TakeUnitsWithin(orgID, 1, most, share); {
	case errors.Is(err, quota.ErrShareTaken):
		why = fmt.Sprintf(
			"Your organization has reached its limit of %d open realtime sessions; close one first", share,
		)
	case errors.Is(err, quota.ErrAllTaken):
		why = "Too many realtime sessions are open; try again later"
	default:
		return nil
	}
	return &middleware.HTTPProblem{Status: http.StatusTooManyRequests, Detail: why, RetryAfter: 10 * time.Second}
}

// machineRoom returns how many sessions the machine can recognize in real time; 0: unknown.
func (s *RealtimeService) machineRoom() int {
	if s.Room == nil {
		return 0
	}
	return s.Room()
}

// upgradeConnection upgrades to WebSocket and serves the session to its end.
func (s *RealtimeService) upgradeConnection(c echo.Context, offered subprotocolOffer) error {
	who, _ := c.Get(principalKey).(auth.Principal)
	if err := s.takeSession(who.OrgID); err != nil {
		return err
	}
	defer s.seats.ReleaseUnits(who.OrgID, 1)
	r := c.Request()
	if r.Header.Get("Upgrade") == "" {
		c.Response().Header().Set("Upgrade", "websocket")
		return &middleware.HTTPProblem{
			Status: http.StatusUpgradeRequired, Detail: "This endpoint requires a WebSocket upgrade",
		}
	}
	conn, err := websocket.Accept(c.Response(), r, &websocket.AcceptOptions{
		Subprotocols: offered.acceptedSubprotocols(), CompressionMode: websocket.CompressionDisabled,
		InsecureSkipVerify: true, // Admit has checked the Origin
	})
	if err != nil {
		middleware.AddLogAttribute(c, "upgrade", err)
		return nil // the response was written
	}
	conn.SetReadLimit(s.Limits.Message)
	session := s.newSession(conn, who, offered.beta || r.Header.Get("OpenAI-Beta") == "realtime=v1")
	if c.Path() == openAIPath && s.Languages != nil {
		session.languages, session.hasLanguage = s.Languages(), s.HasLanguage
	}
	client := engine.ClientID{Organization: who.OrgID, Key: who.KeyID}
	end := session.serveSession(engine.WithClient(context.WithoutCancel(r.Context()), client))
	middleware.AddLogAttribute(c, "session", session.id)
	middleware.AddLogAttribute(c, "items", session.items)
	middleware.AddLogAttribute(c, "ended", end)
	return nil
}
