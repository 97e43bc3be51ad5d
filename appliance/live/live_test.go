package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/live"
	"munadi/appliance/ssehub"
	"munadi/engine"
	"munadi/engine/mic"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	record "munadi/store/live"
)

// fakeStore is a store and a hub that records the changes and events of sessions.
type fakeStore struct {
	unusedMethods

	mu    sync.Mutex
	lines []string
	sum   *call.RecordingSum // of the recording of the last session that ended
}

// unusedMethods are the store's methods that no test needs.
type unusedMethods interface{ store.LiveSessions }

func (n *fakeStore) addNote(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, fmt.Sprintf(format, args...))
}

func (n *fakeStore) BeginLive(context.Context, record.LiveSession) error {
	n.addNote("begin")
	return nil
}

func (n *fakeStore) AddLiveSegment(_ context.Context, _, _ string, g record.LiveSegment) error {
	n.addNote("hear %s", g.Text)
	return nil
}

func (n *fakeStore) EndLive(_ context.Context, _, _ string, _ time.Time, seconds float64, sum *call.RecordingSum) error {
	n.sum = sum
	n.addNote("end %v", seconds)
	return nil
}
func (n *fakeStore) RunningLive(context.Context) ([]record.LiveSession, error) { return nil, nil }
func (n *fakeStore) PublishEvent(_ ssehub.EventTopic, kind string, data any) {
	n.addNote("%s %v", kind, data)
}
func (n *fakeStore) PublishTransient(ssehub.EventTopic, string, any) {}
func (n *fakeStore) EndTopic(ssehub.EventTopic)                      { n.addNote("over") }

// scriptedHearing recognizes one word in each push and one in the flush, or panics.
type scriptedHearing struct {
	breaks bool
	pushed int
}

func (h *scriptedHearing) Push(context.Context, []float32) ([]engine.StreamEvent, error) {
	if h.pushed++; h.breaks {
		panic("index out of range")
	}
	return []engine.StreamEvent{{Type: engine.Final, Text: fmt.Sprint("word", h.pushed)}}, nil
}

func (h *scriptedHearing) Flush(context.Context) ([]engine.StreamEvent, error) {
	if h.breaks {
		panic("still out of range")
	}
	return []engine.StreamEvent{{Type: engine.Final, Text: "last"}}, nil
}

// newListener returns a service whose microphones give two seconds, are disconnected, return for one second and then
// wait.
func newListener(t *testing.T, change func(*live.Dependencies)) (*live.LiveService, *fakeStore) {
	t.Helper()
	n := &fakeStore{}
	d := live.Dependencies{
		Store: n, Hub: n, Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		OpenStream: func(engine.StreamOptions) (live.RecognizerStream, error) { return &scriptedHearing{}, nil },
		Listen: func(ctx context.Context, _ string, l mic.SoundListener) error {
			second := make([]float32, 16000)
			err := errors.Join(l.Sound(second), l.Sound(second))
			l.Gone(mic.ErrGone)
			l.Back()
			err = errors.Join(err, l.Sound(second))
			if err == nil {
				<-ctx.Done()
			}
			return err
		},
	}
	change(&d)
	s, err := live.NewService(d)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, n
}

// awaitEnd returns the records of a session after its end.
func (n *fakeStore) awaitEnd(t *testing.T) []string {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		n.mu.Lock()
		lines := slices.Clone(n.lines)
		n.mu.Unlock()
		if slices.Contains(lines, "over") {
			return lines
		}
		if time.Now().After(deadline) {
			t.Fatalf("the session goes on: %q", lines)
		}
	}
}

func startSession(t *testing.T, s *live.LiveService) record.LiveSession {
	t.Helper()
	l, err := s.StartSession(t.Context(), "bakery", "somebody", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// soundBytes returns the size of a session's recorded audio, in bytes.
func soundBytes(t *testing.T, s *live.LiveService, l record.LiveSession) int {
	t.Helper()
	f, err := s.OpenSound(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	kept, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return len(kept)
}

// TestVanishing checks that viewers see that a microphone was disconnected and is back, and that the session continues.
func TestVanishing(t *testing.T) {
	t.Parallel()
	s, n := newListener(t, func(*live.Dependencies) {})
	l := startSession(t, s)
	if err := s.StopSession(t.Context(), "airline", l.ID); err != nil || !s.IsRunning(l.ID) {
		t.Errorf("another organization stopped it: %v", err)
	}
	if _, err := s.StartSession(t.Context(), "bakery", "somebody", "", 0); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("the same microphone again: %v", err)
	}
	if err := s.StopSession(t.Context(), "bakery", l.ID); err != nil || s.IsRunning(l.ID) {
		t.Errorf("stop: %v", err)
	}
	told := strings.Join(n.awaitEnd(t), "\n")
	at := 0
	for _, want := range []string{
		"begin", "state map[reason: state:listening]", "hear word1", "hear word2", "hear last",
		"state map[reason:the microphone stopped delivering audio state:gone]", "state map[reason: state:listening]",
		"hear word3", "hear last", "end ", "over",
	} {
		i := strings.Index(told[at:], want)
		if i < 0 {
			t.Fatalf("no %q in its place in:\n%s", want, told)
		}
		at += i + len(want)
	}
	if got := soundBytes(t, s, l); got < 44+2*32000 {
		t.Errorf("%d bytes of sound are kept of two seconds at least", got)
	}
	l.SoundSum = n.sum
	if got := soundBytes(t, s, l); int64(got) != l.SoundSum.Size {
		t.Errorf("%d bytes are kept, the sum has %d", got, l.SoundSum.Size)
	}
	if err := os.Truncate(filepath.Join(s.Dir, "bakery", l.ID+".wav"), 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := s.OpenSound(t.Context(), l); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("a cut recording: %v", err)
	}
}

// TestMicrophonesOfOneOrganization checks that an organization at its limit does not affect another.
func TestMicrophonesOfOneOrganization(t *testing.T) {
	t.Parallel()
	s, _ := newListener(t, func(*live.Dependencies) {})
	begin := func(orgID string, device int) error {
		_, err := s.StartSession(t.Context(), orgID, "somebody", fmt.Sprint("microphone ", device), 0)
		return err
	}
	for i := range 8 {
		if err := begin("bakery", i); err != nil {
			t.Fatalf("microphone %d: %v", i, err)
		}
	}
	if err := begin("bakery", 8); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("more than an organization may have: %v", err)
	}
	if err := begin("airline", 0); err != nil {
		t.Errorf("another organization: %v", err)
	}
}

// TestBreakdown checks that a session whose recognizer panics ends with what was recorded, that the stack is logged, and
// that the next session works.
func TestBreakdown(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	hearings := make(chan live.RecognizerStream, 2)
	hearings <- &scriptedHearing{breaks: true}
	hearings <- &scriptedHearing{}
	s, n := newListener(t, func(d *live.Dependencies) {
		d.Log = slog.New(slog.NewTextHandler(&log, nil))
		d.OpenStream = func(engine.StreamOptions) (live.RecognizerStream, error) { return <-hearings, nil }
	})
	ill := startSession(t, s)
	if told := n.awaitEnd(t); !slices.Contains(told, "end 1") {
		t.Errorf("kept of it: %q", told)
	}
	if err := s.StopSession(t.Context(), "bakery", ill.ID); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "live_test.go:") {
		t.Errorf("the log says %s", &log)
	}
	well := startSession(t, s)
	if err := s.StopSession(t.Context(), "bakery", well.ID); err != nil {
		t.Error(err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.lines, "hear last") {
		t.Errorf("the next session: %q", n.lines)
	}
}

// TestFullDisk checks that the transcript is stored when there is no space for the audio.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	looks := 0
	s, n := newListener(t, func(d *live.Dependencies) {
		d.CheckDisk = func() error {
			if looks++; looks > 2 {
				return errors.New("the disk is full")
			}
			return nil
		}
	})
	l := startSession(t, s)
	if err := s.StopSession(t.Context(), "bakery", l.ID); err != nil {
		t.Error(err)
	}
	if told := n.awaitEnd(t); !slices.Contains(told, "hear word2") || !slices.Contains(told, "hear last") {
		t.Errorf("kept of it: %q", told)
	}
	if got := soundBytes(t, s, l); got < 44+32000 || got > 44+2*32000 {
		t.Errorf("%d bytes of sound are kept, want a second or two", got)
	}
}

// TestTokensArePerOrganization checks that an organization at its limit of tokens does not affect others, and that a
// token carries its user's access check.
func TestTokensArePerOrganization(t *testing.T) {
	t.Parallel()
	s, _ := newListener(t, func(*live.Dependencies) {})
	alive := func(context.Context) (bool, error) { return false, nil }
	var err error
	made := 0
	for ; err == nil && made < 2000; made++ {
		_, _, err = s.IssueToken("bakery", "somebody", "", alive)
	}
	if store.CodeOf(err) != store.CodeConflict || made > 200 {
		t.Errorf("after %d tokens: %v", made, err)
	}
	token, _, err := s.IssueToken("airline", "somebody", "", alive)
	if err != nil {
		t.Fatalf("another organization gets none: %v", err)
	}
	session, check, ok := s.RedeemToken(token)
	if !ok || session.OrgID != "airline" || check == nil {
		t.Errorf("redeemed: %+v %v", session, ok)
	}
	if _, _, again := s.RedeemToken(token); again {
		t.Error("a token opens two sessions")
	}
}
