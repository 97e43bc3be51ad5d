// Package stt is the HTTP service for speech: transcriptions, jobs, models and the debug decoder over HTTP, live audio
// over WebSocket, and text to speech. It has two faces, which share everything that [apiFace] does not name:
// /compat/v1, in OpenAI's request shapes and with FastAPI's errors, and /v1, OpenAI's audio API with OpenAI's errors.
//
// It only translates between HTTP and the engine: it binds requests, calls the engine and renders bodies. It uses the
// packages multipartform (form binding and 422s), middleware, restaurantmode, realtime (OpenAI's Realtime protocol) and
// speech (text to speech).
//
// Order of checks and their status codes:
//
//	401 key → 403 scope → 429 rate → 503 draining → 415 body → 413 size → 422 form → 422 audio
//	| 413 duration → 429 queue full → 200
//
// Below /v1 the 422s are 400, and a model that is not there is 404.
//
// Choices that the contract leaves open, each like OpenAI or FastAPI:
//
//   - usage.seconds is whole seconds, rounded up, as OpenAI bills them; verbose_json's duration is exact.
//   - temperature, 0..1, has no effect: decoding does not sample.
//   - A log-probability is a word's: the joined tokens of json, of a delta and of the done event are its text.
//   - A stream consists of events whatever response_format is. It begins with its first piece (or a heartbeat after
//     15 s); a failure before that is an ordinary status, one after it an event {"type":"error","error":{…}}.
//   - Accept: text/event-stream requests a stream even if stream=false is in the form.
//   - Below /v1 every model is the one in use, which the header openai-model names; a model must be given. The speakers
//     of diarized_json are the channels, which are decoded separately.
//   - seek is the segment's start in frames of 10 ms, as in Whisper.
//   - channels=separate decodes the left channel, then the right one; its stream begins with the second. A mono
//     recording has a left channel only.
//   - The result of a job that has not ended, or has failed, is 409. Jobs are listed newest first.
//   - A job ends as "done" or "failed"; a failed one has the detail of the equivalent request's error. Jobs
//     accept larger and longer files than requests. A job's mode is decided when it is accepted.
package stt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/quota"
	"munadi/appliance/recognizer"
	"munadi/appliance/stt/realtime"
	"munadi/appliance/stt/restaurantmode"
	"munadi/appliance/stt/speech"
	"munadi/engine"
	"munadi/engine/audio"
)

// SpeechRecognizer is the recognizer; *engine.Engine implements it.
type SpeechRecognizer interface {
	Transcribe(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	DebugDecode(ctx context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error)
}

// ServiceStore is the part of the store that the service uses.
type ServiceStore interface {
	restaurantmode.ModeStore
	JobStore
}

// UploadLimits are the limits of an upload.
type UploadLimits struct {
	Bytes    int64         // file size of a request
	Duration time.Duration // audio duration of a request

	JobBytes    int64
	JobDuration time.Duration
	JobWorkers  int // concurrently running jobs
	JobQueue    int // queued jobs over all organizations
	JobShare    int // of them for one organization

	Realtime realtime.SessionLimits // zero: defaults
}

// forLimits returns the limits with a request's maximum size and duration; a job's are ten and six times that.
func (l UploadLimits) forLimits(bytes int64, duration time.Duration) UploadLimits {
	l.Bytes, l.Duration = bytes, duration
	l.JobBytes, l.JobDuration = 10*bytes, 6*duration
	return l
}

// DefaultLimits returns the contract's: 100 MiB and 4 h per request; a job's are ten and six times that.
func DefaultLimits() UploadLimits {
	return UploadLimits{
		Bytes: 100 << 20, Duration: 4 * time.Hour,
		JobBytes: 1000 << 20, JobDuration: 24 * time.Hour, JobWorkers: 1, JobQueue: 256, JobShare: 128,
	}
}

// Dependencies are the dependencies of the service; all fields are required unless noted.
type Dependencies struct {
	Recognizer SpeechRecognizer
	// OpenStream starts streaming recognition.
	OpenStream func(o engine.StreamOptions) (realtime.RecognitionStream, error)
	// LiveRoom returns how many realtime sessions the machine can recognize in real time; 0, or nil: unknown.
	LiveRoom func() int
	// Token verifies short-lived tokens for the realtime protocol. nil: none.
	Token func(ctx context.Context, token string) (auth.Principal, bool)
	// AllowSocket reports whether a request's origin may open the realtime protocol with a key; nil: any.
	AllowSocket func(r *http.Request) bool
	// Observer returns the observer of a realtime session; nil, or returning nil: no observer.
	Observer func(who auth.Principal) realtime.SessionObserver
	Open     recognizer.SoundOpener
	// CheckURL returns why a callback URL is refused (SSRF guard), to follow "the URL"; nil when it is allowed.
	CheckURL func(ctx context.Context, url string) error
	Auth     KeyAuthenticator
	// Limit is the rate limiter: it counts a request of a key, and returns how long to wait if the limit is exceeded;
	// nil: no limit.
	Limit func(keyID string) time.Duration
	// Country returns an organization's country (ISO 3166-1 alpha-2), for local telephone numbers and currencies; nil,
	// or empty: unknown.
	Country func(ctx context.Context, orgID string) (string, error)
	// Models returns the name of the model in use and those of the installed models, which requests below [OpenAIRoot]
	// may give; nil: unknown.
	Models func() (serving string, installed []string)
	// Languages returns the languages that refusals list; nil, or none: Arabic. HasLanguage reports whether requests below
	// [OpenAIRoot] may name one, or a locale; nil: those of Languages alone.
	Languages   func() []string
	HasLanguage func(language string) bool
	// Speaker returns the voices that speak texts, Encoding how the sound is encoded.
	Speaker  func() speech.VoiceSpeaker
	Encoding func() audio.EncodeOptions
	Store    ServiceStore
	Health   *health.HealthState
	Metrics  *metrics.Metrics
	Log      *slog.Logger
	Now      func() time.Time
	Limits   UploadLimits
	// Largest returns the current maximum size and duration of a request's file; nil: those in Limits.
	Largest func() (bytes int64, duration time.Duration)
	Uploads UploadBucket // where uploads of jobs are shared with other appliances; nil: they stay in Jobs
	Spool   string       // spool folder of uploads during decoding
	Jobs    string       // spool folder of jobs' uploads until they end
	// PublicURL returns the base URL at which clients reach the service; nil: that of the listener.
	PublicURL func() string
}

// TranscriptionService is the speech-to-text HTTP service. It is safe for concurrent use.
type TranscriptionService struct {
	Dependencies
	modes   *restaurantmode.ModeMachine
	wake    chan struct{} // a job was queued
	running runningJobs
	beat    time.Duration // heartbeat interval of an idle stream
	live    *realtime.RealtimeService
	speech  *speech.SpeechService

	searches *quota.Semaphore // for echoes, at once

	abortable context.Context // cancelled by AbortRequests
	abort     context.CancelFunc
}

// NewService creates the service, its folders, and removes partial uploads that a crash left in the jobs folder.
func NewService(d Dependencies) (*TranscriptionService, error) {
	if d.PublicURL == nil {
		d.PublicURL = func() string { return "" }
	}
	for _, dir := range []string{d.Spool, d.Jobs} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("create the upload folder: %w", err)
		}
	}
	left, err := filepath.Glob(filepath.Join(d.Jobs, "upload-*.part"))
	if err != nil {
		return nil, fmt.Errorf("find leftover uploads: %w", err)
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("remove a leftover upload: %w", err)
		}
	}
	if d.Limit == nil {
		d.Limit = func(string) time.Duration { return 0 }
	}
	s := &TranscriptionService{
		Dependencies: d, modes: &restaurantmode.ModeMachine{Store: d.Store, Now: d.Now},
		wake: make(chan struct{}, 1), beat: heartbeat, searches: quota.NewSemaphore(2, 1),
	}
	s.abortable, s.abort = context.WithCancel(context.Background())
	s.live = s.openLive()
	s.speech = speech.NewService(speech.Dependencies{
		Speaker: s.Speaker, Encoding: s.Encoding, Principal: requestPrincipal, Log: s.Log,
	})
	return s, nil
}

// AbortRequests aborts running requests near the end of a graceful shutdown, before their connections are closed:
// started streams get an error event, others 503.
func (s *TranscriptionService) AbortRequests() { s.abort() }

// decodingContext returns the context of a request's work: it ends with the request, with stop, or with
// [TranscriptionService.AbortRequests], whose cause is errAborted.
func (s *TranscriptionService) decodingContext(c echo.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(c.Request().Context())
	unhook := context.AfterFunc(s.abortable, func() { cancel(errAborted) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}

// errAborted is the cause of a decoding aborted by the shutdown.
var errAborted = errors.New("the request was aborted: the service is shutting down")

// decodingError returns the 503 of the shutdown if that aborted a decoding, else err.
func decodingError(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errAborted) {
		return newDraining()
	}
	return err
}

// LiveSessions returns the number of open realtime sessions.
func (s *TranscriptionService) LiveSessions() int { return s.live.CountSessions() }

// MountRoutes adds the service's routes to e.
func (s *TranscriptionService) MountRoutes(e *echo.Echo) {
	for _, face := range []apiFace{compatFace, openAIFace} {
		root := string(face)
		e.POST(root+"/audio/transcriptions", s.createTranscription(face), s.admitWork, s.guardAccess)
		e.GET(root+"/models", s.listModels(face), s.requireScope)
		e.GET(root+"/models/:model", s.getModel(face), s.requireScope)
	}
	e.POST(OpenAIRoot+"/audio/translations", refuseTranslation, s.requireScope)
	s.speech.MountRoutes(e, OpenAIRoot, s.requireScope, s.admitSpeech)
	e.POST("/compat/v1/audio/jobs", s.createJob, s.admitWork)
	e.GET("/compat/v1/audio/jobs", s.listJobs, s.requireScope)
	e.GET("/compat/v1/audio/jobs/:id", s.getJob, s.requireScope)
	e.DELETE("/compat/v1/audio/jobs/:id", s.deleteJob, s.requireScope)
	e.GET("/compat/v1/audio/jobs/:id/result", s.getResult, s.requireScope)
	e.POST("/debug/decode", s.debugDecode, s.admitWork, s.guardAccess)
	s.live.MountRoutes(e)
}

// currentLimits returns the limits as configured now.
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
