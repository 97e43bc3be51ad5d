package badger

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"munadi/store/call"
	"munadi/store/job"
)

// killDir, in the environment, makes the test binary the writer that is killed.
const killDir = "MUNADI_STORE_KILL_DIR"

// TestMain runs a writer in the child process, and the tests otherwise.
func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		if err := writeUntilKilled(dir, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if dir := os.Getenv(fillDir); dir != "" {
		if err := writeWhileFilled(dir, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// Fewer runs than the library's hundred, since every step is synced; -rapid.checks asks for more.
	if err := flag.Set("rapid.checks", "25"); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(m.Run())
}

// TestKilledWriterLosesNothing kills a writing process, in several rounds on the same folder: acknowledged changes
// exist, and others exist completely or not at all.
func TestKilledWriterLosesNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir, acked, calls := t.TempDir(), map[string]job.JobStatus{}, map[string]callStep{}
	for round := range 5 {
		acks := 100 + rand.IntN(600)
		killAfter(t, dir, acks, acked, calls)
		s, err := OpenStore(dir, OpenOptions{})
		if err != nil {
			t.Fatalf("round %d, killed after %d acknowledgements: %v", round, acks, err)
		}
		checkAcknowledged(t, s, acked)
		checkWhole(t, s)
		checkCallsAcknowledged(t, s, calls)
		checkIndexes(t, s)
		if lost := s.LostTransactions(); lost > 0 {
			t.Errorf("%d transactions are missed after a kill", lost)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("in round %d, killed after %d acknowledgements", round, acks)
		}
	}
	if len(acked) == 0 || len(calls) == 0 {
		t.Errorf("%d jobs and %d calls were acknowledged: the test proves nothing", len(acked), len(calls))
	}
}

// killAfter starts a writer, kills it once it has acknowledged n changes, and records what it acknowledged.
func killAfter(t *testing.T, dir string, n int, acked map[string]job.JobStatus, calls map[string]callStep) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	writer := exec.CommandContext(t.Context(), self)
	writer.Env = append(os.Environ(), killDir+"="+dir)
	var complaint bytes.Buffer
	writer.Stderr = &complaint
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for seen := 0; lines.Scan(); seen++ {
		status, id, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			t.Errorf("half an acknowledgement: %q", lines.Text())
		}
		if call.ValidID(id) {
			calls[id] = callStep(status)
		} else {
			acked[id] = job.JobStatus(status)
		}
		if seen == n {
			if err := writer.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writer.Wait(); err == nil || complaint.Len() > 0 {
		t.Fatalf("the writer was not killed: %v %s", err, &complaint)
	}
}

// writeUntilKilled takes jobs through all steps, several at a time, and prints every acknowledged step.
func writeUntilKilled(dir string, out io.Writer) error {
	s, err := OpenStore(dir, OpenOptions{})
	if err != nil {
		return err
	}
	campaignID, err := prepareCalls(s)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for w := range 6 {
		go func() { failed <- runJobs(s, fmt.Sprintf("%d-%d", os.Getpid(), w), out) }()
		go func() { failed <- callLives(s, campaignID, out) }()
	}
	return <-failed
}

// runJobs repeatedly adds a job, claims the oldest one and finishes it.
func runJobs(s *BadgerStore, name string, out io.Writer) error {
	ctx := context.Background()
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", name, i)
		created := job.Job{ID: id, OrgID: "bakery", Status: job.Queued, Input: id, CreatedAt: time.Now()}
		if err := s.EnqueueJob(ctx, created, job.QueueLimits{}); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", job.Queued, id) // one write each: whole lines
		claimed, ok, err := s.ClaimJob(ctx, time.Now())
		if err != nil || !ok {
			return fmt.Errorf("claim: %v, %w", ok, err)
		}
		fmt.Fprintf(out, "%s %s\n", job.Running, claimed.ID)
		if err := s.FinishJob(ctx, "bakery", claimed.ID, resultOf(claimed.ID), time.Now()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n", job.Done, claimed.ID)
	}
}

// resultOf returns the result of the job of that id; some are large enough for the value log.
func resultOf(id string) json.RawMessage {
	n := 10
	if strings.HasSuffix(id, "7") {
		n = 10_000
	}
	return json.RawMessage(`"` + strings.Repeat(id, n) + `"`)
}

// checkAcknowledged fails unless every job is at least at its acknowledged step.
func checkAcknowledged(t *testing.T, s *BadgerStore, acked map[string]job.JobStatus) {
	t.Helper()
	rank := map[job.JobStatus]int{job.Queued: 1, job.Running: 2, job.Done: 3}
	for id, status := range acked {
		j, err := s.FindJob(t.Context(), "bakery", id)
		if err != nil || rank[j.Status] < rank[status] {
			t.Errorf("job %s, acknowledged as %s, is %q: %v", id, status, j.Status, err)
		}
		if j.Status == job.Done && !bytes.Equal(j.Result, resultOf(id)) {
			t.Errorf("job %s has another result", id)
		}
	}
}

// checkWhole fails unless each job has exactly the index entry of its status, and the indexes hold nothing else.
func checkWhole(t *testing.T, s *BadgerStore) {
	t.Helper()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		jobs, err := listRecords[job.Job](v, joinPrefix("job"))
		if err != nil {
			return err
		}
		results := 0
		for _, j := range jobs {
			if placed, err := v.hasKey(entryOfRecord(t, "job", j, j.OrgID, j.ID)); !placed || err != nil {
				t.Errorf("the %s job %s is not in its index: %v", j.Status, j.ID, err)
			}
			if j.Status == job.Done {
				results++
			}
		}
		entries := 0
		for _, kind := range []string{"job-queue", "job-running", "job-ended"} {
			v.visitKeys(joinPrefix(kind), func(string) bool { entries++; return true })
		}
		if entries != len(jobs) {
			t.Errorf("%d index entries for %d jobs", entries, len(jobs))
		}
		v.visitKeys(joinPrefix("job-result"), func(string) bool { results--; return true })
		if results != 0 {
			t.Errorf("%d done jobs lack a result", results)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
