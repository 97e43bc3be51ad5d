package whole_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestJobCallback: the ended job is POSTed to its callback URL; a receiver that fails, and a power cut in between, lose
// nothing; jobs are listed and removed.
func TestJobCallback(t *testing.T) {
	t.Parallel()
	type post struct {
		body   string
		header http.Header
	}
	posts, statuses := make(chan post, 10), make(chan int, 10)
	statuses <- http.StatusInternalServerError
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		select {
		case status := <-statuses:
			w.WriteHeader(status)
		default:
		}
		posts <- post{string(body), r.Header}
	}))
	t.Cleanup(receiver.Close)
	a := start(t, settings{})
	id := a.enqueue(t, file(golden(t, "g00.wav")), field("callback_url", receiver.URL+"/done"))
	next := func() post {
		t.Helper()
		select {
		case p := <-posts:
			return p
		case <-time.After(jobPatience()):
			t.Fatal("no callback")
			return post{}
		}
	}
	first := next()
	a.kill(t)
	b := start(t, settings{data: a.Data, noKey: true})
	second := next()
	var job map[string]any
	must(t, json.Unmarshal([]byte(second.body), &job))
	if result, _ := job["result"].(map[string]any); job["id"] != id || job["status"] != "done" || result["text"] != goldenText {
		t.Errorf("the callback says %s", second.body)
	}
	if first.body != second.body || second.header.Get("Content-Type") != "application/json" {
		t.Errorf("the second try differs: %v %s, %s", second.header, first.body, second.body)
	}
	b.awaitJob(t, id, func(j map[string]any) bool {
		callback, _ := j["callback"].(map[string]any)
		return callback["state"] == "delivered"
	})
	if listed := list(t, b.get(t, jobs).want(t, 200).object(t), "data"); len(listed) != 1 {
		t.Errorf("listed %v", listed)
	}
	remove := func(id string) answer { return send(t, newRequest(nil).build(t, http.MethodDelete, b.URL+jobs+"/"+id)) }
	remove(id).want(t, 204)
	remove(id).want(t, 404)
	for _, url := range []string{"http://169.254.169.254/latest", "http://metadata.google.internal/", "file:///etc/passwd"} {
		got := b.post(t, jobs, file(golden(t, "g00.wav")), field("callback_url", url)).want(t, 422)
		if !strings.Contains(got.String(), "callback_url") {
			t.Errorf("%s: %s", url, got)
		}
	}
	long := b.enqueue(t, file(wav(t, repeated(t, sample(t, "order.flac"), 900))))
	b.awaitJob(t, long, func(j map[string]any) bool { return j["status"] == "running" })
	remove(long).want(t, 204)
	after := b.enqueue(t, file(golden(t, "g00.wav")))
	if got := b.finish(t, after); got["text"] != goldenText {
		t.Errorf("the job after a removed one: %v", got)
	}
}
