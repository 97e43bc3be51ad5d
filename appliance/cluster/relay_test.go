package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"munadi/appliance/cluster"
	"munadi/appliance/ssehub"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is the longest time for what takes a moment on an idle machine.
const patience = 2 * time.Minute

// messageBus carries messages between the appliances of a test.
type messageBus struct {
	mu      sync.Mutex
	members map[string]func(from string, body []byte)
	lose    atomic.Int32 // number of next messages to lose
}

// busPort is one appliance's connection to the bus.
type busPort struct {
	bus   *messageBus
	name  string
	queue chan func()
}

func (b *messageBus) joinPort(t *testing.T, name string) *busPort {
	t.Helper()
	p := &busPort{bus: b, name: name, queue: make(chan func(), 10_000)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for deliver := range p.queue {
			deliver()
		}
	}()
	t.Cleanup(func() { close(p.queue); <-done })
	return p
}

// awaitDelivery returns when all messages sent so far have been received.
func (p *busPort) awaitDelivery() {
	done := make(chan struct{})
	p.queue <- func() { close(done) }
	<-done
}

func (p *busPort) ReceiveMessages(receive func(from string, body []byte)) {
	p.bus.mu.Lock()
	defer p.bus.mu.Unlock()
	p.bus.members[p.name] = receive
}

func (p *busPort) SendMessage(to string, body []byte) bool {
	if p.bus.lose.Add(-1) >= 0 {
		return true
	}
	p.bus.lose.Store(0)
	p.queue <- func() {
		p.bus.mu.Lock()
		var receivers []func(from string, body []byte)
		for name, receive := range p.bus.members {
			if name != p.name && (to == "" || to == name) {
				receivers = append(receivers, receive)
			}
		}
		p.bus.mu.Unlock()
		for _, receive := range receivers {
			receive(p.name, body)
		}
	}
	return true
}

// applianceSite is an appliance with its hubs.
type applianceSite struct {
	events *ssehub.EventHub
	sound  *ssehub.SoundHub
	query  *cluster.EventQuery
	server *httptest.Server
}

func startSites(t *testing.T, names ...string) (*messageBus, map[string]*applianceSite) {
	t.Helper()
	b := &messageBus{members: map[string]func(string, []byte){}}
	sites := map[string]*applianceSite{}
	for _, name := range names {
		s := &applianceSite{events: ssehub.NewHub(ssehub.HubOptions{}), sound: ssehub.NewSoundHub()}
		m := cluster.NewMessenger(b.joinPort(t, name), slog.New(slog.DiscardHandler))
		r := cluster.NewRelay(m, s.events, s.sound)
		s.events.SetRelay(r)
		s.sound.SetRelay(r)
		s.query = cluster.NewQuery(m, s.events)
		m.StartReceiving()
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); _ = r.Run(ctx) }()
		s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if err := s.events.ServeTopic(w, q, ssehub.EventTopic{OrgID: "acme", Name: q.URL.Query().Get("name")}); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
			}
		}))
		t.Cleanup(func() {
			stop()
			<-done
			s.events.Close()
			s.sound.Close()
			s.server.Close()
			http.DefaultClient.CloseIdleConnections()
		})
		sites[name] = s
	}
	return b, sites
}

// watchTopic returns the events of a topic that a browser at a site receives, as "KIND DATA".
func (s *applianceSite) watchTopic(t *testing.T, name string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.server.URL+"/?name="+name, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		kind, data := "", ""
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			switch name, value, _ := strings.Cut(lines.Text(), ": "); {
			case name == "event":
				kind = value
			case name == "data":
				data = value
			case lines.Text() == "" && kind != "":
				seen <- kind + " " + data
				kind, data = "", ""
			}
		}
	}()
	t.Cleanup(func() { cancel(); _ = answer.Body.Close(); <-done })
	return seen
}

// wantEvents waits for events and skips the given others.
func wantEvents(t *testing.T, seen <-chan string, skip string, events ...string) {
	t.Helper()
	for _, event := range events {
		for got := ""; got != event; {
			select {
			case got = <-seen:
				if got != event && got != skip && !strings.HasPrefix(got, "probe ") {
					t.Fatalf("saw %s, want %s", got, event)
				}
			case <-time.After(patience):
				t.Fatalf("did not see %s", event)
			}
		}
	}
}

const reset = "reset {}"

// probePage publishes an event in the list of calls until a page gets one.
func (s *applianceSite) probePage(t *testing.T, name string, page <-chan string) {
	t.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		s.events.PublishTransient(ssehub.EventTopic{OrgID: "acme", Name: "calls"}, "probe", name)
		for waiting := true; waiting; {
			select {
			case got := <-page:
				if got == fmt.Sprintf("probe %q", name) {
					return
				}
			case <-time.After(20 * time.Millisecond):
				waiting = false
			}
		}
	}
	t.Fatalf("a page does not follow %s", name)
}

// TestCallElsewhere checks that a page on one appliance shows a call that runs on another, from its beginning to its
// end; also events whose messages were lost, in order and once.
func TestCallElsewhere(t *testing.T) {
	t.Parallel()
	b, sites := startSites(t, "one", "two", "three")
	at := ssehub.EventTopic{OrgID: "acme", Name: "call/1"}
	sites["one"].events.PublishEvent(at, "message", 1)
	sites["one"].events.PublishEvent(at, "message", 2)
	page, other := sites["two"].watchTopic(t, at.Name), sites["three"].watchTopic(t, at.Name)
	wantEvents(t, page, reset, "message 1", "message 2")
	wantEvents(t, other, reset, "message 1", "message 2")
	for i := 3; i < 40; i++ {
		if i%10 == 0 {
			b.lose.Store(2)
		}
		sites["one"].events.PublishEvent(at, "message", i)
		time.Sleep(20 * time.Millisecond)
		if i%10 != 0 {
			continue
		}
	}
	for i := 3; i < 40; i++ {
		wantEvents(t, page, reset, fmt.Sprint("message ", i))
	}
	if !sites["one"].events.HasViewers(at) {
		t.Error("the appliance of the call does not know that it is watched")
	}
	late := sites["two"].watchTopic(t, at.Name)
	wantEvents(t, late, reset, "message 1", "message 2", "message 3")
	sites["one"].events.EndTopic(at)
	wantEvents(t, page, reset, "end {}")
	again := sites["three"].watchTopic(t, "call/2") // begins later, and elsewhere
	next := ssehub.EventTopic{OrgID: "acme", Name: "call/2"}
	sites["two"].events.PublishEvent(next, "state", 1)
	sites["two"].events.PublishEvent(next, "state", 2)
	wantEvents(t, again, reset, "state 1", "state 2")
}

// TestListElsewhere checks that a list shows the events of all appliances once, that local topics stay local, and that
// those of other organizations are not shown.
func TestListElsewhere(t *testing.T) {
	t.Parallel()
	_, sites := startSites(t, "one", "two", "three")
	pages := map[string]<-chan string{}
	for name, s := range sites {
		pages[name] = s.watchTopic(t, "calls")
	}
	own := sites["one"].watchTopic(t, "models")
	for name, s := range sites { // until all follow one another
		for _, page := range pages {
			s.probePage(t, name, page)
		}
	}
	sites["two"].events.PublishTransient(ssehub.EventTopic{OrgID: "acme", Name: "models"}, "model", 1)
	for i, name := range []string{"one", "two", "three"} {
		sites[name].events.PublishTransient(ssehub.EventTopic{OrgID: "other", Name: "calls"}, "state", 9)
		sites[name].events.PublishTransient(ssehub.EventTopic{OrgID: "acme", Name: "calls"}, "state", i)
		for _, page := range pages {
			wantEvents(t, page, reset, fmt.Sprint("state ", i))
		}
	}
	sites["one"].events.PublishTransient(ssehub.EventTopic{OrgID: "acme", Name: "models"}, "model", 2)
	wantEvents(t, own, reset, "model 2")
}

// TestTakenOver checks that if an appliance that died is taken over, its calls end on the pages of all other
// appliances.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	b, sites := startSites(t, "one", "two", "three")
	at := ssehub.EventTopic{OrgID: "acme", Name: "call/1"}
	sites["one"].events.PublishEvent(at, "message", 1)
	page, other := sites["two"].watchTopic(t, at.Name), sites["three"].watchTopic(t, at.Name)
	wantEvents(t, page, reset, "message 1")
	wantEvents(t, other, reset, "message 1")
	b.mu.Lock()
	delete(b.members, "one")
	b.mu.Unlock()
	sites["two"].events.PublishEvent(at, "state", "failed")
	sites["two"].events.EndTopic(at)
	wantEvents(t, page, reset, `state "failed"`, "end {}")
	wantEvents(t, other, reset, `state "failed"`, "end {}")
}

// TestListenElsewhere checks that the audio of a call can be heard on another appliance until the call ends.
func TestListenElsewhere(t *testing.T) {
	t.Parallel()
	_, sites := startSites(t, "one", "two")
	at := ssehub.EventTopic{OrgID: "acme", Name: "call/1"}
	sites["one"].events.PublishEvent(at, "state", "in_progress")
	listener, err := sites["two"].sound.JoinTopic(at)
	if err != nil {
		t.Fatal(err)
	}
	defer sites["two"].sound.LeaveTopic(listener)
	chunk := []int16{1, -2, 32767, -32768}
	var heard []int16
	for until := time.Now().Add(patience); time.Now().Before(until); {
		if sites["one"].sound.HasListeners(at) {
			sites["one"].sound.PlayChunk(at, chunk)
		}
		select {
		case heard = <-listener.C:
		case <-time.After(20 * time.Millisecond):
			continue
		}
		break
	}
	if fmt.Sprint(heard) != fmt.Sprint(chunk) {
		t.Fatalf("heard %v, want %v", heard, chunk)
	}
	sites["one"].sound.StopTopic(at)
	for deadline := time.After(patience); ; {
		select {
		case _, on := <-listener.C:
			if on {
				continue
			}
		case <-deadline:
			t.Error("the end of the call is not heard")
		}
		break
	}
}

// TestLatestElsewhere checks that the latest events of calls on other appliances are found, without those of
// unpublished topics, other organizations, or lists.
func TestLatestElsewhere(t *testing.T) {
	t.Parallel()
	_, sites := startSites(t, "one", "two", "three")
	first, second := ssehub.EventTopic{OrgID: "acme", Name: "call/1"}, ssehub.EventTopic{OrgID: "acme", Name: "call/2"}
	for i := 1; i <= 3; i++ {
		sites["one"].events.PublishEvent(first, "message", i)
		sites["one"].events.PublishEvent(first, "state", "x")
	}
	sites["two"].events.PublishEvent(second, "message", "only")
	sites["two"].events.PublishEvent(ssehub.EventTopic{OrgID: "other", Name: "call/1"}, "message", 9)
	sites["two"].events.PublishEvent(ssehub.EventTopic{OrgID: "acme", Name: "models"}, "message", 9)
	found := sites["three"].query.LatestEvents(t.Context(), []ssehub.EventTopic{first, second}, "message", 2)
	if got := fmt.Sprintf("%s %s", found[first], found[second]); got != `[2 3] ["only"]` {
		t.Errorf("the latest events are %s", got)
	}
	missing := []ssehub.EventTopic{{OrgID: "acme", Name: "call/3"}, {OrgID: "acme", Name: "models"}}
	if found := sites["three"].query.LatestEvents(t.Context(), missing, "message", 2); len(found) != 0 {
		t.Errorf("events of topics that are not relayed: %s", found)
	}
}
