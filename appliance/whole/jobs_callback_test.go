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

// TestJobCallback checks that an ended job is POSTed to its callback URL, in spite of a failing receiver and a kill,
// and that jobs are listed and removed.
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
	a := startInstance(t, instanceSettings{})
	id := a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav")), withField("callback_url", receiver.URL+"/done"))
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
	a.killProcess(t)
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	second := next()
	var job map[string]any
	mustSucceed(t, json.Unmarshal([]byte(second.body), &job))
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
	if listed := objectList(t, b.getPath(t, jobs).wantStatus(t, 200).jsonBody(t), "data"); len(listed) != 1 {
		t.Errorf("listed %v", listed)
	}
	remove := func(id string) testAnswer {
		return sendRequest(t, newRequest(nil).newHTTPRequest(t, http.MethodDelete, b.URL+jobs+"/"+id))
	}
	remove(id).wantStatus(t, 204)
	remove(id).wantStatus(t, 404)
	for _, url := range []string{"http://169.254.169.254/latest", "http://metadata.google.internal/", "file:///etc/passwd"} {
		got := b.postForm(t, jobs, withFile(goldenRecording(t, "g00.wav")), withField("callback_url", url)).wantStatus(t, 422)
		if !strings.Contains(got.String(), "callback_url") {
			t.Errorf("%s: %s", url, got)
		}
	}
	long := b.enqueueJob(t, withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 900))))
	b.awaitJob(t, long, func(j map[string]any) bool { return j["status"] == "running" })
	remove(long).wantStatus(t, 204)
	after := b.enqueueJob(t, withFile(goldenRecording(t, "g00.wav")))
	if got := b.awaitJobResult(t, after); got["text"] != goldenText {
		t.Errorf("the job after a removed one: %v", got)
	}
}
