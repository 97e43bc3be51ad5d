package storetest

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/job"
)

// jobLife: a job from queued to done; each step is read back.
func jobLife(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "one", startTime())
	wantJob(t, s, "bakery", "one", job.Queued, 0)
	wantQueued(t, s, 1)
	claimed, ok, err := s.ClaimJob(t.Context(), startTime().Add(time.Second))
	wantCode(t, "ClaimJob", err, "")
	if !ok || claimed.ID != "one" || claimed.OrgID != "bakery" || claimed.Status != job.Running || claimed.Runs != 1 ||
		string(claimed.Parameters) != `{"format":"json"}` || claimed.Input != "one.upload" {
		t.Fatalf("claimed %+v, %v", claimed, ok)
	}
	wantQueued(t, s, 0)
	wantCode(t, "ReportJob", s.ReportJob(t.Context(), "bakery", "one", 0.5), "")
	wantJob(t, s, "bakery", "one", job.Running, 0.5)
	result := json.RawMessage(`{"text":"` + string(bytes.Repeat([]byte("سلام "), 20_000)) + `"}`)
	end := startTime().Add(time.Minute)
	wantCode(t, "FinishJob", s.FinishJob(t.Context(), "bakery", "one", result, end), "")
	done := wantJob(t, s, "bakery", "one", job.Done, 1)
	if !bytes.Equal(done.Result, result) || done.FinishedAt == nil || !done.FinishedAt.Equal(end) {
		t.Fatalf("%d bytes of result at %v", len(done.Result), done.FinishedAt)
	}
	list, err := s.JobsPage(t.Context(), "bakery", 10, "")
	if wantCode(t, "JobsPage", err, ""); len(list.Items) != 1 || list.Items[0].Result != nil ||
		list.Items[0].Status != job.Done {
		t.Fatalf("listed %+v", list.Items)
	}
}

// jobFailed: a failure is stored, and ends the job.
func jobFailed(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "one", startTime())
	claimJob(t, s, "one")
	why := job.JobFailure{Code: "audio_decode_error", Message: "no audio"}
	wantCode(t, "FailJob", s.FailJob(t.Context(), "bakery", "one", why, startTime()), "")
	failed := wantJob(t, s, "bakery", "one", job.Failed, 0)
	if failed.Failure == nil || *failed.Failure != why || failed.Result != nil {
		t.Fatalf("read back %+v", failed)
	}
	_, ok, err := s.ClaimJob(t.Context(), startTime())
	if wantCode(t, "ClaimJob", err, ""); ok {
		t.Fatal("a failed job was claimed")
	}
}

// jobRefusals: transitions and arguments that are not allowed change nothing.
func jobRefusals(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "one", startTime())
	ctx, why := t.Context(), job.JobFailure{Code: "x"}
	wantCode(t, "same id", s.EnqueueJob(ctx, newJob("bakery", "one", startTime()), job.QueueLimits{}), store.CodeConflict)
	wantCode(t, "slash", s.EnqueueJob(ctx, newJob("bakery", "a/b", startTime()), job.QueueLimits{}), store.CodeInvalid)
	ended := job.Job{OrgID: "bakery", ID: "z", Status: job.Done}
	wantCode(t, "not queued", s.EnqueueJob(ctx, ended, job.QueueLimits{}), store.CodeInvalid)
	wantCode(t, "report of a queued job", s.ReportJob(ctx, "bakery", "one", 1), store.CodeConflict)
	wantCode(t, "finish of a queued job", s.FinishJob(ctx, "bakery", "one", nil, startTime()), store.CodeConflict)
	wantCode(t, "fail of a queued job", s.FailJob(ctx, "bakery", "one", why, startTime()), store.CodeConflict)
	wantCode(t, "report of no job", s.ReportJob(ctx, "bakery", "two", 1), store.CodeNotFound)
	wantJob(t, s, "bakery", "one", job.Queued, 0)
	claimJob(t, s, "one")
	huge := make(json.RawMessage, store.MaxResult+1)
	wantCode(t, "huge result", s.FinishJob(ctx, "bakery", "one", huge, startTime()), store.CodeTooLarge)
	wantJob(t, s, "bakery", "one", job.Running, 0)
	wantCode(t, "FinishJob", s.FinishJob(ctx, "bakery", "one", json.RawMessage(`1`), startTime()), "")
	wantCode(t, "second end", s.FinishJob(ctx, "bakery", "one", json.RawMessage(`2`), startTime()), store.CodeConflict)
	if done := wantJob(t, s, "bakery", "one", job.Done, 1); string(done.Result) != `1` {
		t.Fatalf("a refused end replaced the result by %s", done.Result)
	}
}

// jobsRequeued: an interrupted job is requeued behind all waiting ones, and fails after [job.MaxRuns] runs.
func jobsRequeued(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "old", startTime())
	enqueueJob(t, s, "bakery", "new", startTime().Add(time.Second))
	for run := 1; run <= job.MaxRuns; run++ {
		claimJob(t, s, "old")
		wantCode(t, "ReportJob", s.ReportJob(t.Context(), "bakery", "old", 0.5), "")
		back, err := s.RequeueRunning(t.Context(), startTime().Add(time.Minute))
		if wantCode(t, "RequeueRunning", err, ""); len(back) != 1 || back[0].ID != "old" {
			t.Fatalf("run %d: requeued %+v", run, back)
		}
		if run < job.MaxRuns {
			wantJob(t, s, "bakery", "old", job.Queued, 0)
		}
		if run == 1 {
			claimJob(t, s, "new")
			wantCode(t, "FinishJob", s.FinishJob(t.Context(), "bakery", "new", json.RawMessage(`{}`), startTime()), "")
		}
	}
	given := wantJob(t, s, "bakery", "old", job.Failed, 0.5)
	if given.Failure == nil || given.FinishedAt == nil {
		t.Fatalf("given up without a reason: %+v", given)
	}
}

// jobsReturned: a job that its worker returns keeps its place in the queue, any number of times.
func jobsReturned(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "old", startTime())
	enqueueJob(t, s, "bakery", "new", startTime().Add(time.Second))
	for range 2 * job.MaxRuns {
		claimJob(t, s, "old")
		wantCode(t, "ReportJob", s.ReportJob(t.Context(), "bakery", "old", 0.5), "")
		wantCode(t, "ReturnJob", s.ReturnJob(t.Context(), "bakery", "old"), "")
		wantJob(t, s, "bakery", "old", job.Queued, 0)
	}
	wantCode(t, "return of a queued job", s.ReturnJob(t.Context(), "bakery", "old"), store.CodeConflict)
	wantCode(t, "return of no job", s.ReturnJob(t.Context(), "bakery", "none"), store.CodeNotFound)
}

// jobsExpire: ended jobs expire after [job.Keep], oldest end first; waiting ones never do.
func jobsExpire(t *testing.T, s store.Store) {
	for i, id := range []string{"first", "second", "running", "queued"} {
		enqueueJob(t, s, "bakery", id, startTime().Add(time.Duration(i)))
	}
	for i, id := range []string{"first", "second"} {
		claimJob(t, s, id)
		end := startTime().Add(time.Duration(i) * time.Hour)
		wantCode(t, "FinishJob", s.FinishJob(t.Context(), "bakery", id, json.RawMessage(`{}`), end), "")
	}
	claimJob(t, s, "running")
	for _, c := range []struct {
		after time.Duration
		want  string
	}{{job.Keep - 1, ""}, {job.Keep, "first"}, {100 * job.Keep, "second"}, {200 * job.Keep, ""}} {
		gone, err := s.ExpireJobs(t.Context(), startTime().Add(c.after))
		wantCode(t, "ExpireJobs", err, "")
		if c.want == "" && len(gone) != 0 || c.want != "" && (len(gone) != 1 || gone[0].Input != c.want+".upload") {
			t.Fatalf("after %v: expired %+v, want %q", c.after, gone, c.want)
		}
		if c.want != "" {
			_, err := s.FindJob(t.Context(), "bakery", c.want)
			wantCode(t, "an expired job", err, store.CodeNotFound)
		}
	}
	wantJob(t, s, "bakery", "running", job.Running, 0)
	wantJob(t, s, "bakery", "queued", job.Queued, 0)
}

// testTenantIsolation: another organization's records are not found.
func testTenantIsolation(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "one", startTime())
	enqueueJob(t, s, "bakery2", "one", startTime())
	claimJob(t, s, "one")
	_, err := s.FindJob(t.Context(), "airline", "one")
	wantCode(t, "another's job", err, store.CodeNotFound)
	err = s.FinishJob(t.Context(), "airline", "one", json.RawMessage(`{}`), startTime())
	wantCode(t, "end of another's job", err, store.CodeNotFound)
	for orgID, want := range map[string]int{"airline": 0, "bakery": 1, "bakery2": 1, "": 0} {
		list, err := s.JobsPage(t.Context(), orgID, 10, "")
		if wantCode(t, "JobsPage", err, ""); len(list.Items) != want {
			t.Errorf("%s sees %d jobs, want %d", orgID, len(list.Items), want)
		}
	}
	_, err = s.RemoveJob(t.Context(), "airline", "one")
	wantCode(t, "removal of another's job", err, store.CodeNotFound)
	err = s.RecordCallback(t.Context(), "airline", "one", job.CallbackTry{}, startTime())
	wantCode(t, "callback of another's job", err, store.CodeNotFound)
	wantJob(t, s, "bakery", "one", job.Running, 0)
}

// newJob returns a queued job.
func newJob(orgID, id string, created time.Time) job.Job {
	return job.Job{
		ID: id, OrgID: orgID, Status: job.Queued, Parameters: json.RawMessage(`{"format":"json"}`),
		Input: id + ".upload", CreatedAt: created,
	}
}

// enqueueJob adds a job.
func enqueueJob(t *testing.T, s store.Store, orgID, id string, created time.Time) {
	t.Helper()
	wantCode(t, "EnqueueJob "+id, s.EnqueueJob(t.Context(), newJob(orgID, id, created), job.QueueLimits{}), "")
}

// claimJob claims the next job and fails unless it has the id.
func claimJob(t *testing.T, s store.Store, id string) {
	t.Helper()
	j, ok, err := s.ClaimJob(t.Context(), startTime())
	if wantCode(t, "ClaimJob", err, ""); !ok || j.ID != id {
		t.Fatalf("claimed %q, %v, want %q", j.ID, ok, id)
	}
}

// wantJob reads a job and fails unless it has the status and progress.
func wantJob(t *testing.T, s store.Store, orgID, id string, status job.JobStatus, progress float64) job.Job {
	t.Helper()
	j, err := s.FindJob(t.Context(), orgID, id)
	if wantCode(t, "Job", err, ""); j.Status != status || j.Progress != progress {
		t.Fatalf("job %s is %s at %v, want %s at %v", id, j.Status, j.Progress, status, progress)
	}
	return j
}

// wantQueued fails unless n jobs wait.
func wantQueued(t *testing.T, s store.Store, n int) {
	t.Helper()
	_, got, err := s.QueuedJobs(t.Context(), "bakery")
	if wantCode(t, "QueuedJobs", err, ""); got != n {
		t.Fatalf("%d jobs wait, want %d", got, n)
	}
}
