// Package live runs live transcription of microphones: those of the appliance's machine, which it captures itself, and
// those of browsers, whose audio arrives by the realtime protocol.
//
// Each session is recorded: its transcript in the store, its audio as a file, DIR/ORG/ID.wav. Viewers receive its
// events by SSE on the topic "live/ID", and never delay a session:
//
//	state    {state, reason}            "listening", "gone" (the microphone was disconnected; reconnecting)
//	segment  live.Segment               final transcript of a turn
//	speech   {start}                    a turn has begun; not replayed, like the following
//	partial  {start, end, text}         partial transcript, which the next one replaces
//	level    {level}                    loudness of the last 100 ms, 0..1
//
// An organization can run one session at a time of each microphone of the machine. Sessions are started and stopped
// directly and not through the store, since they are not resumed after a restart.
//
// A browser cannot send an Authorization header with a WebSocket, and a page must not hold an API key:
// [LiveService.IssueToken] issues a one-time token with which the signed-in user can open one realtime session.
package live

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"munadi/appliance/ssehub"
	"munadi/engine"
	"munadi/engine/mic"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/disk"
)

// SessionStore is the part of store.Store that live sessions use.
type SessionStore interface{ store.LiveSessions }

// RecognizerStream recognizes audio while it arrives; *engine.LiveStream is one.
type RecognizerStream interface {
	Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error)
	Flush(ctx context.Context) ([]engine.StreamEvent, error)
}

// EventPublisher publishes events to viewers; *ssehub.EventHub is one.
type EventPublisher interface {
	PublishEvent(at ssehub.EventTopic, kind string, data any)
	PublishTransient(at ssehub.EventTopic, kind string, data any)
	EndTopic(at ssehub.EventTopic)
}

// Dependencies is what the service needs.
type Dependencies struct {
	Store      SessionStore
	Hub        EventPublisher
	OpenStream func(o engine.StreamOptions) (RecognizerStream, error)
	Listen     func(ctx context.Context, device string, l mic.SoundListener) error
	Dir        string       // folder in which recordings are written
	Sounds     SoundStore   // where finished recordings are stored; nil: in Dir
	CheckDisk  func() error // returns an error if the disk is too full for more audio; nil: checks Dir
	Now        func() time.Time
	Log        *slog.Logger
}

// SoundStore stores the recordings of sessions; every [blob.RecordingStore] is one.
type SoundStore interface {
	// HoldFile protects a recording that is being written until release is called.
	HoldFile(name string) (release func())
	OpenRecording(ctx context.Context, name string) (blob.RecordingFile, error)
	RemoveFile(name string) error
}

// LiveService runs live sessions. It is safe for concurrent use; [LiveService.Run] must run.
type LiveService struct {
	Dependencies
	root     *os.Root
	verifier blob.RecordingVerifier

	mu      sync.Mutex
	running map[string]*activeMicrophone // microphones of this machine, by session id
	tokens  map[string]issuedToken       // by token
	closed  bool
	busy    sync.WaitGroup
}

const (
	maxSessions     = 16 // concurrent sessions of this machine's microphones
	maxOrgSessions  = 8  // of one organization
	partialInterval = 128 * time.Millisecond
)

// NewService returns a service and creates its folder.
func NewService(d Dependencies) (*LiveService, error) {
	if err := os.MkdirAll(d.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of live recordings: %w", err)
	}
	root, err := os.OpenRoot(d.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of live recordings: %w", err)
	}
	if d.Sounds == nil {
		if d.Sounds, err = blob.OpenFolder(d.Dir); err != nil {
			return nil, err
		}
	}
	if d.CheckDisk == nil {
		d.CheckDisk = func() error { return disk.CheckRoom(d.Dir, diskReserve) }
	}
	return &LiveService{
		Dependencies: d,
		root:         root,
		running:      map[string]*activeMicrophone{},
		tokens:       map[string]issuedToken{},
	}, nil
}

// Run ends sessions that a crash left open, and ends all sessions when ctx does.
func (s *LiveService) Run(ctx context.Context) error {
	left, err := s.Store.RunningLive(ctx)
	if err != nil {
		return err
	}
	for _, l := range left {
		if s.IsRunning(l.ID) {
			continue
		}
		seconds, sum := s.measureSound(ctx, l)
		if err := s.Store.EndLive(ctx, l.OrgID, l.ID, s.Now().UTC(), seconds, sum); err != nil {
			return err
		}
	}
	<-ctx.Done()
	s.mu.Lock()
	s.closed = true
	for _, l := range s.running {
		l.stop()
	}
	s.mu.Unlock()
	s.busy.Wait()
	return nil
}

// CountSessions returns the number of this machine's microphones in use.
func (s *LiveService) CountSessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running)
}

// IsRunning reports whether the session uses a microphone of this machine now.
func (s *LiveService) IsRunning(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[id] != nil
}
