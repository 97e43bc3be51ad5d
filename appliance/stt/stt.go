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
//	401 key → 403 scope → 429 rate → 503 draining → 413 size → 422 form → 422 audio | 413 duration | 429 queue full → 200
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
	"munadi/appliance/metrics"
	"munadi/appliance/stt/form"
	"munadi/appliance/stt/mode"
	"munadi/appliance/stt/realtime"
	"munadi/engine"
	"munadi/engine/audio"
)

// Recognizer is what hears; *engine.Engine is one.
type Recognizer interface {
	Transcribe(ctx context.Context, src engine.Source, o engine.Options) (*engine.Result, error)
	Debug(ctx context.Context, src engine.Source, p engine.DebugParams) (*engine.DebugResult, error)
}

// Sound is an opened recording; *audio.Stream is one.
type Sound interface {
	engine.Source
	io.Closer
}

// Store is what this door remembers; store.Store has it.
type Store interface {
	mode.Store
	Jobs
}

// Limits bound what one upload may be.
type Limits struct {
	Bytes    int64         // of a request's file
	Duration time.Duration // of its sound

	JobBytes    int64
	JobDuration time.Duration
	JobWorkers  int // jobs that run at once
	JobQueue    int // jobs that may wait, over all organizations

	Realtime realtime.Limits // zero: the usual ones
}

// of are the limits where a request may be so large and so long; a job may be ten and six times that.
func (l Limits) of(bytes int64, duration time.Duration) Limits {
	l.Bytes, l.Duration = bytes, duration
	l.JobBytes, l.JobDuration = 10*bytes, 6*duration
	return l
}

// DefaultLimits are the contract's: 100 MiB and 4 h a request; a job may be ten and six times that.
func DefaultLimits() Limits {
	return Limits{
		Bytes: 100 << 20, Duration: 4 * time.Hour,
		JobBytes: 1000 << 20, JobDuration: 24 * time.Hour, JobWorkers: 1, JobQueue: 256,
	}
}

// Deps is everything that the door needs; all fields must be set but those that say otherwise.
type Deps struct {
	Recognizer Recognizer
	// Hear begins a live sound.
	Hear func(o engine.StreamOptions) (realtime.Hearing, error)
	// Token knows short-lived stand-ins for a key, which open the realtime protocol only. nil: none.
	Token func(ctx context.Context, token string) (auth.Principal, bool)
	// AllowSocket says whether the origin of a request may open the realtime protocol with a key; nil: any.
	AllowSocket func(r *http.Request) bool
	// Witness is told of what a realtime session hears; nil, or returning nil: nobody.
	Witness func(who auth.Principal) realtime.Witness
	// Open finds out what a recording is; longest bounds its decoded length. Errors are audio's.
	Open func(ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.Channel) (Sound, error)
	// CheckURL says why a callback may not go to an address, after "the URL"; nil when it may.
	CheckURL func(ctx context.Context, url string) error
	Auth     Authenticator
	// Limit counts a request of a key, and says how long to wait where the key has made too many; nil: no limit.
	Limit   func(keyID string) time.Duration
	Store   Store
	Health  *health.State
	Metrics *metrics.Metrics
	Log     *slog.Logger
	Now     func() time.Time
	Limits  Limits
	// Largest are the size and the length of a request's file at most, as they count now; nil: those in Limits.
	Largest func() (bytes int64, duration time.Duration)
	Spool   string // folder for uploads while they are decoded
	Jobs    string // folder for uploads of jobs until they end
}

// Service is the door. It is safe for concurrent use.
type Service struct {
	Deps
	modes   *mode.Machine
	wake    chan struct{} // a job was queued
	running runningJobs
	beat    time.Duration // between heartbeats of a silent stream
	live    *realtime.Service

	uncut context.Context // ends with CutOff
	cut   context.CancelFunc
}

// New returns a door and sweeps up what a crash left half-uploaded in the folder of jobs. Both folders are made.
func New(d Deps) (*Service, error) {
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
	s := &Service{
		Deps: d, modes: &mode.Machine{Store: d.Store, Now: d.Now},
		wake: make(chan struct{}, 1), beat: heartbeat,
	}
	s.uncut, s.cut = context.WithCancel(context.Background())
	s.live = s.openLive()
	return s, nil
}

// CutOff ends the requests that are being answered: those that have begun to stream get an error event, the others
// 503. It is for a stop whose grace is nearly over, before their connections are closed.
func (s *Service) CutOff() { s.cut() }

// decoding is the context of a request's work: it ends with the request, with stop, or with [Service.CutOff], whose
// cause is errCutOff.
func (s *Service) decoding(c echo.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(c.Request().Context())
	unhook := context.AfterFunc(s.uncut, func() { cancel(errCutOff) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}

// errCutOff is the cause of a decoding that a stop of the service ended.
var errCutOff = errors.New("the service stops before the request is answered")

// failure is what ended a decoding: the stop, if that did.
func failure(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errCutOff) {
		return unavailable("The service is shutting down")
	}
	return err
}

// LiveSessions counts the realtime sessions that are open.
func (s *Service) LiveSessions() int { return s.live.Sessions() }

// Mount adds the service's routes to e.
func (s *Service) Mount(e *echo.Echo) {
	e.POST("/compat/v1/audio/transcriptions", s.transcriptions, s.admit, s.guard)
	e.POST("/compat/v1/audio/jobs", s.createJob, s.admit)
	e.GET("/compat/v1/audio/jobs", s.listJobs, s.authorize)
	e.GET("/compat/v1/audio/jobs/:id", s.getJob, s.authorize)
	e.DELETE("/compat/v1/audio/jobs/:id", s.deleteJob, s.authorize)
	e.GET("/compat/v1/audio/jobs/:id/result", s.getResult, s.authorize)
	e.GET("/compat/v1/models", s.models, s.authorize)
	e.GET("/compat/v1/models/:model", s.model, s.authorize)
	e.POST("/debug/decode", s.debug, s.admit, s.guard)
	s.live.Mount(e)
}

// bounds are the limits as they count now.
func (s *Service) bounds() Limits {
	if s.Largest == nil {
		return s.Limits
	}
	return s.Limits.of(s.Largest())
}

func (s *Service) decoder() form.Decoder {
	return form.Decoder{MaxFile: s.bounds().Bytes, Dir: s.Spool}
}

func (s *Service) jobDecoder() form.Decoder {
	return form.Decoder{MaxFile: s.bounds().JobBytes, Dir: s.Jobs, Named: true}
}
