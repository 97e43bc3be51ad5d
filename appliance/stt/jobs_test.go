package stt_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/engine/audio"
)

const jobs = "/compat/v1/audio/jobs"

// bookJob posts a job and returns its id.
func (b *sttFixture) bookJob(t *testing.T, f formFields) string {
	t.Helper()
	w := b.postForm(t, jobs, f)
	var body struct{ ID, Status string }
	mustSucceed(t, json.Unmarshal(w.Body.Bytes(), &body))
	if w.Code != 202 || body.Status != "queued" || w.Header().Get("Location") != jobs+"/"+body.ID {
		t.Fatalf("got %d %s, Location %s", w.Code, w.Body, w.Header().Get("Location"))
	}
	return body.ID
}

// TestJobBelowAPath checks that the header Location has the path of the public URL.
func TestJobBelowAPath(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.PublicURL = func() string { return "https://voice.example/munadi/" }
	})
	w := b.postForm(t, jobs, formFields{"file": "sound"})
	if got := w.Header().Get("Location"); w.Code != 202 || !strings.HasPrefix(got, "/munadi"+jobs+"/") {
		t.Errorf("%d, Location %q", w.Code, got)
	}
}

// runWorkers starts the workers; the returned stop waits for them.
func runWorkers(t *testing.T, s *stt.TranscriptionService) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.RunJobs(ctx) }()
	return func() {
		t.Helper()
		cancel()
		mustSucceed(t, <-done)
	}
}

// TestJobs: every format and failure comes back as the request itself would have answered.
func TestJobs(t *testing.T) {
	t.Parallel()
	broken := &audio.DecodeError{Code: audio.CodeDecode, Message: "breaks off after 3 s"}
	cases := []struct {
		name string
		f    formFields
		err  error
		want string
	}{
		{"json", formFields{}, nil, `"status":"done","progress":1,"result":{"text":"اثنين برجر","usage":{"type":"duration","seconds":2}}}`},
		{"text", formFields{"response_format": "text"}, nil, `"status":"done","progress":1,"result":"اثنين برجر\n"}`},
		{"verbose", formFields{"response_format": "verbose_json"}, nil, `"status":"done","progress":1,"result":{"task":"transcribe",…}}`},
		{"restaurant", formFields{"X-SESSION-MODE": "restaurant", "X-SESSION-ID": "t1"}, nil, `…"text":"2 برجر"…`},
		{"breaks off", formFields{}, broken, `"status":"failed","progress":0.5,"detail":[{"type":"audio_decode_error","loc":["body","file"],"msg":"breaks off after 3 s","input":null}]}`},
		{"too long", formFields{}, &audio.DecodeError{Code: audio.CodeTooLong}, `"status":"failed","progress":0.5,"detail":"The recording is longer than this endpoint accepts (24 hours)"}`},
		{"our fault", formFields{}, fmt.Errorf("/secret"), `"status":"failed","progress":0.5,"detail":"Internal Server Error"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newSTTFixture(t)
			ended := make(chan struct{})
			b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
				defer close(ended)
				if o.Priority != engine.Batch {
					t.Errorf("priority %v", o.Priority)
				}
				o.OnProgress(0.5, 1)
				if c.err != nil {
					return nil, c.err
				}
				return speakTexts(o, "اثنين برجر")
			}
			c.f["file"] = "sound"
			id := b.bookJob(t, c.f)
			stop := runWorkers(t, b.TranscriptionService)
			<-ended
			got := b.pollJob(t, id)
			stop()
			if want := `{"id":"` + id + `",` + c.want; !matchesText(got, strings.Replace(want, `",…`, `"…`, 1)) {
				t.Errorf("got %s\nwant %s", got, want)
			}
			if w := b.getPath(t, jobs+"/"+id, "two"); w.Code != 404 || strings.TrimSpace(w.Body.String()) != `{"detail":"Not Found"}` {
				t.Errorf("another organization sees %d %s", w.Code, w.Body)
			}
			noUploads(t, b.deps.Jobs)
		})
	}
}

// pollJob asks until the job has ended, as a client does.
func (b *sttFixture) pollJob(t *testing.T, id string) string {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		body := b.getPath(t, jobs+"/"+id, "one").Body.String()
		if strings.Contains(body, `"done"`) || strings.Contains(body, `"failed"`) {
			return body
		}
		if t.Context().Err() != nil {
			break
		}
	}
	t.Fatal("the job never ended")
	return ""
}

// TestJobThatBreaksDown: a panic fails one job, and the next one runs.
func TestJobThatBreaksDown(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.transcribe = func(context.Context, engine.SampleSource, engine.TranscribeOptions) (*engine.Result, error) {
		panic("index out of range")
	}
	id := b.bookJob(t, formFields{"file": "sound"})
	stop := runWorkers(t, b.TranscriptionService)
	defer func() { stop() }()
	if got := b.pollJob(t, id); !strings.Contains(got, `"status":"failed"`) || !strings.Contains(got, `"detail":"Internal Server Error"`) {
		t.Errorf("got %s", got)
	}
	stop()
	b.hears.transcribe, b.hears.says = nil, []string{"نعم"}
	id = b.bookJob(t, formFields{"file": "sound"})
	stop = runWorkers(t, b.TranscriptionService)
	if got := b.pollJob(t, id); !strings.Contains(got, `"status":"done"`) {
		t.Errorf("the next: %s", got)
	}
}

// TestJobSurvivesRestart: cut off in the middle, it begins again with the next process and its file is still there.
func TestJobSurvivesRestart(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	begun := make(chan struct{})
	b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, _ engine.TranscribeOptions) (*engine.Result, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	id := b.bookJob(t, formFields{"file": "sound"})
	stop := runWorkers(t, b.TranscriptionService)
	<-begun
	if body := b.getPath(t, jobs+"/"+id, "one").Body.String(); !strings.Contains(body, `"status":"running"`) {
		t.Errorf("got %s", body)
	}
	stop()
	mustSucceed(t, os.WriteFile(filepath.Join(b.deps.Jobs, "upload-7.part"), nil, 0o600))
	again, err := stt.NewService(b.deps)
	mustSucceed(t, err)
	b.hears.transcribe, b.hears.says = nil, []string{"نعم"}
	stop = runWorkers(t, again)
	if body := b.pollJob(t, id); !strings.Contains(body, `"text":"نعم"`) {
		t.Errorf("got %s", body)
	}
	stop()
	noUploads(t, b.deps.Jobs)
}

func TestJobRefusals(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) { d.Limits.JobQueue = 1 })
	for _, c := range []struct {
		name   string
		f      formFields
		status int
		body   string
	}{
		{"no file", formFields{}, 422, `{"detail":[{"type":"missing"…`},
		{"no audio", formFields{"file": "junk "}, 422, `{"detail":[{"type":"audio_decode_error"…`},
		{"too large", formFields{"file": strings.Repeat("a", 2<<20+1)}, 413, `{"detail":"The file is larger than this endpoint accepts (2 MiB)"}`},
		{"no key", formFields{"AUTHORIZATION": "x"}, 401, `…`},
		{"queued", formFields{"file": "sound"}, 202, `…"status":"queued"}`},
		{"queue full", formFields{"file": "sound"}, 429, `{"detail":"Too many jobs are waiting; try again later"}`},
	} {
		w := b.postForm(t, jobs, c.f)
		if w.Code != c.status || !matchesText(w.Body.String(), c.body) {
			t.Errorf("%s: got %d %s", c.name, w.Code, w.Body)
		}
	}
	for _, id := range []string{"nope", "..%2f..", "%00", strings.Repeat("a", 5000)} {
		if w := b.getPath(t, jobs+"/"+id, "one"); w.Code != 404 {
			t.Errorf("%q: got %d %s", id, w.Code, w.Body)
		}
	}
	entries, err := os.ReadDir(b.deps.Jobs)
	mustSucceed(t, err)
	if len(entries) != 1 {
		t.Errorf("%d uploads for one job", len(entries))
	}
}

// TestJobQueueOfOneOrganization: one whose share of the queue is full leaves room for another's jobs.
func TestJobQueueOfOneOrganization(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) { d.Limits.JobQueue, d.Limits.JobShare = 3, 2 })
	for i, c := range []struct {
		key    string
		status int
		say    string
	}{
		{"one", 202, "queued"},
		{"one", 202, "queued"},
		{"one", 429, "Your organization has reached its limit of 2 waiting jobs"},
		{"two", 202, "queued"},
		{"two", 429, "Too many jobs are waiting; try again later"},
	} {
		w := b.postForm(t, jobs, formFields{"file": "sound", "AUTHORIZATION": "Bearer " + c.key})
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.say) {
			t.Errorf("job %d, of %s: got %d %s", i, c.key, w.Code, w.Body)
		}
	}
}

// TestJobQueueAtOnce: uploads that arrive at the same moment do not pass the limit together, and those that are refused
// leave no file.
func TestJobQueueAtOnce(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) { d.Limits.JobQueue, d.Limits.JobShare = 9, 2 })
	var accepted, refused atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			switch w := b.postForm(t, jobs, formFields{"file": "sound"}); w.Code {
			case http.StatusAccepted:
				accepted.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				t.Errorf("got %d %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(b.deps.Jobs)
	mustSucceed(t, err)
	if accepted.Load() != 2 || refused.Load() != 14 || len(entries) != 2 {
		t.Errorf("%d jobs were accepted and %d refused, with %d uploads; want 2, 14, 2", accepted.Load(), refused.Load(), len(entries))
	}
}

// TestJobWaitsForTheQueue: an accepted job is not failed because the engine is busy.
func TestJobWaitsForTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newSTTFixture(t)
		tries := 0
		b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
			if tries++; tries < 4 {
				return nil, &engine.ErrBusy{RetryAfter: 20 * time.Second}
			}
			return speakTexts(o, "نعم")
		}
		id := b.bookJob(t, formFields{"file": "sound"})
		stop := runWorkers(t, b.TranscriptionService)
		time.Sleep(59 * time.Second) // virtual time
		if body := b.getPath(t, jobs+"/"+id, "one").Body.String(); !strings.Contains(body, `"running"`) {
			t.Errorf("while the queue is full: %s", body)
		}
		time.Sleep(2 * time.Second)
		if body := b.getPath(t, jobs+"/"+id, "one").Body.String(); !strings.Contains(body, "نعم") || tries != 4 {
			t.Errorf("after %d tries: %s", tries, body)
		}
		stop()
	})
}

// TestJobIsForgotten: a day after it ended, not before.
func TestJobIsForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	b := newSTTFixture(t, func(d *stt.Dependencies) { d.Now = func() time.Time { return now } })
	id := b.bookJob(t, formFields{"file": "sound"})
	stop := runWorkers(t, b.TranscriptionService)
	b.pollJob(t, id)
	stop()
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{24*time.Hour - time.Second, 200}, {time.Second, 404}} {
		now = now.Add(step.after)
		mustSucceed(t, b.SweepJobs(t.Context()))
		if w := b.getPath(t, jobs+"/"+id, "one"); w.Code != step.want {
			t.Errorf("%v later: %d, want %d", step.after, w.Code, step.want)
		}
	}
}
