package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

// TestThreeTries: a receiver that fails gets three posts, two seconds after the end of the one before.
func TestThreeTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) { return answerAfter(r, 3*time.Second, 500) })
		defer startWorker(t, workerOptions(o, f))()
		begun := time.Now()
		o.addAndWake("bakery", "call_1")
		time.Sleep(time.Hour)
		wantPosts(t, f, begun, 0, 5*time.Second, 10*time.Second)
		d := o.findByCall(t, "call_1")
		if d.State != delivery.Failed || len(d.Tries) != 3 || !d.NextAt.IsZero() {
			t.Fatalf("the delivery is %+v", d)
		}
		for _, try := range d.Tries {
			if try.StatusCode != 500 || try.Error != "answered 500 Internal Server Error instead of 2xx" ||
				try.Duration != 3*time.Second || try.Request != "call_1" || try.URL != "https://bakery.example/hook" {
				t.Errorf("a try is %+v", try)
			}
		}
		checkHeaders(t, f.receivedPosts()[2], d)
	})
}

func wantPosts(t *testing.T, f *fakeReceivers, begun time.Time, want ...time.Duration) {
	t.Helper()
	posts := f.receivedPosts()
	if len(posts) != len(want) {
		t.Fatalf("%d posts, want %d", len(posts), len(want))
	}
	for i, p := range posts {
		if got := p.at.Sub(begun); got != want[i] {
			t.Errorf("post %d after %v, want %v", i, got, want[i])
		}
	}
}

func checkHeaders(t *testing.T, p receivedPost, d delivery.Delivery) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Munadi/1.2.3", "X-Munadi-Delivery": d.ID, "Webhook-Id": "",
	} {
		if got := p.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestTimeout: ten seconds a try, whatever hangs.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) { return hangAnswer(r) })
		defer startWorker(t, workerOptions(o, f))()
		begun := time.Now()
		o.addAndWake("bakery", "call_1")
		time.Sleep(time.Hour)
		wantPosts(t, f, begun, 0, 12*time.Second, 24*time.Second)
		d := o.findByCall(t, "call_1")
		if try := d.Tries[0]; d.State != delivery.Failed || try.StatusCode != 0 || try.Duration != 10*time.Second ||
			try.Error != "no connection within 10 seconds" {
			t.Fatalf("%s with %+v", d.State, try)
		}
	})
}

// TestSecondTry: what is answered in time the second time is delivered, and tried no more.
func TestSecondTry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, n int) (*http.Response, error) {
			if n == 0 {
				return nil, errors.New("malformed")
			}
			return answerAfter(r, 9*time.Second, 204)
		})
		defer startWorker(t, workerOptions(o, f))()
		o.addAndWake("bakery", "call_1")
		time.Sleep(time.Hour)
		d := o.findByCall(t, "call_1")
		if d.State != delivery.Delivered || len(d.Tries) != 2 || d.Tries[0].Error == "" || d.Tries[1].Error != "" {
			t.Fatalf("the delivery is %+v", d)
		}
	})
}

// TestRedirectsAreFailures: each try is one request, to the address that was set.
func TestRedirectsAreFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) {
			answer, _ := answerStatus(307)
			answer.Header.Set("Location", "https://elsewhere.example/")
			return answer, nil
		})
		defer startWorker(t, workerOptions(o, f))()
		o.addAndWake("bakery", "call_1")
		time.Sleep(time.Hour)
		if f.bodiesOf("bakery.example") != "call_1 call_1 call_1" || len(f.receivedPosts()) != 3 {
			t.Fatalf("posts: %v", f.receivedPosts())
		}
		want := `answered 307, a redirect to "https://elsewhere.example/", which is not followed`
		if try := o.findByCall(t, "call_1").Tries[0]; try.Error != want || try.StatusCode != 307 {
			t.Errorf("a try is %+v", try)
		}
	})
}

// TestSideBySide: a slow receiver gets eight notifications at once, and a failed one holds no other up.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		var mu sync.Mutex
		running, most := 0, 0
		f := newReceivers(func(r *http.Request, n int) (*http.Response, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			defer func() { mu.Lock(); running--; mu.Unlock() }()
			if n == 0 {
				return answerStatus(503)
			}
			return answerAfter(r, 3*time.Second, 200)
		})
		defer startWorker(t, workerOptions(o, f))()
		begun := time.Now()
		for i := range 17 {
			o.addAndWake("bakery", fmt.Sprint("call_", i))
		}
		time.Sleep(time.Minute)
		posts := f.receivedPosts()
		mu.Lock()
		defer mu.Unlock()
		if len(posts) != 18 || most != 8 {
			t.Fatalf("%d posts, %d at once", len(posts), most)
		}
		// 8 leave at once and one more in the failed one's place, 8 after 3 s; then the failed one, whose pause of 2 s held
		// none.
		if last := posts[16].at.Sub(begun); last != 3*time.Second {
			t.Errorf("the seventeenth left after %v", last)
		}
		d := o.findByCall(t, posts[0].call)
		if d.State != delivery.Delivered || len(d.Tries) != 2 || d.Tries[1].At.Sub(d.Tries[0].At) < delivery.Pause {
			t.Errorf("the failed one is %+v", d)
		}
	})
}

// TestSameBytes: what the first try sent, the others send.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(500) })
		opt := workerOptions(o, f)
		made := 0
		opt.Body = func(_ context.Context, d delivery.Delivery) ([]byte, error) {
			if len(d.Body) > 0 {
				return d.Body, nil
			}
			made++
			return fmt.Appendf(nil, "body %d", made), nil
		}
		defer startWorker(t, opt)()
		o.addAndWake("bakery", "call_1")
		time.Sleep(time.Minute)
		if got := f.bodiesOf("bakery.example"); got != "body 1 body 1 body 1" {
			t.Errorf("the tries sent %s", got)
		}
	})
}

// TestChangeWakesWaiters: at once on a store's notification, within 15 s without one.
func TestChangeWakesWaiters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		defer startWorker(t, workerOptions(o, f))()
		time.Sleep(100*time.Second + time.Millisecond)
		synctest.Wait()
		begun := time.Now()
		o.addAndWake("bakery", "a")
		synctest.Wait()
		wantPosts(t, f, begun, 0)
		o.addSilently(delivery.NewDelivery("bakery", delivery.CallEnded, "b", time.Now()))
		time.Sleep(15 * time.Second)
		synctest.Wait()
		if got := f.bodiesOf("bakery.example"); got != "a b" {
			t.Errorf("posts %s", got)
		}
		before := o.countLooks()
		time.Sleep(time.Hour)
		if n := o.countLooks() - before; n > 241 {
			t.Errorf("an idle worker looked %d times in an hour", n)
		}
	})
}

// TestNowhere: what has no receiver fails with its reason; a test is sent to a webhook that is turned off.
func TestNowhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		defer startWorker(t, workerOptions(o, f))()
		o.setDelivery("none", delivery.WebhookSetting{})
		o.setDelivery("off", delivery.WebhookSetting{URL: "https://off.example/"})
		o.addAndWake("none", "a")
		o.addAndWake("off", "b")
		time.Sleep(time.Minute)
		o.addDelivery(delivery.NewDelivery("off", delivery.Test, "c", time.Now()))
		time.Sleep(time.Minute)
		for call, want := range map[string]string{"a": "no webhook URL", "b": "turned its webhook off"} {
			if d := o.findByCall(t, call); d.State != delivery.Failed || !strings.Contains(d.Tries[0].Error, want) {
				t.Errorf("%s is %+v, want an error with %q", call, d, want)
			}
		}
		if f.bodiesOf("off.example") != "c" || len(f.receivedPosts()) != 1 || o.findByCall(t, "c").State != delivery.Delivered {
			t.Errorf("posts: %v", f.receivedPosts())
		}
	})
}

// TestSettingIsReadAtEachTry: the second try goes where the organization has moved to.
func TestSettingIsReadAtEachTry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) {
			o.setDelivery("bakery", delivery.WebhookSetting{URL: "http://new.example/", Enabled: true})
			if r.URL.Host == "new.example" {
				return answerStatus(200)
			}
			return answerStatus(410)
		})
		defer startWorker(t, workerOptions(o, f))()
		o.addAndWake("bakery", "a")
		time.Sleep(time.Minute)
		if d := o.findByCall(t, "a"); d.State != delivery.Delivered || d.Tries[1].URL != "http://new.example/" {
			t.Errorf("the delivery is %+v", d)
		}
	})
}

// TestBodyThatCannotBeBuilt: a body that cannot be made, even by a panic, fails its own delivery and no other; what
// went wrong inside is not shown.
func TestBodyThatCannotBeBuilt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		opt := workerOptions(o, f)
		opt.Body = func(_ context.Context, d delivery.Delivery) ([]byte, error) {
			switch d.CallID {
			case "error":
				return nil, store.Errorf(store.CodeNotFound, "secret detail")
			case "panic":
				panic("secret detail")
			}
			return []byte(d.CallID), nil
		}
		defer startWorker(t, opt)()
		for _, call := range []string{"error", "panic", "good"} {
			o.addAndWake("bakery", call)
		}
		time.Sleep(time.Minute)
		for _, call := range []string{"error", "panic"} {
			if d := o.findByCall(t, call); d.State != delivery.Failed || !strings.HasPrefix(d.Tries[2].Error, "the notification could not be made") ||
				strings.Contains(d.Tries[2].Error, "secret") {
				t.Errorf("%s: %+v", call, d)
			}
		}
		if f.bodiesOf("bakery.example") != "good" {
			t.Errorf("posts: %v", f.receivedPosts())
		}
	})
}
