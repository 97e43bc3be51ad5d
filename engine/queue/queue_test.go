package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// workerQueue is a queue with one worker that records the order of permits.
type workerQueue struct {
	*WorkQueue
	t *testing.T

	mu    sync.Mutex
	order []string
}

func newLine(t *testing.T) *workerQueue {
	t.Helper()
	return &workerQueue{WorkQueue: NewQueue(1, 1, 100), t: t}
}

// admitNext admits a request.
func (l *workerQueue) admitNext(c ClientID, p Priority, price float64) *QueueTicket {
	l.t.Helper()
	ticket, err := l.AdmitRequest(c, p, price)
	if err != nil {
		l.t.Fatal(err)
	}
	return ticket
}

// holdPermit acquires the permit.
func (l *workerQueue) holdPermit(ticket *QueueTicket) *WorkPermit {
	l.t.Helper()
	u, err := l.Cores.AcquirePermit(l.t.Context(), ticket)
	if err != nil {
		l.t.Fatal(err)
	}
	return u
}

// askPermits acquires turns permits one after another, and holds each for the given time.
func (l *workerQueue) askPermits(name string, ticket *QueueTicket, turns int, each time.Duration) {
	go func() {
		for range turns {
			u, err := l.Cores.AcquirePermit(l.t.Context(), ticket)
			if err != nil {
				return
			}
			l.recordPermit(name)
			time.Sleep(each)
			u.ReleasePermit()
		}
	}()
	synctest.Wait() // it waits in line now
}

// recordPermit adds a name to the order.
func (l *workerQueue) recordPermit(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.order = append(l.order, name)
}

// servedOrder returns the names in the order of their turns since the last reset.
func (l *workerQueue) servedOrder() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.order)
}

// resetOrder forgets the turns up to now.
func (l *workerQueue) resetOrder() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.order = nil
}

func (l *workerQueue) wantOrder(want ...string) {
	l.t.Helper()
	synctest.Wait()
	if !slices.Equal(l.servedOrder(), want) {
		l.t.Errorf("order = %v, want %v", l.servedOrder(), want)
	}
}

var alone = ClientID{"alone", "key"}

func TestQueueGivesLiveSpeechTheNextTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		u := l.holdPermit(l.admitNext(alone, Batch, 1))
		l.askPermits("batch", l.admitNext(alone, Batch, 1), 1, 0)
		l.askPermits("first upload", l.admitNext(alone, Upload, 1), 1, 0)
		l.askPermits("second upload", l.admitNext(alone, Upload, 1), 1, 0)
		live := l.admitNext(alone, Live, 1)
		l.askPermits("so far", live.AtPriority(PartialText), 1, 0)
		l.askPermits("live", live, 1, 0)
		u.ReleasePermit()
		l.wantOrder("live", "so far", "first upload", "second upload", "batch")
	})
}

// An organization with twelve long requests and one with a single short one share the time equally.
func TestQueueSharesTimeByOrganization(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		u := l.holdPermit(l.admitNext(ClientID{"greedy", "1"}, Upload, 14000))
		for range 4 {
			l.askPermits("greedy", l.admitNext(ClientID{"greedy", "1"}, Upload, 14000), 2, time.Second)
		}
		time.Sleep(time.Second)
		l.askPermits("other", l.admitNext(ClientID{"other", "1"}, Upload, 2), 3, time.Second)
		u.ReleasePermit()
		time.Sleep(time.Minute)
		l.wantOrder("other", "greedy", "other", "greedy", "other", "greedy", "greedy", "greedy", "greedy", "greedy", "greedy")
	})
}

// Requests that take far longer than their length predicts do not delay others of their key; and they do not starve.
func TestQueueLetsOthersPassWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	for _, heavy := range []int{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			searches := make([]*QueueTicket, heavy)
			for i := range searches {
				searches[i] = l.admitNext(alone, Upload, 30)
				u := l.holdPermit(searches[i])
				time.Sleep(10 * time.Second)
				u.ReleasePermit()
			}
			u := l.holdPermit(l.admitNext(alone, Live, 1))
			for _, search := range searches {
				l.askPermits("search", search, 1000, slice)
			}
			l.askPermits("clip", l.admitNext(alone, Upload, 2), 1, time.Second)
			u.ReleasePermit()
			time.Sleep(time.Minute)
			if at := slices.Index(l.servedOrder(), "clip"); at < 0 || at >= heavy { // each search may have one slice before it
				t.Errorf("%d searches: the clip was served at place %d of %d", heavy, at, len(l.servedOrder()))
			}
			time.Sleep(time.Minute)

			l.resetOrder()
			u = l.holdPermit(l.admitNext(alone, Live, 1))
			l.askPermits("search", searches[0], 1, time.Second)
			for range 2 { // clips one after another, so that there is always one that waits
				go func() {
					for range 20 {
						clip, _ := l.AdmitRequest(alone, Upload, 2)
						turn := l.holdPermit(clip)
						l.recordPermit("clip")
						time.Sleep(time.Second)
						turn.ReleasePermit()
						l.LeaveRequest(clip, 2)
					}
				}()
				synctest.Wait()
			}
			u.ReleasePermit()
			time.Sleep(time.Hour)
			if at := slices.Index(l.servedOrder(), "search"); at < 0 || at > 5 {
				t.Errorf("%d searches: one was served at place %d of %d", heavy, at, len(l.servedOrder()))
			}
		})
	}
}

func TestQueueSharesTimeByKeyWithinAnOrganization(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		u := l.holdPermit(l.admitNext(ClientID{"org", "a"}, Upload, 1))
		for range 3 {
			l.askPermits("a", l.admitNext(ClientID{"org", "a"}, Upload, 1), 1, time.Second)
		}
		l.askPermits("b", l.admitNext(ClientID{"org", "b"}, Upload, 1), 2, time.Second)
		time.Sleep(time.Second)
		u.ReleasePermit()
		time.Sleep(time.Minute)
		l.wantOrder("b", "a", "b", "a", "a")
	})
}

// Of one key's requests the one with the earliest estimated end is served first, but a long one does not starve.
func TestQueueOrdersAKeysRequestsByPrice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		l.cost = 0.1
		u := l.holdPermit(l.admitNext(alone, Upload, 14000))
		l.askPermits("unknown", l.admitNext(alone, Upload, UnknownPrice), 1, time.Second)
		l.askPermits("100 s", l.admitNext(alone, Upload, 100), 1, time.Second)
		l.askPermits("2 s", l.admitNext(alone, Upload, 2), 1, time.Second)
		u.ReleasePermit()
		time.Sleep(time.Minute)
		l.wantOrder("2 s", "100 s", "unknown")

		l.resetOrder()
		u = l.holdPermit(l.admitNext(alone, Upload, 1))
		l.askPermits("100 s", l.admitNext(alone, Upload, 100), 1, time.Second)
		time.Sleep(20 * time.Second) // the key uses more than what the long one needs
		u.ReleasePermit()
		u = l.holdPermit(l.admitNext(alone, Upload, 1))
		l.askPermits("100 s", l.admitNext(alone, Upload, 100), 1, time.Second)
		l.askPermits("2 s", l.admitNext(alone, Upload, 2), 1, time.Second)
		u.ReleasePermit()
		time.Sleep(time.Minute)
		l.wantOrder("100 s", "2 s", "100 s")
	})
}

// A client that was idle gets no credit for it.
func TestQueueGivesNothingForAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		busy := l.admitNext(ClientID{"busy", "1"}, Upload, 1)
		u := l.holdPermit(busy)
		time.Sleep(time.Hour)
		l.askPermits("busy", busy, 3, time.Second)
		l.askPermits("back", l.admitNext(ClientID{"back", "1"}, Upload, 1), 3, time.Second)
		u.ReleasePermit()
		time.Sleep(time.Minute)
		l.wantOrder("back", "busy", "back", "busy", "back", "busy")
	})
}

// Live speech of one organization that could use the whole machine leaves half of it to other organizations' uploads.
func TestQueueBoundsOneOrganizationsLiveSpeech(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		l.askPermits("live", l.admitNext(ClientID{"flood", "1"}, Live, 1), 20, 500*time.Millisecond)
		l.askPermits("live", l.admitNext(ClientID{"flood", "2"}, Live, 1), 20, 500*time.Millisecond)
		l.askPermits("upload", l.admitNext(ClientID{"other", "1"}, Upload, 1), 3, 500*time.Millisecond)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if i := slices.Index(l.servedOrder(), "upload"); i < 4 || i > 10 {
			t.Errorf("order = %v, want live speech first and an upload after about 4 s of it", l.servedOrder())
		}
		time.Sleep(time.Minute)
	})
}

func TestQueueTakesNoMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	q := NewQueue(1, 1, 2)
	var in []*QueueTicket
	for range 2 {
		ticket, err := q.AdmitRequest(alone, Upload, 3600)
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, ticket)
	}
	var busy *ErrBusy
	if _, err := q.AdmitRequest(alone, Upload, 1); !errors.As(err, &busy) {
		t.Fatalf("third request: error = %v, want *ErrBusy", err)
	}
	if want := 36 * time.Second; busy.RetryAfter != want {
		t.Errorf("RetryAfter = %v, want half of the time for two hours of sound, %v", busy.RetryAfter, want)
	}
	for what, ask := range map[string]struct {
		client   ClientID
		priority Priority
	}{
		"live speech": {alone, Live}, "a job": {alone, Batch}, "another organization": {ClientID{"other", "1"}, Upload},
	} {
		ticket, err := q.AdmitRequest(ask.client, ask.priority, 1)
		if err != nil {
			t.Errorf("%s was turned away because of uploads: %v", what, err)
			continue
		}
		q.LeaveRequest(ticket, 1)
	}
	q.LeaveRequest(in[0], 1)
	q.LeaveRequest(in[1], 1)
	if _, err := q.AdmitRequest(alone, Upload, 1); err != nil {
		t.Errorf("after two left: %v", err)
	}
}

func TestQueueBoundsAllOrganizationsTogether(t *testing.T) {
	t.Parallel()
	q := NewQueue(1, 1, 1)
	for i := range allOrganizations {
		if _, err := q.AdmitRequest(ClientID{Organization: string(rune('a' + i))}, Upload, 1); err != nil {
			t.Fatal(err)
		}
	}
	var busy *ErrBusy
	if _, err := q.AdmitRequest(ClientID{Organization: "z"}, Upload, 1); !errors.As(err, &busy) {
		t.Errorf("error = %v, want *ErrBusy", err)
	}
}

func TestQueueForgetsWhoGoesAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		ticket := l.admitNext(alone, Upload, 1)
		u := l.holdPermit(ticket)
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := l.Cores.AcquirePermit(ctx, ticket)
			gone <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Fatalf("error = %v, want context.Canceled", err)
		}
		if _, waiting := l.CurrentLoad(); waiting != 0 {
			t.Errorf("%d pieces wait, want 0", waiting)
		}
		u.ReleasePermit()
		l.holdPermit(ticket)
		l.LeaveRequest(ticket, 1)
		if requests, _ := l.CurrentLoad(); requests != 0 {
			t.Errorf("%d requests are admitted, want 0", requests)
		}
	})
}

func TestQueuePassesOnATurnThatCameTooLate(t *testing.T) {
	t.Parallel()
	l := newLine(t)
	u := l.holdPermit(l.admitNext(alone, Upload, 1))
	late := &permitWaiter{l.admitNext(alone, Upload, 1), false, make(chan struct{})}
	l.Cores.waiting = append(l.Cores.waiting, late)
	u.ReleasePermit()         // grants it
	l.Cores.abandonWait(late) // its request was cancelled
	if l.Cores.free != 1 {
		t.Errorf("free turns = %d, want 1", l.Cores.free)
	}
}

// A long piece of work yields its permit to higher-ranked work at each pause, and gets it back.
func TestPermitPausesForThoseWhoGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		u := l.holdPermit(l.admitNext(ClientID{"long", "1"}, Upload, 14000))
		time.Sleep(time.Second)
		l.askPermits("longer", l.admitNext(ClientID{"long", "1"}, Upload, 15000), 1, time.Second)
		if err := u.YieldPermit(t.Context()); err != nil || len(l.servedOrder()) != 0 {
			t.Fatalf("paused for an equal: %v, %v", l.servedOrder(), err)
		}
		l.askPermits("other", l.admitNext(ClientID{"other", "1"}, Upload, 1), 1, 5*time.Millisecond)
		time.Sleep(slice)
		if err := u.YieldPermit(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.wantOrder("other")
		l.askPermits("live", l.admitNext(ClientID{"long", "1"}, Live, 1), 1, 0)
		if err := u.YieldPermit(t.Context()); err != nil || len(l.servedOrder()) != 1 {
			t.Fatalf("paused within a slice: %v, %v", l.servedOrder(), err)
		}
		time.Sleep(slice)
		if err := u.YieldPermit(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.wantOrder("other", "live")
		u.ReleasePermit()
		time.Sleep(time.Minute)
	})
}

// A blocked source does not delay other requests.
func TestPermitIsGivenBackByWorkThatStalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		u := l.holdPermit(l.admitNext(ClientID{"hangs", "1"}, Upload, 1))
		l.askPermits("other", l.admitNext(ClientID{"other", "1"}, Upload, 1), 1, time.Second)
		err := u.LendPermit(t.Context(), func() error {
			time.Sleep(maxReadHold + time.Millisecond)
			synctest.Wait()
			if !slices.Equal(l.servedOrder(), []string{"other"}) {
				t.Errorf("order = %v while it hangs", l.servedOrder())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		u.ReleasePermit()
		if l.Cores.free != 1 {
			t.Errorf("free turns = %d, want 1", l.Cores.free)
		}
		ctx, cancel := context.WithCancel(t.Context())
		u = l.holdPermit(l.admitNext(ClientID{"hangs", "1"}, Upload, 1))
		l.askPermits("other", l.admitNext(ClientID{"other", "1"}, Upload, 1), 1, time.Second)
		err = u.LendPermit(ctx, func() error {
			time.Sleep(maxReadHold + time.Millisecond)
			cancel()
			return nil
		})
		u.ReleasePermit()
		time.Sleep(time.Minute)
		if synctest.Wait(); !errors.Is(err, context.Canceled) || l.Cores.free != 1 {
			t.Errorf("error = %v with %d free turns, want context.Canceled and 1", err, l.Cores.free)
		}
	})
}

// Cutting speech goes before decoding of the same request, but not before a higher-ranked one.
func TestQueueServesWorkAheadFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		ticket := l.admitNext(alone, Upload, 10)
		u := l.holdPermit(ticket)
		l.askPermits("chunk", ticket, 2, time.Millisecond)
		l.askPermits("live", l.admitNext(alone, Live, 1), 1, time.Millisecond)
		go func() {
			if cut, err := l.Cores.AcquireAhead(t.Context(), ticket); err == nil {
				l.recordPermit("cut")
				cut.ReleasePermit()
			}
		}()
		synctest.Wait()
		u.ReleasePermit()
		time.Sleep(time.Second)
		l.wantOrder("live", "cut", "chunk", "chunk")
	})
}
