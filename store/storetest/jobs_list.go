package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/job"
)

// jobsListed: jobs are listed newest first, in pages; a cursor of another list is refused.
func jobsListed(t *testing.T, s store.Store) {
	var want []string
	for i := range 7 {
		id := fmt.Sprint("job", (i*5)%7)
		enqueueJob(t, s, "bakery", id, startTime().Add(time.Duration(i)*time.Second))
		want = append([]string{id}, want...)
	}
	enqueueJob(t, s, "airline", "other", startTime().Add(time.Hour))
	claimJob(t, s, "job0")
	var got []string
	for cursor, pages := "", 0; ; pages++ {
		page, err := s.JobsPage(t.Context(), "bakery", 3, cursor)
		if wantCode(t, "JobsPage", err, ""); len(page.Items) == 0 || pages > 3 {
			t.Fatalf("page %d: %+v", pages, page)
		}
		for _, j := range page.Items {
			got = append(got, j.ID)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
		_, err = s.JobsPage(t.Context(), "airline", 3, cursor)
		wantCode(t, "another's cursor", err, store.CodeInvalid)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	for _, limit := range []int{0, -1, 201} {
		_, err := s.JobsPage(t.Context(), "bakery", limit, "")
		wantCode(t, fmt.Sprint("limit ", limit), err, store.CodeInvalid)
	}
	_, err := s.JobsPage(t.Context(), "bakery", 3, "bm9uc2Vuc2U")
	wantCode(t, "no cursor", err, store.CodeInvalid)
}

// jobsRemoved: a job is removed in any status, with its result.
func jobsRemoved(t *testing.T, s store.Store) {
	for i, id := range []string{"done", "running", "queued"} {
		enqueueJob(t, s, "bakery", id, startTime().Add(time.Duration(i)*time.Second))
	}
	claimJob(t, s, "done")
	wantCode(t, "FinishJob", s.FinishJob(t.Context(), "bakery", "done", json.RawMessage(`{}`), startTime()), "")
	claimJob(t, s, "running")
	for _, id := range []string{"done", "running", "queued"} {
		removed, err := s.RemoveJob(t.Context(), "bakery", id)
		if wantCode(t, "RemoveJob "+id, err, ""); string(removed.Status) != id || removed.Input != id+".upload" {
			t.Errorf("removed %+v", removed)
		}
		_, err = s.FindJob(t.Context(), "bakery", id)
		wantCode(t, "a removed job", err, store.CodeNotFound)
		_, err = s.RemoveJob(t.Context(), "bakery", id)
		wantCode(t, "a second removal", err, store.CodeNotFound)
	}
	ctx := t.Context()
	wantCode(t, "report", s.ReportJob(ctx, "bakery", "running", 0.5), store.CodeNotFound)
	wantCode(t, "end", s.FinishJob(ctx, "bakery", "running", json.RawMessage(`{}`), startTime()), store.CodeNotFound)
	wantCode(t, "return", s.ReturnJob(ctx, "bakery", "running"), store.CodeNotFound)
	wantQueued(t, s, 0)
	_, ok, err := s.ClaimJob(ctx, startTime())
	if wantCode(t, "ClaimJob", err, ""); ok {
		t.Error("a removed job was claimed")
	}
	gone, err := s.ExpireJobs(ctx, startTime().Add(100*job.Keep))
	if wantCode(t, "ExpireJobs", err, ""); len(gone) > 0 {
		t.Errorf("removed jobs expired: %+v", gone)
	}
	page, err := s.JobsPage(ctx, "bakery", 10, "")
	if wantCode(t, "JobsPage", err, ""); len(page.Items) > 0 {
		t.Errorf("removed jobs are listed: %+v", page.Items)
	}
}

// jobCallbacks: a callback is pending from the end of a job, done or failed, with up to three attempts two seconds
// apart.
func jobCallbacks(t *testing.T, s store.Store) {
	woken, stop := s.WatchKind(store.CallbacksChanged)
	defer stop()
	for i, id := range []string{"done", "failed", "silent"} {
		j := newJob("bakery", id, startTime().Add(time.Duration(i)*time.Second))
		if id != "silent" {
			j.Callback = job.NewCallback("https://example.test/" + id)
		}
		wantCode(t, "EnqueueJob", s.EnqueueJob(t.Context(), j, job.QueueLimits{}), "")
		claimJob(t, s, id)
	}
	wantCallbacks(t, s, startTime().Add(time.Hour))
	ctx, try := t.Context(), job.CallbackTry{At: startTime(), StatusCode: 500, Error: "answered 500"}
	wantCode(t, "a callback before the end", s.RecordCallback(ctx, "bakery", "done", try, startTime()), store.CodeConflict)
	wantCode(t, "FinishJob", s.FinishJob(ctx, "bakery", "done", json.RawMessage(`{}`), startTime()), "")
	wantCode(t, "FailJob", s.FailJob(ctx, "bakery", "failed", job.JobFailure{Code: "x"}, startTime().Add(time.Second)), "")
	wantCode(t, "FinishJob", s.FinishJob(ctx, "bakery", "silent", json.RawMessage(`{}`), startTime()), "")
	select {
	case <-woken:
	default:
		t.Error("no watcher was notified")
	}
	wantCallbacks(t, s, startTime(), "done")
	now := startTime().Add(time.Second)
	wantCallbacks(t, s, now, "done", "failed")
	due, next, err := s.DueCallbacks(ctx, func(_, id string) bool { return id == "done" }, startTime(), 10)
	if wantCode(t, "DueCallbacks", err, ""); len(due) != 0 || !next.Equal(now) {
		t.Errorf("due %+v, next %v, want %v", due, next, now)
	}
	for n := 1; n <= job.MaxCallbackTries; n++ {
		wantCode(t, "RecordCallback", s.RecordCallback(ctx, "bakery", "done", try, now), "")
		wantCallbacks(t, s, now.Add(job.CallbackPause-1), "failed")
		now = now.Add(job.CallbackPause)
	}
	good := job.CallbackTry{At: now, StatusCode: 204}
	wantCode(t, "RecordCallback", s.RecordCallback(ctx, "bakery", "failed", good, now), "")
	wantCallbacks(t, s, now.Add(time.Hour))
	for id, want := range map[string]job.CallbackState{"done": job.CallbackFailed, "failed": job.CallbackDelivered} {
		j, err := s.FindJob(ctx, "bakery", id)
		if wantCode(t, "Job", err, ""); j.Callback.State != want {
			t.Errorf("%s: %+v", id, j.Callback)
		}
		wantCode(t, "one try too many", s.RecordCallback(ctx, "bakery", id, good, now), store.CodeConflict)
	}
}

// jobCallbackRemoved: a removed or expired job has no pending callback.
func jobCallbackRemoved(t *testing.T, s store.Store) {
	for i, id := range []string{"removed", "expired"} {
		j := newJob("bakery", id, startTime().Add(time.Duration(i)))
		j.Callback = job.NewCallback("https://example.test/")
		wantCode(t, "EnqueueJob", s.EnqueueJob(t.Context(), j, job.QueueLimits{}), "")
		claimJob(t, s, id)
		wantCode(t, "FinishJob", s.FinishJob(t.Context(), "bakery", id, json.RawMessage(`{}`), startTime()), "")
	}
	_, err := s.RemoveJob(t.Context(), "bakery", "removed")
	wantCode(t, "RemoveJob", err, "")
	wantCallbacks(t, s, startTime(), "expired")
	_, err = s.ExpireJobs(t.Context(), startTime().Add(job.Keep))
	wantCode(t, "ExpireJobs", err, "")
	wantCallbacks(t, s, startTime().Add(time.Hour))
}

// wantCallbacks fails unless the callbacks of exactly these jobs are due.
func wantCallbacks(t *testing.T, s store.Store, now time.Time, ids ...string) {
	t.Helper()
	due, _, err := s.DueCallbacks(t.Context(), nil, now, 10)
	wantCode(t, "DueCallbacks", err, "")
	var got []string
	for _, j := range due {
		got = append(got, j.ID)
	}
	if !slices.Equal(got, ids) {
		t.Errorf("due %v, want %v", got, ids)
	}
}
