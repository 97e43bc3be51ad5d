package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"munadi/store/delivery"
)

// TestSigning: Standard Webhooks' own library accepts what we sign, with the new secret and with the one before it
// until that expires; the id stays over the tries, the time is each try's own.
func TestSigning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(500) })
		defer startWorker(t, workerOptions(o, f))()
		setting := delivery.WebhookSetting{URL: "https://bakery.example/", Enabled: true}.SetSigning(true, time.Now())
		first := setting.Secrets[0].Value
		o.setDelivery("bakery", setting)
		a := o.addAndWake("bakery", `{"call_id":"call_1","payload":{"text":"سلام"}}`)
		time.Sleep(3 * time.Second)
		setting = setting.RotateSecret(time.Now())
		o.setDelivery("bakery", setting)
		time.Sleep(3 * time.Second)
		time.Sleep(24 * time.Hour)
		o.addAndWake("bakery", "late")
		time.Sleep(time.Minute)

		posts := f.receivedPosts()
		if len(posts) != 6 {
			t.Fatalf("%d posts", len(posts))
		}
		second := setting.Secrets[0].Value
		for i, want := range []struct{ first, second bool }{{true, false}, {true, false}, {true, true}, {false, true}} {
			checkSigned(t, posts[i], first, want.first)
			checkSigned(t, posts[i], second, want.second)
		}
		if id := posts[0].header.Get("webhook-id"); id != a.ID || id != posts[2].header.Get("webhook-id") ||
			id == posts[3].header.Get("webhook-id") {
			t.Errorf("ids of the tries: %s", id)
		}
		if posts[0].header.Get("webhook-timestamp") == posts[1].header.Get("webhook-timestamp") {
			t.Error("two tries have the same time")
		}
	})
}

func checkSigned(t *testing.T, p receivedPost, secret string, want bool) {
	t.Helper()
	receiver, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err = receiver.VerifyIgnoringTimestamp([]byte(p.call), p.header); (err == nil) != want {
		t.Errorf("%s, signed %q: verified %v, want %v", p.call, p.header.Get("webhook-signature"), err, want)
	}
	if receiver.VerifyIgnoringTimestamp([]byte(p.call+" "), p.header) == nil {
		t.Error("a changed body is accepted")
	}
}

// TestSignedAtTheTime: the library's check of the time is passed at the moment of the try.
func TestSignedAtTheTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		setting := delivery.WebhookSetting{URL: "https://bakery.example/", Enabled: true}.SetSigning(true, time.Now())
		o.setDelivery("bakery", setting)
		var verdict error
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) {
			receiver, err := standardwebhooks.NewWebhook(setting.Secrets[0].Value)
			if err != nil {
				return nil, err
			}
			verdict = receiver.Verify([]byte("call_1"), r.Header)
			return answerStatus(200)
		})
		stop := startWorker(t, workerOptions(o, f))
		time.Sleep(time.Hour)
		o.addAndWake("bakery", "call_1")
		time.Sleep(time.Minute)
		stop()
		if verdict != nil || len(f.receivedPosts()) != 1 {
			t.Errorf("%d posts, verified %v", len(f.receivedPosts()), verdict)
		}
	})
}

// TestUnsignable: with an invalid secret nothing is sent, rather than unsigned, and the secret is never shown.
func TestUnsignable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		defer startWorker(t, workerOptions(o, f))()
		for org, secrets := range map[string][]delivery.SigningSecret{"none": nil, "bad": {{Value: "whsec_hush"}}} {
			o.setDelivery(org, delivery.WebhookSetting{URL: "https://x.example/", Enabled: true, Signing: true, Secrets: secrets})
			o.addAndWake(org, org)
		}
		time.Sleep(time.Minute)
		for _, call := range []string{"none", "bad"} {
			d := o.findByCall(t, call)
			if d.State != delivery.Failed || d.Tries[0].Error == "" || strings.Contains(d.Tries[0].Error, "hush") {
				t.Errorf("%s: %+v", call, d)
			}
		}
		if len(f.receivedPosts()) != 0 {
			t.Errorf("posts: %v", f.receivedPosts())
		}
	})
}
