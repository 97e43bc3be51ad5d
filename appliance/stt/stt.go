// Package stt is the door of the speech-to-text service: transcriptions, jobs, models and the debug decoder over HTTP,
// in OpenAI's request shapes and with FastAPI's failures; over WebSocket for live sound.
//
// It translates and decides nothing about speech: bytes in, engine calls, bodies out. It knows package engine's types
// and the store's jobs; it must not know models, sessions of the console, or the call platform. Its inner rooms: form
// (multipart and 422s), edge (what every request passes), mode (restaurant mode), realtime (OpenAI's Realtime
// protocol).
//
// The way a request takes, and where it may end:
//
//	401 key → 403 scope → 429 rate → 503 draining → 415 body → 413 size → 422 form → 422 audio
//	| 413 duration → 429 queue full → 200
//
// Choices where the contract is silent, each as OpenAI or FastAPI would have it:
//
//   - usage.seconds is whole seconds, rounded up, as OpenAI bills them; verbose_json's duration is exact.
//   - temperature, 0..1, changes nothing: nothing is sampled.
//   - A log probability is a word's: the joined tokens of json, of a delta and of the done event are its text.
//   - A stream answers with events whatever response_format says. It begins with its first piece (or a heartbeat after
//     15 s); a failure before that is an ordinary status, one after it an event {"type":"error","error":{…}}.
//   - Accept: text/event-stream asks for a stream even when stream=false is in the form.
//   - seek is the segment's start in frames of 10 ms, as Whisper counts.
//   - channels=separate decodes the left channel, then the right one; its stream begins with the second. A mono recording
//     has a left channel only.
//   - The result of a job that has not ended, or has failed, is 409. Jobs are listed newest first.
//   - A job ends as "done" or "failed"; a failed one carries the detail that the request would have answered. Jobs
//     accept larger and longer files than requests. A job decides its mode when it is accepted.
package stt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/health"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/metrics"
	"munadi/appliance/stt/realtime"
	"munadi/appliance/stt/restaurantmode"
	"munadi/engine"
	"munadi/engine/audio"
)

// SpeechRecognizer is what hears; *engine.Engine is one.
type SpeechRecognizer interface {
	Transcribe(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	DebugDecode(ctx context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error)
}

// OpenedSound is an opened recording; *audio.Stream is one.
type OpenedSound interface {
	engine.SampleSource
	io.Closer
}

// DoorStore is what this door remembers; store.Store has it.
type DoorStore interface {
	restaurantmode.ModeStore
	JobStore
}

// UploadLimits bound what one upload may be.
type UploadLimits struct {
	Bytes    int64         // of a request's file
	Duration time.Duration // of its sound

	JobBytes    int64
	JobDuration time.Duration
	JobWorkers  int // jobs that run at once
	JobQueue    int // jobs that may wait, over all organizations
	JobShare    int // of them for one organization

	Realtime realtime.SessionLimits // zero: the usual ones
}

// forLimits are the limits where a request may be so large and so long; a job may be ten and six times that.
func (l UploadLimits) forLimits(bytes int64, duration time.Duration) UploadLimits {
	l.Bytes, l.Duration = bytes, duration
	l.JobBytes, l.JobDuration = 10*bytes, 6*duration
	return l
}

// DefaultLimits are the contract's: 100 MiB and 4 h a request; a job may be ten and six times that.
func DefaultLimits() UploadLimits {
	return UploadLimits{
		Bytes: 100 << 20, Duration: 4 * time.Hour,
		JobBytes: 1000 << 20, JobDuration: 24 * time.Hour, JobWorkers: 1, JobQueue: 256, JobShare: 128,
	}
}

// Dependencies is everything that the door needs; all fields must be set but those that say otherwise.
type Dependencies struct {
	Recognizer SpeechRecognizer
	// Hear begins a live sound.
	Hear func(o engine.StreamOptions) (realtime.LiveHearing, error)
	// Token knows short-lived stand-ins for a key, which open the realtime protocol only. nil: none.
	Token func(ctx context.Context, token string) (auth.Principal, bool)
	// AllowSocket says whether the origin of a request may open the realtime protocol with a key; nil: any.
	AllowSocket func(r *http.Request) bool
	// Witness is told of what a realtime session hears; nil, or returning nil: nobody.
	Witness func(who auth.Principal) realtime.SessionWitness
	// Open finds out what a recording is; longest bounds its decoded length. Errors are audio's.
	Open func(ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice) (OpenedSound, error)
	// CheckURL says why a callback may not go to an address, after "the URL"; nil when it may.
	CheckURL func(ctx context.Context, url string) error
	Auth     KeyAuthenticator
	// Limit counts a request of a key, and says how long to wait where the key has made too many; nil: no limit.
	Limit   func(keyID string) time.Duration
	Store   DoorStore
	Health  *health.HealthState
	Metrics *metrics.Metrics
	Log     *slog.Logger
	Now     func() time.Time
	Limits  UploadLimits
	// Largest are the size and the length of a request's file at most, as they count now; nil: those in Limits.
	Largest func() (bytes int64, duration time.Duration)
	Spool   string // folder for uploads while they are decoded
	Jobs    string // folder for uploads of jobs until they end
}

// TranscriptionService is the door. It is safe for concurrent use.
type TranscriptionService struct {
	Dependencies
	modes   *restaurantmode.ModeMachine
	wake    chan struct{} // a job was queued
	running runningJobs
	beat    time.Duration // between heartbeats of a silent stream
	live    *realtime.RealtimeService

	uncut context.Context // ends with CutOff
	cut   context.CancelFunc
}

// NewService returns a door and sweeps up what a crash left half-uploaded in the folder of jobs. Both folders are made.
func NewService(d Dependencies) (*TranscriptionService, error) {
	for _, dir := range []string{d.Spool, d.Jobs} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the upload folder: %w", err)
		}
	}
	left, err := filepath.Glob(filepath.Join(d.Jobs, "upload-*.part"))
	if err != nil {
		return nil, fmt.Errorf("look for left uploads: %w", err)
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("remove a left upload: %w", err)
		}
	}
	if d.Limit == nil {
		d.Limit = func(string) time.Duration { return 0 }
	}
	s := &TranscriptionService{
		Dependencies: d, modes: &restaurantmode.ModeMachine{Store: d.Store, Now: d.Now},
		wake: make(chan struct{}, 1), beat: heartbeat,
	}
	s.uncut, s.cut = context.WithCancel(context.Background())
	s.live = s.openLive()
	return s, nil
}

// CutOff ends the requests that are being answered: those that have begun to stream get an error event, the others
// 503. It is for a stop whose grace is nearly over, before their connections are closed.
func (s *TranscriptionService) CutOff() { s.cut() }

// decodingContext is the context of a request's work: it ends with the request, with stop, or with [TranscriptionService.CutOff], whose
// cause is errCutOff.
func (s *TranscriptionService) decodingContext(c echo.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(c.Request().Context())
	unhook := context.AfterFunc(s.uncut, func() { cancel(errCutOff) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}

// errCutOff is the cause of a decoding that a stop of the service ended.
var errCutOff = errors.New("the service stops before the request is answered")

// decodingError is what ended a decoding: the stop, if that did.
func decodingError(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errCutOff) {
		return newUnavailable("The service is shutting down")
	}
	return err
}

// LiveSessions counts the realtime sessions that are open.
func (s *TranscriptionService) LiveSessions() int { return s.live.CountSessions() }

// MountRoutes adds the service's routes to e.
func (s *TranscriptionService) MountRoutes(e *echo.Echo) {
	e.POST("/compat/v1/audio/transcriptions", s.createTranscription, s.admitWork, s.guardAccess)
	e.POST("/compat/v1/audio/jobs", s.createJob, s.admitWork)
	e.GET("/compat/v1/audio/jobs", s.listJobs, s.requireScope)
	e.GET("/compat/v1/audio/jobs/:id", s.getJob, s.requireScope)
	e.DELETE("/compat/v1/audio/jobs/:id", s.deleteJob, s.requireScope)
	e.GET("/compat/v1/audio/jobs/:id/result", s.getResult, s.requireScope)
	e.GET("/compat/v1/models", s.listModels, s.requireScope)
	e.GET("/compat/v1/models/:model", s.getModel, s.requireScope)
	e.POST("/debug/decode", s.debugDecode, s.admitWork, s.guardAccess)
	s.live.MountRoutes(e)
}

// currentLimits are the limits as they count now.
func (s *TranscriptionService) currentLimits() UploadLimits {
	if s.Largest == nil {
		return s.Limits
	}
	return s.Limits.forLimits(s.Largest())
}

func (s *TranscriptionService) formDecoder() multipartform.FormDecoder {
	return multipartform.FormDecoder{MaxFile: s.currentLimits().Bytes, Dir: s.Spool}
}

func (s *TranscriptionService) jobDecoder() multipartform.FormDecoder {
	return multipartform.FormDecoder{MaxFile: s.currentLimits().JobBytes, Dir: s.Jobs, Named: true}
}
