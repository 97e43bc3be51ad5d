package job_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"munadi/store/job"
)

// TestEveryPair tests every status with every event; the listed transitions are the only ones.
func TestEveryPair(t *testing.T) {
	t.Parallel()
	arrows := map[[2]string]job.JobStatus{
		{"queued", "claim"}:    job.Running,
		{"running", "report"}:  job.Running,
		{"running", "finish"}:  job.Done,
		{"running", "fail"}:    job.Failed,
		{"running", "requeue"}: job.Queued,
	}
	for _, status := range job.AllStatuses() {
		for _, event := range job.AllEvents() {
			want, allowed := arrows[[2]string{string(status), string(event)}]
			got, ok := status.NextStatus(event)
			if ok != allowed || allowed && got != want {
				t.Errorf("%s -%s→ %s, %v; want %s, %v", status, event, got, ok, want, allowed)
			}
			checkMethods(t, status, event, allowed, want)
		}
		if got, ok := status.NextStatus("dance"); ok {
			t.Errorf("%s follows an unknown event to %s", status, got)
		}
	}
}

// checkMethods compares the methods of Job with the table.
func checkMethods(t *testing.T, status job.JobStatus, event job.JobEvent, allowed bool, want job.JobStatus) {
	t.Helper()
	now := time.Unix(1, 0)
	call := map[job.JobEvent]func(job.Job) (job.Job, error){
		job.Claim:   func(j job.Job) (job.Job, error) { return j.ClaimAt(now) },
		job.Report:  func(j job.Job) (job.Job, error) { return j.ReportProgress(0.5) },
		job.Finish:  func(j job.Job) (job.Job, error) { return j.FinishWith(json.RawMessage(`{}`), now) },
		job.Fail:    func(j job.Job) (job.Job, error) { return j.FailWith(job.JobFailure{Code: "x"}, now) },
		job.Requeue: func(j job.Job) (job.Job, error) { return j.InterruptAt(now) },
	}[event]
	after, err := call(job.Job{Status: status})
	var refused *job.TransitionError
	switch {
	case allowed && (err != nil || after.Status != want):
		t.Errorf("%s on a %s job: %s, %v; want %s", event, status, after.Status, err, want)
	case !allowed && (!errors.As(err, &refused) || refused.From != status || refused.Event != event):
		t.Errorf("%s on a %s job: error %v", event, status, err)
	case !allowed && after.Status != status:
		t.Errorf("a refused %s moved a %s job to %s", event, status, after.Status)
	case after.Status.IsFinal() != (after.FinishedAt != nil) && allowed:
		t.Errorf("%s leaves a %s job with FinishedAt %v", event, after.Status, after.FinishedAt)
	}
}

func TestProgressNeverFalls(t *testing.T) {
	t.Parallel()
	running := job.Job{Status: job.Running}
	for _, step := range [][2]float64{
		{0.25, 0.25}, {0.1, 0.25}, {-3, 0.25}, {0.5, 0.5}, {math.NaN(), 0.5}, {7, 1}, {math.Inf(1), 1},
	} {
		next, err := running.ReportProgress(step[0])
		if err != nil || next.Progress != step[1] {
			t.Fatalf("Report(%v) = %v, %v, want %v", step[0], next.Progress, err, step[1])
		}
		running = next
	}
}

func TestInterruptedOverAndOver(t *testing.T) {
	t.Parallel()
	now := time.Unix(100, 0)
	j := job.Job{Status: job.Queued}
	for run := 1; ; run++ {
		for _, step := range []func(job.Job) (job.Job, error){
			func(j job.Job) (job.Job, error) { return j.ClaimAt(now) },
			func(j job.Job) (job.Job, error) { return j.ReportProgress(0.5) },
			func(j job.Job) (job.Job, error) { return j.InterruptAt(now) },
		} {
			var err error
			if j, err = step(j); err != nil {
				t.Fatal(err)
			}
		}
		if run < job.MaxRuns {
			if j.Status != job.Queued || j.Progress != 0 || j.StartedAt != nil {
				t.Fatalf("after interruption %d: %+v", run, j)
			}
			continue
		}
		if j.Status != job.Failed || j.Failure == nil || j.Failure.Code != "interrupted" {
			t.Fatalf("after interruption %d: %+v", run, j)
		}
		return
	}
}
