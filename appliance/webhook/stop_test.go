package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/webhook"
	"munadi/store"
	"munadi/store/delivery"
)

// TestStopLetsTriesEnd: a running try ends and is recorded; nothing new begins.
func TestStopLetsTriesEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) { return answerAfter(r, 8*time.Second, 200) })
		stop := startWorker(t, workerOptions(o, f))
		o.addAndWake("bakery", "a")
		time.Sleep(time.Second)
		begun := time.Now()
		go func() { time.Sleep(time.Second); o.addAndWake("bakery", "b") }()
		stop()
		if took := time.Since(begun); took != 7*time.Second {
			t.Errorf("stopping took %v", took)
		}
		if o.findByCall(t, "a").State != delivery.Delivered || o.findByCall(t, "b").State != delivery.Pending || len(f.receivedPosts()) != 1 {
			t.Errorf("a is %s, b is %s", o.findByCall(t, "a").State, o.findByCall(t, "b").State)
		}
	})
}

// TestStopCutsLongTries: what the grace cuts off is still owed, and counts as no try.
func TestStopCutsLongTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, n int) (*http.Response, error) {
			if n == 0 {
				return hangAnswer(r)
			}
			return answerStatus(200)
		})
		opt := workerOptions(o, f)
		opt.Grace = 3 * time.Second
		stop := startWorker(t, opt)
		o.addAndWake("bakery", "a")
		time.Sleep(time.Second)
		begun := time.Now()
		stop()
		if took := time.Since(begun); took != 3*time.Second {
			t.Errorf("stopping took %v", took)
		}
		if d := o.findByCall(t, "a"); d.State != delivery.Pending || len(d.Tries) != 0 {
			t.Fatalf("the delivery is %+v", d)
		}
		stop = startWorker(t, opt)
		synctest.Wait()
		stop()
		if d := o.findByCall(t, "a"); d.State != delivery.Delivered || len(d.Tries) != 1 {
			t.Errorf("the delivery is %+v", d)
		}
	})
}

// TestCrashBeforeTheRecord: what was answered but not recorded is sent again with the same call id.
func TestCrashBeforeTheRecord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		stop := startWorker(t, workerOptions(o, f))
		o.failNext(errors.New("no space left on device"))
		o.addAndWake("bakery", "a")
		time.Sleep(time.Minute)
		if got := f.bodiesOf("bakery.example"); got != "a" {
			t.Errorf("while its record fails, a receiver gets %s", got)
		}
		stop()
		o.failNext(nil)
		stop = startWorker(t, workerOptions(o, f))
		synctest.Wait()
		stop()
		if f.bodiesOf("bakery.example") != "a a" || o.findByCall(t, "a").State != delivery.Delivered {
			t.Errorf("posts %s, %s", f.bodiesOf("bakery.example"), o.findByCall(t, "a").State)
		}
	})
}

// TestRecordIsRepeated: a store that fails for a while costs no second post, and the pause counts from the try's end.
func TestRecordIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		defer startWorker(t, workerOptions(o, f))()
		o.failNext(errors.New("no space left on device"))
		o.addAndWake("bakery", "a")
		time.Sleep(5 * time.Second)
		o.failNext(nil)
		time.Sleep(time.Minute)
		if f.bodiesOf("bakery.example") != "a" || o.findByCall(t, "a").State != delivery.Delivered {
			t.Errorf("posts %s, %s", f.bodiesOf("bakery.example"), o.findByCall(t, "a").State)
		}
	})
}

// TestRemovedMeanwhile: a delivery that is gone when its try ends causes no error.
func TestRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.rows = nil
			return answerStatus(200)
		})
		defer startWorker(t, workerOptions(o, f))()
		o.addAndWake("bakery", "a")
		time.Sleep(time.Minute)
		o.addAndWake("bakery", "b")
		time.Sleep(time.Minute)
		if got := f.bodiesOf("bakery.example"); got != "a b" {
			t.Errorf("posts %s", got)
		}
	})
}

// TestUnreadableDeliveryFreesItsPlace: an attempt that can never be recorded, because the disk damaged its delivery, is
// given up; eight of them do not stop an organization.
func TestUnreadableDeliveryFreesItsPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		defer startWorker(t, workerOptions(o, f))()
		o.failNext(store.Errorf(store.CodeCorrupt, "a record cannot be read"))
		for range 8 {
			o.addAndWake("bakery", "a")
		}
		time.Sleep(time.Minute)
		o.addAndWake("bakery", "b")
		time.Sleep(time.Second)
		if got := f.bodiesOf("bakery.example"); got != "a a a a a a a a b" {
			t.Errorf("posts %s", got)
		}
	})
}

// failingStore is a store whose DueDeliveries fails.
type failingStore struct{ *outboxStore }

func (failingStore) DueDeliveries(context.Context, func(string) int, func(string) bool, time.Time, int) ([]delivery.Delivery, time.Time, error) {
	return nil, time.Time{}, store.Errorf(store.CodeClosed, "closed")
}

func TestStoreFails(t *testing.T) {
	t.Parallel()
	opt := workerOptions(newOutbox(), nil)
	opt.Store = failingStore{newOutbox()}
	if err := webhook.NewWorker(opt).Run(t.Context()); store.CodeOf(err) != store.CodeClosed {
		t.Errorf("Run: %v", err)
	}
}
