package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestQueueGivesLiveSpeechTheNextTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 10)
		if err := q.acquire(t.Context(), Batch); err != nil {
			t.Fatal(err)
		}
		var order []string
		ask := func(name string, p Priority) {
			go func() {
				if q.acquire(t.Context(), p) == nil {
					order = append(order, name)
					q.release()
				}
			}()
			synctest.Wait() // it waits in line now
		}
		ask("batch", Batch)
		ask("first upload", Upload)
		ask("second upload", Upload)
		ask("so far", glance)
		ask("live", Live)
		q.release()
		synctest.Wait()
		want := []string{"live", "so far", "first upload", "second upload", "batch"}
		for i := range want {
			if i >= len(order) || order[i] != want[i] {
				t.Fatalf("order = %v, want %v", order, want)
			}
		}
	})
}

func TestQueueTakesNoMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	q := newQueue(1, 2)
	for range 2 {
		if err := q.admit(Upload); err != nil {
			t.Fatal(err)
		}
	}
	var busy *ErrBusy
	if err := q.admit(Upload); !errors.As(err, &busy) {
		t.Fatalf("third request: error = %v, want *ErrBusy", err)
	}
	if busy.RetryAfter < time.Second || busy.RetryAfter > time.Minute {
		t.Errorf("RetryAfter = %v, want 1 s to a minute", busy.RetryAfter)
	}
	if err := q.admit(Live); err != nil {
		t.Errorf("live speech was turned away: %v", err)
	}
	if err := q.admit(Batch); err != nil {
		t.Errorf("a job was turned away because of uploads: %v", err)
	}
	q.leave(Upload, time.Now())
	q.leave(Upload, time.Now())
	if err := q.admit(Upload); err != nil {
		t.Errorf("after two left: %v", err)
	}
}

func TestQueueForgetsWhoGoesAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 10)
		if err := q.acquire(t.Context(), Upload); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { gone <- q.acquire(ctx, Upload) }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Fatalf("error = %v, want context.Canceled", err)
		}
		if _, waiting := q.load(); waiting != 0 {
			t.Errorf("%d pieces wait, want 0", waiting)
		}
		q.release()
		if err := q.acquire(t.Context(), Upload); err != nil {
			t.Errorf("the turn was lost: %v", err)
		}
	})
}

func TestQueuePassesOnATurnThatCameTooLate(t *testing.T) {
	t.Parallel()
	q := newQueue(1, 10)
	if err := q.acquire(t.Context(), Upload); err != nil {
		t.Fatal(err)
	}
	turn := make(chan struct{})
	q.waiting[Upload] = append(q.waiting[Upload], turn)
	q.release()             // grants it
	q.abandon(Upload, turn) // whose owner has gone
	if q.free != 1 {
		t.Errorf("free turns = %d, want 1", q.free)
	}
}
