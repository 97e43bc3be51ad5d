package syslog_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/syslog"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/memory"
)

// syslogServer is a server that reads frames by octet counting.
type syslogServer struct {
	net.Listener
	mu     sync.Mutex
	got    []string
	resets int // connections that it is to reset in the middle
	grew   chan struct{}
}

func newSyslogServer(t *testing.T) *syslogServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &syslogServer{Listener: l, grew: make(chan struct{})}
	t.Cleanup(func() { _ = l.Close() })
	go s.serve()
	return s
}

func (s *syslogServer) serve() {
	for {
		c, err := s.Accept()
		if err != nil {
			return
		}
		s.readFrames(c)
	}
}

// readFrames keeps the messages of a connection; those of one that is reset are not kept.
func (s *syslogServer) readFrames(c net.Conn) {
	defer c.Close() //nolint:errcheck // read to its end
	r, messages := bufio.NewReader(c), []string{}
	for {
		var size int
		if _, err := fmt.Fscanf(r, "%d ", &size); err != nil {
			break
		}
		message := make([]byte, size)
		if _, err := io.ReadFull(r, message); err != nil {
			break
		}
		messages = append(messages, string(message))
		s.mu.Lock()
		reset := s.resets > 0
		if reset {
			s.resets--
		}
		s.mu.Unlock()
		if reset {
			_ = c.(*net.TCPConn).SetLinger(0) // Close resets it
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, messages...)
	close(s.grew)
	s.grew = make(chan struct{})
}

var subjects = regexp.MustCompile(`subject="([^"]*)"`)

// awaitSubjects waits for as many messages with subjects as wanted, and returns the subjects.
func (s *syslogServer) awaitSubjects(t *testing.T, n int) (all []string) {
	t.Helper()
	deadline := time.After(time.Minute)
	for {
		s.mu.Lock()
		grew := s.grew
		all = nil
		for _, message := range s.got {
			if found := subjects.FindStringSubmatch(message); found != nil && strings.Contains(message, "test.add") {
				all = append(all, found[1])
			}
		}
		s.mu.Unlock()
		if len(all) >= n {
			return all
		}
		select {
		case <-grew:
		case <-deadline:
			t.Fatalf("%d of %d entries came", len(all), n)
		}
	}
}

// newTrail returns a store with an organization.
func newTrail(t *testing.T) *memory.Store {
	t.Helper()
	s := memory.OpenStore()
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "clinic", Name: "clinic", CreatedAt: entryTime}, "x"); err != nil {
		t.Fatal(err)
	}
	return s
}

// addEntries adds entries whose subjects are numbers.
func addEntries(t *testing.T, s *memory.Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		e := store.AuditEntry{At: time.Now(), Actor: "x", Action: "test.add", Subject: fmt.Sprint(i)}
		if err := s.AddAudit(t.Context(), "clinic", e); err != nil {
			t.Fatal(err)
		}
	}
}

// runForwarder runs a forwarder until the returned function is called.
func runForwarder(t *testing.T, f *syslog.AuditForwarder) (stop func()) {
	t.Helper()
	f.Log, f.Source = slog.New(slog.DiscardHandler), syslog.Source{Host: "calls"}
	if f.Warn == nil {
		f.Warn = func(string) {}
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func numbersFrom(from, to int) (all []string) {
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprint(i))
	}
	return all
}

// TestForwardsAll checks that all entries come once and in order, in several batches, also over a restart.
func TestForwardsAll(t *testing.T) {
	t.Parallel()
	s, server := newTrail(t), newSyslogServer(t)
	addEntries(t, s, 0, 450)
	f := &syslog.AuditForwarder{Server: syslog.Server{Address: server.Addr().String()}, Store: s, Holder: "one"}
	stop := runForwarder(t, f)
	if got := server.awaitSubjects(t, 450); !slices.Equal(got, numbersFrom(0, 450)) {
		t.Errorf("got %v", got)
	}
	stop()
	addEntries(t, s, 450, 460)
	again := &syslog.AuditForwarder{Server: f.Server, Store: s, Holder: "one"}
	stop = runForwarder(t, again)
	if got := server.awaitSubjects(t, 460); !slices.Equal(got, numbersFrom(0, 460)) {
		t.Errorf("after the restart %v", got)
	}
	stop()
}

// TestBatchIsSentAgain checks that a batch whose connection was reset comes again, and then once.
func TestBatchIsSentAgain(t *testing.T) {
	t.Parallel()
	s, server := newTrail(t), newSyslogServer(t)
	server.resets = 1
	addEntries(t, s, 0, 50)
	f := &syslog.AuditForwarder{Server: syslog.Server{Address: server.Addr().String()}, Store: s, Holder: "one"}
	defer runForwarder(t, f)()
	if got := server.awaitSubjects(t, 50); !slices.Equal(got, numbersFrom(0, 50)) {
		t.Errorf("got %v", got)
	}
}

// TestTwoForward checks that of two appliances one forwards, and the other takes over what is left.
func TestTwoForward(t *testing.T) {
	t.Parallel()
	s, server := newTrail(t), newSyslogServer(t)
	for _, holder := range []string{"one", "two"} {
		f := &syslog.AuditForwarder{Server: syslog.Server{Address: server.Addr().String()}, Store: s, Holder: holder}
		defer runForwarder(t, f)()
	}
	addEntries(t, s, 0, 700)
	if got := server.awaitSubjects(t, 700); !slices.Equal(got, numbersFrom(0, 700)) {
		t.Errorf("%d entries: %v", len(got), got)
	}
}

// TestServerIsAway checks that the state and its end are told.
func TestServerIsAway(t *testing.T) {
	t.Parallel()
	s, server := newTrail(t), newSyslogServer(t)
	address := server.Addr().String()
	_ = server.Close()
	addEntries(t, s, 0, 3)
	tried := make(chan string, 1)
	f := &syslog.AuditForwarder{
		Server: syslog.Server{Address: address}, Store: s, Holder: "one", Warn: func(warning string) { tried <- warning },
	}
	stop := runForwarder(t, f)
	if warning := <-tried; warning != "" {
		t.Errorf("at once: %s", warning)
	}
	stop()
	if state := f.State(); state.Failing.IsZero() || !strings.Contains(state.Fault, "connection refused") || !state.Last.IsZero() {
		t.Errorf("state %+v", state)
	}
	if err := f.Server.CheckConnection(t.Context()); err == nil {
		t.Error("a server that is away accepts connections")
	}
	err := f.Server.SendMessages(t.Context(), [][]byte{[]byte("x")})
	if refused := (&net.OpError{}); !errors.As(err, &refused) {
		t.Errorf("sending fails with %v", err)
	}
}
