package stt_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/store/job"
)

func (b *sttFixture) deletePath(t *testing.T, target, key string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, target, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	return w
}

// TestJobList: an organization's own jobs, newest first, page by page.
func TestJobList(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	b := newSTTFixture(t, func(d *stt.Dependencies) { d.Now = func() time.Time { now = now.Add(time.Second); return now } })
	if got := strings.TrimSpace(b.getPath(t, jobs, "one").Body.String()); got != `{"data":[],"next_cursor":null}` {
		t.Errorf("without a job: %s", got)
	}
	var want []string
	for range 5 {
		want = append([]string{b.bookJob(t, formFields{"file": "sound"})}, want...)
	}
	var got []string
	for cursor := ""; ; {
		w := b.getPath(t, jobs+"?limit=2&cursor="+url.QueryEscape(cursor), "one")
		var page struct {
			Data []struct {
				ID, Status string
				CreatedAt  time.Time `json:"created_at"`
			}
			NextCursor *string `json:"next_cursor"`
		}
		mustSucceed(t, json.Unmarshal(w.Body.Bytes(), &page))
		for _, j := range page.Data {
			if got = append(got, j.ID); j.Status != "queued" || j.CreatedAt.IsZero() {
				t.Errorf("listed %+v", j)
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
		if w := b.getPath(t, jobs+"?cursor="+url.QueryEscape(cursor), "two"); w.Code != 422 {
			t.Errorf("another's cursor: %d %s", w.Code, w.Body)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("listed %v, want %v", got, want)
	}
	if got := strings.TrimSpace(b.getPath(t, jobs, "two").Body.String()); got != `{"data":[],"next_cursor":null}` {
		t.Errorf("another organization sees %s", got)
	}
	for query, says := range map[string]string{
		"limit=0": `"greater_than_equal","loc":["query","limit"]`, "limit=201": `"less_than_equal"`, "limit=x": `"int_parsing"`,
		"cursor=x": `"loc":["query","cursor"]`, "limit=": `"int_parsing"`,
	} {
		if w := b.getPath(t, jobs+"?"+query, "one"); w.Code != 422 || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// TestJobResult: the result alone in every format, whatever the job asked for.
func TestJobResult(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "text", "verbose_json"} {
		b := newSTTFixture(t)
		b.hears.says = []string{"مرحبا بكم", "أهلا"}
		id := b.bookJob(t, formFields{"file": "sound", "response_format": format, "include[]": "logprobs"})
		at := jobs + "/" + id + "/result"
		if w := b.getPath(t, at, "one"); w.Code != 409 || !strings.Contains(w.Body.String(), "The job is queued") {
			t.Errorf("too early: %d %s", w.Code, w.Body)
		}
		stop := runWorkers(t, b.TranscriptionService)
		b.pollJob(t, id)
		stop()
		for query, want := range map[string][2]string{
			"?format=json":         {"application/json", `{"text":"مرحبا بكم أهلا","usage":{"type":"duration","seconds":3},"logprobs":[{"token":"مرحبا",…`},
			"?format=text":         {"text/plain; charset=utf-8", "مرحبا بكم أهلا"},
			"?format=verbose_json": {"application/json", `{"task":"transcribe",…"text":"أهلا","tokens":[7,8],…`},
			"?format=srt":          {"application/x-subrip; charset=utf-8", "1\n00:00:00,000 --> 00:00:01,000\nمرحبا بكم\n\n2\n00:00:01,000 --> 00:00:02,000\nأهلا"},
			"?format=vtt":          {"text/vtt; charset=utf-8", "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nمرحبا بكم\n\n…"},
			"":                     {map[string]string{"text": "text/plain; charset=utf-8"}[format], "…"},
		} {
			w := b.getPath(t, at+query, "one")
			if w.Code != 200 || !matchesText(w.Body.String(), want[1]) || want[0] != "" && w.Header().Get("Content-Type") != want[0] {
				t.Errorf("%s of a %s job: %d %v %s", query, format, w.Code, w.Header(), w.Body)
			}
		}
		if w := b.getPath(t, at, "two"); w.Code != 404 {
			t.Errorf("another organization: %d %s", w.Code, w.Body)
		}
		if w := b.getPath(t, at+"?format=pdf", "one"); w.Code != 422 || !strings.Contains(w.Body.String(), `"loc":["query","format"]`) {
			t.Errorf("pdf: %d %s", w.Code, w.Body)
		}
	}
}

// TestOldResults: what a version kept that stored the body only is answered still.
func TestOldResults(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	for kept, c := range map[string]struct {
		format, srt string
	}{
		`{"text":"أهلا","usage":{"type":"duration","seconds":1}}`: {"json", "409"},
		`"أهلا\n"`: {"text", "409"},
		`{"task":"transcribe","language":"ar","duration":1.0,"text":"أهلا","segments":[],"words":[]}`: {"verbose_json", "200"},
	} {
		id := c.format
		mustSucceed(t, b.store.EnqueueJob(t.Context(), job.Job{
			ID: id, OrgID: "org1", Status: job.Queued, CreatedAt: time.Now(), Input: id,
			Parameters: json.RawMessage(`{"response_format":"` + c.format + `","mode":"default","temperature":0.5}`),
		}, job.QueueLimits{}))
		_, _, err := b.store.ClaimJob(t.Context(), time.Now())
		mustSucceed(t, err)
		mustSucceed(t, b.store.FinishJob(t.Context(), "org1", id, json.RawMessage(kept), time.Now()))
		if w := b.getPath(t, jobs+"/"+id, "one"); w.Code != 200 || !strings.Contains(w.Body.String(), `"result":`+kept+`}`) {
			t.Errorf("%s: %d %s", c.format, w.Code, w.Body)
		}
		w := b.getPath(t, jobs+"/"+id+"/result?format=srt", "one")
		if got := http.StatusText(w.Code); got != map[string]string{"409": "Conflict", "200": "OK"}[c.srt] {
			t.Errorf("%s as srt: %d %s", c.format, w.Code, w.Body)
		}
	}
}

// TestJobDeleted: a job goes whether it waits, runs or has ended; its recording goes with it, and the next one runs.
func TestJobDeleted(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	begun, ended := make(chan struct{}), make(chan struct{})
	b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		if o.Phrases[0] == "long" {
			close(begun)
			<-ctx.Done()
			defer close(ended)
			return nil, ctx.Err()
		}
		return speakTexts(o, "نعم")
	}
	long := b.bookJob(t, formFields{"file": "sound", "prompt": "long"})
	waiting := b.bookJob(t, formFields{"file": "sound", "prompt": "short"})
	other := b.bookJob(t, formFields{"file": "sound", "prompt": "short", "AUTHORIZATION": "Bearer two"})
	stop := runWorkers(t, b.TranscriptionService)
	<-begun
	if w := b.deletePath(t, jobs+"/"+long, "two"); w.Code != 404 {
		t.Errorf("another's job: %d %s", w.Code, w.Body)
	}
	for _, id := range []string{waiting, long} {
		if w := b.deletePath(t, jobs+"/"+id, "one"); w.Code != 204 || w.Body.Len() > 0 {
			t.Errorf("delete: %d %s", w.Code, w.Body)
		}
		for _, path := range []string{"", "/result"} {
			if w := b.getPath(t, jobs+"/"+id+path, "one"); w.Code != 404 {
				t.Errorf("%s after its end: %d %s", path, w.Code, w.Body)
			}
		}
		if w := b.deletePath(t, jobs+"/"+id, "one"); w.Code != 404 {
			t.Errorf("delete again: %d %s", w.Code, w.Body)
		}
	}
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Fatal("the job runs on")
	}
	for {
		if body := b.getPath(t, jobs+"/"+other, "two").Body.String(); strings.Contains(body, `"done"`) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if w := b.deletePath(t, jobs+"/"+other, "two"); w.Code != 204 {
		t.Errorf("delete of a done job: %d %s", w.Code, w.Body)
	}
	stop()
	noUploads(t, b.deps.Jobs)
}

// TestCallbackURL: its rules are those of webhooks; the job carries it, and GET says how it fared.
func TestCallbackURL(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.CheckURL = func(_ context.Context, url string) error {
			if strings.Contains(url, "169.254") {
				return errors.New("169.254.169.254 may not be called: it is cloud metadata")
			}
			return nil
		}
	})
	for url, says := range map[string]string{
		"ftp://example.test/":                  "must begin with https:// or http://",
		"http://169.254.169.254/":              "may not be called",
		"https://u:p@example.test/":            "user name",
		"nonsense":                             "must begin with",
		"https://" + strings.Repeat("a", 3000): "string_too_long",
	} {
		w := b.postForm(t, jobs, formFields{"file": "sound", "callback_url": url})
		if w.Code != 422 || !strings.Contains(w.Body.String(), says) || !strings.Contains(w.Body.String(), `"loc":["body","callback_url"]`) {
			t.Errorf("%.40s: %d %s", url, w.Code, w.Body)
		}
	}
	noUploads(t, b.deps.Jobs)
	id := b.bookJob(t, formFields{"file": "sound", "callback_url": "https://example.test/secret-path"})
	body := b.getPath(t, jobs+"/"+id, "one").Body.String()
	if !strings.Contains(body, `"callback":{"state":"waiting","attempts":[]}`) || strings.Contains(body, "secret-path") {
		t.Errorf("got %s", body)
	}
	stop := runWorkers(t, b.TranscriptionService)
	b.pollJob(t, id)
	stop()
	due, _, err := b.store.DueCallbacks(t.Context(), nil, time.Now(), 10)
	if err != nil || len(due) != 1 || due[0].Callback.URL != "https://example.test/secret-path" {
		t.Errorf("due %+v, %v", due, err)
	}
	mustSucceed(t, b.store.RecordCallback(t.Context(), "org1", id, job.CallbackTry{
		At: time.Now(), Duration: 1500 * time.Millisecond, Error: "no connection within 10 seconds",
	}, time.Now()))
	body = b.getPath(t, jobs+"/"+id, "one").Body.String()
	if !strings.Contains(body, `"status_code":null,"error":"no connection within 10 seconds","duration_ms":1500`) {
		t.Errorf("got %s", body)
	}
}
