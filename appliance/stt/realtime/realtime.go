// Package realtime is the WebSocket of the speech-to-text service: the transcription part of OpenAI's Realtime
// protocol, in both of its spellings.
//
// The spelling of the beta (transcription_session.*, conversation.item.created) is spoken with clients that send
// "OpenAI-Beta: realtime=v1" or the subprotocol "openai-beta.realtime-v1", the present one (session.*,
// conversation.item.added and .done) with all others; an update in the other spelling is understood and changes over
// to it. The package knows live sound as [LiveHearing] and recordings as [Transcribe]; it knows no model and no store.
//
//	reader: socket → events, bounded in bytes ─→ worker: sound → Hearing → events → socket
//
// One worker does a session's work in order, so that what a client sends before "commit" is in what is committed. A
// client that sends faster than it is heard is not read from; one that takes nothing for ten seconds is dropped. What
// all sessions hold in memory together is bounded too: see [SessionLimits].
//
// Choices where the protocol is silent:
//
//   - A delta is words that two texts of the open utterance in a row agreed on; they come while it is spoken, before
//     "committed". What was given out is never taken back; "completed" has the best text, which can differ in a word
//     from the joined deltas.
//   - speech_stopped and all that follows of a turn come together, when its text is known.
//   - Any model name is accepted, and told as svc-stt; the language is ar. A prompt and keywords are a phrase list.
//   - semantic_vad is the server's VAD with a silence by its eagerness: high 400 ms, medium and auto 800, low 1500.
//   - 16 kHz is asked for by {"type":"audio/pcm","rate":16000}, in the beta's spelling by that object as
//     input_audio_format or by input_audio_sample_rate beside "pcm16".
//   - Noise reduction is accepted and does nothing. A log probability is a word's.
//   - include "item.input_audio_transcription.partial" is ours: after each decoding an event of that name has the text
//     so far of the open utterance, to be replaced by the next.
package realtime

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/engine"
)

// LiveHearing is one live sound at 16 kHz; *engine.Stream is one.
type LiveHearing interface {
	Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error)
	Flush(ctx context.Context) ([]engine.StreamEvent, error)
	Tune(o engine.StreamOptions) error
	Discard()
}

// SessionWitness is told of all that a session hears, in order, from one goroutine.
type SessionWitness interface {
	AddSound(samples []float32) // 16 kHz
	AddEvent(e engine.StreamEvent)
	EndSession()
}

// SessionLimits bound sessions.
type SessionLimits struct {
	Sessions int           // at once
	Share    int           // of them for one organization
	Message  int64         // bytes of one event
	Waiting  int64         // bytes of one session's events that wait to be heard
	Bulk     int64         // events larger than that in memory at once, of all sessions; the next is read later
	Buffer   time.Duration // of sound that waits for its commit, without turn detection
	Buffers  time.Duration // the same of all sessions together

	BulkShare    int64         // of Bulk for one organization
	BuffersShare time.Duration // of Buffers for one organization

	Idle    time.Duration // without an event of the client
	Age     time.Duration // of a session; its client connects again
	Partial time.Duration // between two texts of an open utterance
	Ping    time.Duration // of silence after which a client is asked whether it is there
	Pong    time.Duration // for its answer
}

// DefaultLimits are those of the appliance: a message has room for the 15 MiB of sound that the protocol allows. A
// second of sound that waits for its commit takes 64 kB.
func DefaultLimits() SessionLimits {
	return SessionLimits{
		Sessions: 64, Share: 32, Message: 21 << 20, Waiting: 1 << 20, Bulk: 4,
		Buffer: 5 * time.Minute, Buffers: time.Hour, BulkShare: 2, BuffersShare: 30 * time.Minute, Idle: 15 * time.Minute, Age: 12 * time.Hour,
		Partial: 128 * time.Millisecond, Ping: 20 * time.Second, Pong: 20 * time.Second,
	}
}

// Dependencies is everything that the door needs.
type Dependencies struct {
	Hear       func(o engine.StreamOptions) (LiveHearing, error)
	Transcribe func(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	// Admit says who a request comes from, with an error that is its answer; it looks at key where that is not empty,
	// else at the Authorization header.
	Admit    func(c echo.Context, key string) (auth.Principal, error)
	Draining func() bool
	Witness  func(who auth.Principal) SessionWitness // nil, or returning nil: nobody
	Log      *slog.Logger
	Limits   SessionLimits
}

// RealtimeService is the door. It is safe for concurrent use.
type RealtimeService struct {
	Dependencies
	seats organizationQuota // sessions
	bulk  *bulkSlots        // large events
	held  organizationQuota // samples that wait for their commit
}

// NewService returns a door.
func NewService(d Dependencies) *RealtimeService {
	return &RealtimeService{
		Dependencies: d, bulk: newBulkSlots(d.Limits.Bulk, d.Limits.BulkShare),
		seats: newQuota(d.Limits.Sessions, d.Limits.Share),
		held:  newQuota(inSamples(d.Limits.Buffers.Seconds()), inSamples(d.Limits.BuffersShare.Seconds())),
	}
}

// Path is where the door is.
const Path = "/compat/v1/realtime"

// MountRoutes adds the route to e.
func (s *RealtimeService) MountRoutes(e *echo.Echo) { e.GET(Path, s.serveRequest) }

// CountSessions counts those that are open.
func (s *RealtimeService) CountSessions() int { return s.seats.countUnits() }

// serveRequest lets a client in, or says before the upgrade why not.
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
		return who, &middleware.HTTPProblem{Status: http.StatusBadRequest, Detail: "The only intent here is transcription"}
	}
	return who, nil
}

const principalKey = "munadi.realtime.principal"

// takeSession counts a session of an organization, or says why it may not have one more and what to do.
func (s *RealtimeService) takeSession(orgID string) error {
	var why string
	switch s.seats.takeUnits(orgID, 1) {
	case errShareTaken:
		why = fmt.Sprintf("Your organization has %d realtime sessions open, as many as it may; close one first", s.Limits.Share)
	case errAllTaken:
		why = "Too many realtime sessions are open; try again later"
	default:
		return nil
	}
	return &middleware.HTTPProblem{Status: http.StatusTooManyRequests, Detail: why, RetryAfter: 10 * time.Second}
}

// upgradeConnection turns the request into a session and serves it to its end.
func (s *RealtimeService) upgradeConnection(c echo.Context, offered subprotocolOffer) error {
	who, _ := c.Get(principalKey).(auth.Principal)
	if err := s.takeSession(who.OrgID); err != nil {
		return err
	}
	defer s.seats.releaseUnits(who.OrgID, 1)
	r := c.Request()
	if r.Header.Get("Upgrade") == "" {
		c.Response().Header().Set("Upgrade", "websocket")
		return &middleware.HTTPProblem{Status: http.StatusUpgradeRequired, Detail: "This endpoint speaks WebSocket"}
	}
	conn, err := websocket.Accept(c.Response(), r, &websocket.AcceptOptions{
		Subprotocols: offered.acceptedSubprotocols(), CompressionMode: websocket.CompressionDisabled,
		InsecureSkipVerify: true, // Admit has looked at the Origin
	})
	if err != nil {
		middleware.AddLogAttribute(c, "upgrade", err)
		return nil // it has answered
	}
	conn.SetReadLimit(s.Limits.Message)
	session := s.newSession(conn, who, offered.beta || r.Header.Get("OpenAI-Beta") == "realtime=v1")
	client := engine.ClientID{Organization: who.OrgID, Key: who.KeyID}
	end := session.serveSession(engine.WithClient(context.WithoutCancel(r.Context()), client))
	middleware.AddLogAttribute(c, "session", session.id)
	middleware.AddLogAttribute(c, "items", session.items)
	middleware.AddLogAttribute(c, "ended", end)
	return nil
}
