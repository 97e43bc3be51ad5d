package ssehub_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"munadi/appliance/ssehub"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var mine = ssehub.EventTopic{OrgID: "acme", Name: "call/1"}

// serveHub serves a hub over HTTP; the topic is ?org=&name=.
func serveHub(t *testing.T, o ssehub.HubOptions) (*ssehub.EventHub, *httptest.Server) {
	t.Helper()
	hub := ssehub.NewHub(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := ssehub.EventTopic{OrgID: r.URL.Query().Get("org"), Name: r.URL.Query().Get("name")}
		if err := hub.ServeTopic(w, r, at); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(func() {
		hub.Close()
		server.CloseClientConnections()
		server.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return hub, server
}

// eventStream is a client that parses SSE like a browser's EventSource.
type eventStream struct {
	t      *testing.T
	body   io.ReadCloser
	lines  *bufio.Scanner
	status int
}

func openStream(t *testing.T, server *httptest.Server, at ssehub.EventTopic, last string) *eventStream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	url := fmt.Sprintf("%s/?org=%s&name=%s", server.URL, at.OrgID, at.Name)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return &eventStream{t, answer.Body, bufio.NewScanner(answer.Body), answer.StatusCode}
}

// nextEvent returns the id, name and data of the next event.
func (s *eventStream) nextEvent() (id, kind, data string) {
	s.t.Helper()
	for s.lines.Scan() {
		name, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch {
		case name == "id":
			id = value
		case name == "event":
			kind = value
		case name == "data":
			data = value
		case s.lines.Text() == "" && kind != "":
			return id, kind, data
		}
	}
	s.t.Fatalf("the stream ended: %v", s.lines.Err())
	return
}

// wantEvents reads events and compares them, each as "kind data".
func (s *eventStream) wantEvents(all ...string) (last string) {
	s.t.Helper()
	for _, w := range all {
		id, kind, data := s.nextEvent()
		if got := kind + " " + data; got != w {
			s.t.Fatalf("%s, want %s", got, w)
		}
		last = id
	}
	return last
}

func TestLateViewerGetsAll(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{})
	hub.PublishEvent(mine, "state", "ringing")
	hub.PublishEvent(mine, "word", map[string]any{"text": "line\nbreak"})
	s := openStream(t, server, mine, "")
	s.wantEvents(`reset {}`, `state "ringing"`, `word {"text":"line\nbreak"}`)
	hub.PublishEvent(mine, "word", 3)
	hub.EndTopic(mine)
	s.wantEvents(`word 3`, `end {}`)
	openStream(t, server, mine, "").wantEvents(`reset {}`, `state "ringing"`, `word {"text":"line\nbreak"}`, `word 3`, `end {}`)
}

func TestResume(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{ReplayLimit: 8})
	for i := range 4 {
		hub.PublishEvent(mine, "n", i)
	}
	first := openStream(t, server, mine, "")
	seen := first.wantEvents(`reset {}`, `n 0`, `n 1`)
	first.body.Close()
	hub.PublishEvent(mine, "n", 4)
	openStream(t, server, mine, seen).wantEvents(`n 2`, `n 3`, `n 4`)
	for name, id := range map[string]string{"of another run": "00000000-2", "nonsense": "x", "future": seen + "000"} {
		if _, kind, _ := openStream(t, server, mine, id).nextEvent(); kind != ssehub.Reset {
			t.Errorf("%s: %s", name, kind)
		}
	}
	for i := 5; i < 20; i++ {
		hub.PublishEvent(mine, "n", i)
	}
	if _, kind, _ := openStream(t, server, mine, seen).nextEvent(); kind != ssehub.Reset {
		t.Errorf("what is forgotten is not resumed: %s", kind)
	}
	if !hub.HasViewers(mine) || hub.HasViewers(ssehub.EventTopic{OrgID: "other", Name: mine.Name}) {
		t.Error("the hub does not know who looks")
	}
}

func TestOthersSeeNothing(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{})
	theirs := ssehub.EventTopic{OrgID: "other", Name: mine.Name}
	s := openStream(t, server, theirs, "")
	s.wantEvents(`reset {}`)
	hub.PublishEvent(mine, "secret", 1)
	hub.PublishEvent(theirs, "own", 2)
	s.wantEvents(`own 2`)
}

// TestSeatHasNoEventsOfEarlierViewers checks that events in flight for a seat's previous viewer do not reach the next
// one.
func TestSeatHasNoEventsOfEarlierViewers(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{MaxViewers: 1, QueueSize: 64})
	theirs := ssehub.EventTopic{OrgID: "other", Name: "x"}
	for range 50 {
		one := waitForSeat(t, server, mine)
		one.wantEvents(`reset {}`)
		for range 30 {
			hub.PublishTransient(mine, "secret", 1)
		}
		one.body.Close()
		two := waitForSeat(t, server, theirs)
		two.wantEvents(`reset {}`)
		hub.PublishTransient(theirs, "own", 2)
		two.wantEvents(`own 2`)
		two.body.Close()
	}
}

func waitForSeat(t *testing.T, server *httptest.Server, at ssehub.EventTopic) *eventStream {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; {
		s := openStream(t, server, at, "")
		if s.status == http.StatusOK {
			return s
		}
		s.body.Close()
		if time.Now().After(until) {
			t.Fatal("no seat becomes free")
		}
	}
}

// TestStalledViewerDelaysNoOther checks that a connection that reads nothing is dropped, that publishers do not wait
// for it, and that other viewers get every event.
func TestStalledViewerDelaysNoOther(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{MaxViewers: 2, MaxOrgViewers: 2, ReplayLimit: 100_000, WriteTimeout: 200 * time.Millisecond})
	stalled, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stalled.Close() //nolint:errcheck // over by then
	fmt.Fprintf(stalled, "GET /?org=%s&name=%s HTTP/1.1\r\nHost: x\r\n\r\n", mine.OrgID, mine.Name)
	if _, err := stalled.Read(make([]byte, 1)); err != nil { // it has joined
		t.Fatal(err)
	}
	s := openStream(t, server, mine, "")
	s.wantEvents(`reset {}`)
	filler := strings.Repeat("x", 2000)
	const events = 20_000
	seen := 0
	for n := range events {
		hub.PublishEvent(mine, "n", filler)
		for ; seen < n-100; seen++ {
			s.nextEvent()
		}
	}
	for ; seen < events; seen++ {
		s.nextEvent()
	}
	third := waitForSeat(t, server, ssehub.EventTopic{OrgID: "acme", Name: "other"}) // the stalled viewer's seat
	third.wantEvents(`reset {}`)
}

func TestFull(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{MaxViewers: 1})
	s := openStream(t, server, mine, "")
	s.wantEvents(`reset {}`)
	if second := openStream(t, server, mine, ""); second.status != http.StatusServiceUnavailable {
		t.Errorf("a second viewer gets %d", second.status)
	}
	hub.Close()
	if s.lines.Scan(); s.lines.Err() != nil && !errors.Is(s.lines.Err(), io.ErrUnexpectedEOF) {
		t.Error(s.lines.Err())
	}
	hub.PublishEvent(mine, "late", 1)
	hub.Close()
}

// TestShare checks that one organization cannot take all seats, and that its seats are freed.
func TestShare(t *testing.T) {
	_, server := serveHub(t, ssehub.HubOptions{MaxViewers: 3})
	one, two := openStream(t, server, mine, ""), openStream(t, server, mine, "")
	one.wantEvents(`reset {}`)
	two.wantEvents(`reset {}`)
	if third := openStream(t, server, mine, ""); third.status != http.StatusServiceUnavailable {
		t.Errorf("a third viewer of an organization gets %d", third.status)
	}
	other := openStream(t, server, ssehub.EventTopic{OrgID: "other", Name: "x"}, "")
	other.wantEvents(`reset {}`)
	other.body.Close()
	one.body.Close()
	waitForSeat(t, server, mine).wantEvents(`reset {}`)
}

func TestEndedTopicStartsAgain(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{Linger: time.Hour, Heartbeat: 5 * time.Millisecond})
	hub.PublishEvent(mine, "one", 1)
	hub.EndTopic(mine)
	if hub.HasTopic(mine) {
		t.Error("an ended topic runs")
	}
	hub.PublishEvent(mine, "two", 2)
	s := openStream(t, server, mine, "")
	s.wantEvents(`reset {}`, `two 2`)
	for {
		if !s.lines.Scan() {
			t.Fatal("no heartbeat")
		}
		if strings.HasPrefix(s.lines.Text(), ":") {
			break
		}
	}
	short, other := serveHub(t, ssehub.HubOptions{Linger: time.Millisecond})
	short.PublishEvent(mine, "one", 1)
	watching := openStream(t, other, mine, "")
	watching.wantEvents(`reset {}`, `one 1`)
	short.EndTopic(mine)
	watching.wantEvents(`end {}`)
	for watching.lines.Scan() {
	}
	if err := watching.lines.Err(); err != nil {
		t.Errorf("the hub does not let go of who stayed: %v", err)
	}
}

func TestSound(t *testing.T) {
	s := ssehub.NewSoundHub()
	defer s.Close()
	if s.HasListeners(mine) {
		t.Error("the event reached no viewer")
	}
	s.PlayChunk(mine, []int16{1})
	l, err := s.JoinTopic(mine)
	if err != nil {
		t.Fatal(err)
	}
	s.PlayChunk(ssehub.EventTopic{OrgID: "other", Name: mine.Name}, []int16{9})
	s.PlayChunk(mine, []int16{2})
	if got := <-l.C; got[0] != 2 {
		t.Errorf("heard %v", got)
	}
	for range 100 { // the listener is too slow
		s.PlayChunk(mine, []int16{3})
	}
	n := 0
	for range l.C {
		n++
	}
	if n == 0 || n == 100 || s.HasListeners(mine) {
		t.Errorf("%d chunks", n)
	}
	s.LeaveTopic(l)
	var all []*ssehub.SoundListener
	for range ssehub.MaxOrgListeners {
		l, err := s.JoinTopic(mine)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if _, err := s.JoinTopic(mine); !errors.Is(err, ssehub.ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	for i := range ssehub.MaxListeners - ssehub.MaxOrgListeners { // four organizations take all
		other, err := s.JoinTopic(ssehub.EventTopic{OrgID: fmt.Sprint(i / ssehub.MaxOrgListeners), Name: mine.Name})
		if err != nil {
			t.Fatalf("another organization's listener %d: %v", i, err)
		}
		defer s.LeaveTopic(other)
	}
	if _, err := s.JoinTopic(ssehub.EventTopic{OrgID: "fifth"}); !errors.Is(err, ssehub.ErrFull) {
		t.Errorf("more than all may have: %v", err)
	}
	s.StopTopic(mine)
	for _, l := range all {
		if _, open := <-l.C; open {
			t.Error("it goes on")
		}
		s.LeaveTopic(l)
	}
}

// TestLongestAge checks that a connection ends cleanly at its longest age, and that the next one continues where it
// ended.
func TestLongestAge(t *testing.T) {
	hub, server := serveHub(t, ssehub.HubOptions{MaxAge: 300 * time.Millisecond})
	hub.PublishEvent(mine, "n", 1)
	s := openStream(t, server, mine, "")
	last := s.wantEvents(`reset {}`, `n 1`)
	if rest, err := io.ReadAll(s.body); err != nil {
		t.Errorf("the answer broke off after %q: %v", rest, err)
	}
	hub.PublishEvent(mine, "n", 2)
	openStream(t, server, mine, last).wantEvents(`n 2`)
}
