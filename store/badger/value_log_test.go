package badger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/job"
)

// largeResult is the result of job n, which is stored in the value log.
func largeResult(n int) json.RawMessage {
	return json.RawMessage(`"` + strings.Repeat(fmt.Sprintf("%08d", n), 10_000) + `"`)
}

// endJobs adds jobs with large results.
func endJobs(t *testing.T, s *BadgerStore, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		j := job.Job{ID: fmt.Sprintf("job%d", n), OrgID: "bakery", Status: job.Queued, Input: "x", CreatedAt: testClock()}
		mustSucceed(t, s.EnqueueJob(t.Context(), j, job.QueueLimits{}))
		_, ok, err := s.ClaimJob(t.Context(), testClock())
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		mustSucceed(t, s.FinishJob(t.Context(), "bakery", j.ID, largeResult(n), testClock()))
	}
}

// checkResults fails for each job result that is neither right nor, if it is one of lost, reported as unreadable.
func checkResults(t *testing.T, s *BadgerStore, count int, lost ...int) {
	t.Helper()
	for n := range count {
		j, err := s.FindJob(t.Context(), "bakery", fmt.Sprintf("job%d", n))
		isLost := false
		for _, l := range lost {
			isLost = isLost || l == n
		}
		switch {
		case isLost && store.CodeOf(err) != store.CodeCorrupt:
			t.Errorf("the lost result %d: %d bytes, %v", n, len(j.Result), err)
		case !isLost && (err != nil || !bytes.Equal(j.Result, largeResult(n))):
			t.Errorf("result %d: %d bytes, %v", n, len(j.Result), err)
		}
	}
	if known := s.Integrity(); known.Values != len(lost) || known.IsWhole() != (len(lost) == 0) {
		t.Errorf("%d values are lost: %+v", len(lost), known)
	}
}

// flipValue changes a byte of the result of job n in a folder's value logs.
func flipValue(t *testing.T, dir string, n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+valueLogSuffix))
	mustSucceed(t, err)
	for _, path := range files {
		content, err := os.ReadFile(path)
		mustSucceed(t, err)
		if at := bytes.Index(content, largeResult(n)); at >= 0 {
			flipByte(t, path, int64(at)+40_000)
			return
		}
	}
	t.Fatalf("no value log has result %d", n)
}

// TestDamagedValue: a flipped byte in the value log is found by the opening and by the verification, its record alone is
// unreadable, and nothing behind it is cut off: after a crash and after a clean stop, again and again.
func TestDamagedValue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	endJobs(t, s, 0, 5)
	crashed := copyFolder(t, dir)
	mustSucceed(t, s.Close())
	for name, dir := range map[string]string{"crashed": crashed, "stopped": dir} {
		flipValue(t, dir, 2)
		for i := range 3 {
			s := openTest(t, dir, OpenOptions{})
			checkResults(t, s, 5+i, 2)
			if known, err := s.VerifyFiles(t.Context()); err != nil || known.Values != 1 {
				t.Errorf("%s, verified: %+v, %v", name, known, err)
			}
			endJobs(t, s, 5+i, 6+i)
			checkResults(t, s, 6+i, 2)
			mustSucceed(t, s.Close())
		}
	}
}

// TestDamageOfValueWhileOpen: the verification finds it; a record that is deleted or written again is no longer lost.
func TestDamageOfValueWhileOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	endJobs(t, s, 0, 3)
	if known, err := s.VerifyFiles(t.Context()); err != nil || !known.IsWhole() || known.Bytes < 3*80_000 {
		t.Fatalf("whole: %+v, %v", known, err)
	}
	flipValue(t, dir, 1)
	if known, err := s.VerifyFiles(t.Context()); err != nil || known.Values != 1 || !strings.Contains(known.String(), "values") {
		t.Errorf("damaged: %+v, %v", known, err)
	}
	checkResults(t, s, 3, 1)
	mustSucceed(t, s.updateTx(t.Context(), func(e writeTx) error {
		e.putRaw(joinKey("job-result", "bakery", "job1"), largeResult(1))
		return nil
	}))
	if known, err := s.VerifyFiles(t.Context()); err != nil || known.Values != 0 {
		t.Errorf("written again: %+v, %v", known, err)
	}
	checkRead := func() { _, err := s.FindJob(t.Context(), "bakery", "job1"); mustSucceed(t, err) }
	checkRead()
}

// TestMissingValueLog: a missing or emptied value log refuses the opening while a record refers to it, and put back it
// is used as before. While the database is open, its values can still be read, but are reported.
func TestMissingValueLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	endJobs(t, s, 0, 2)
	crashed := copyFolder(t, dir)
	log := valueLogName(1)
	kept, err := os.ReadFile(filepath.Join(crashed, log))
	mustSucceed(t, err)
	for _, spoil := range []func(path string) error{
		os.Remove, func(path string) error { return os.Truncate(path, 0) }, func(path string) error { return os.Truncate(path, 9) },
	} {
		mustSucceed(t, spoil(filepath.Join(crashed, log)))
		for range 2 {
			_, err := OpenStore(crashed, OpenOptions{})
			if store.CodeOf(err) != store.CodeCorrupt || !strings.Contains(err.Error(), log+" with 2 values") {
				t.Fatalf("opened without it: %v", err)
			}
		}
		mustSucceed(t, os.WriteFile(filepath.Join(crashed, log), kept, 0o600))
	}
	again := openTest(t, crashed, OpenOptions{})
	checkResults(t, again, 2)
	endJobs(t, again, 2, 4)
	checkResults(t, again, 4)

	mustSucceed(t, os.Remove(filepath.Join(dir, log)))
	if known, err := s.VerifyFiles(t.Context()); err != nil || known.Values != 2 {
		t.Errorf("removed while open: %+v, %v", known, err)
	}
	if j, err := s.FindJob(t.Context(), "bakery", "job0"); err != nil || !bytes.Equal(j.Result, largeResult(0)) {
		t.Errorf("it can be read no more: %v", err)
	}
}

// TestMissingValueLogWithoutRecords: a value log to which no record refers any more may be missing.
func TestMissingValueLogWithoutRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	endJobs(t, s, 0, 2)
	mustSucceed(t, s.updateTx(t.Context(), func(e writeTx) error {
		e.deleteKey(joinKey("job-result", "bakery", "job0"))
		e.putRaw(joinKey("job-result", "bakery", "job1"), []byte(`"short"`))
		return nil
	}))
	mustSucceed(t, s.Close())
	mustSucceed(t, os.Remove(filepath.Join(dir, valueLogName(1))))
	again := openTest(t, dir, OpenOptions{})
	if known := again.Integrity(); !known.IsWhole() {
		t.Errorf("%+v", known)
	}
}

// TestEncryptedValueLog: a flipped byte is found in an encrypted value log, in its values and its header.
func TestEncryptedValueLog(t *testing.T) {
	t.Parallel()
	keyFile := filepath.Join(t.TempDir(), "key")
	mustSucceed(t, os.WriteFile(keyFile, []byte(strings.Repeat("k", 32)), 0o600))
	opt := OpenOptions{KeyFile: keyFile}
	dir := t.TempDir()
	s := openCalls(t, dir, opt, "bakery")
	endJobs(t, s, 0, 3)
	if known, err := s.VerifyFiles(t.Context()); err != nil || !known.IsWhole() {
		t.Fatalf("whole: %+v, %v", known, err)
	}
	mustSucceed(t, s.Close())
	again := openTest(t, copyFolder(t, dir), opt)
	checkResults(t, again, 3)
	for at, want := range map[int64]int{14: 3, 20 + 80_100 + 500: 1} {
		damaged := copyFolder(t, dir)
		flipByte(t, filepath.Join(damaged, valueLogName(1)), at)
		if known := openTest(t, damaged, opt).Integrity(); known.Values != want {
			t.Errorf("byte %d: %+v", at, known)
		}
	}
}

// TestCollectionSparesDamagedLog: Badger's garbage collection of a value log would drop every value behind a damaged one.
func TestCollectionSparesDamagedLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	endJobs(t, s, 0, 8)
	mustSucceed(t, s.updateTx(t.Context(), func(e writeTx) error {
		for n := range 6 {
			e.deleteKey(joinKey("job-result", "bakery", fmt.Sprintf("job%d", n)))
		}
		return nil
	}))
	mustSucceed(t, s.Close())
	mustSucceed(t, newDiskEraser(dir, OpenOptions{}).openAnd(compactTables)) // counts what can be discarded
	whole := copyFolder(t, dir)
	flipValue(t, dir, 3) // deleted: no record lost it
	for folder, want := range map[string]error{dir: errDamagedLog, whole: nil} {
		s := openTest(t, folder, OpenOptions{})
		if err := s.collector.collectOne(); !errors.Is(err, want) {
			t.Errorf("collected: %v, want %v", err, want)
		}
		_, err := os.Stat(filepath.Join(folder, valueLogName(1)))
		if gone := errors.Is(err, fs.ErrNotExist); gone != (want == nil) {
			t.Errorf("the log is removed: %v", gone)
		}
		for n := 6; n < 8; n++ {
			j, err := s.FindJob(t.Context(), "bakery", fmt.Sprintf("job%d", n))
			if err != nil || !bytes.Equal(j.Result, largeResult(n)) {
				t.Errorf("result %d: %v", n, err)
			}
		}
		if known, err := s.VerifyFiles(t.Context()); err != nil || !known.IsWhole() {
			t.Errorf("verified: %+v, %v", known, err)
		}
	}
}

// TestEmptyLogsAreRemoved: a crash while Badger makes a log leaves an empty file, which it refuses to open.
func TestEmptyLogsAreRemoved(t *testing.T) {
	t.Parallel()
	f := fillFolder(t, OpenOptions{}, 10)
	for _, name := range []string{"00099.mem", "000099.vlog"} {
		mustSucceed(t, os.WriteFile(filepath.Join(f.dir, name), nil, 0o600))
	}
	if n, refused := f.checkLoss(t, f.dir, OpenOptions{}); n > 0 || refused {
		t.Errorf("%d calls are lost, refused: %v", n, refused)
	}
}

// TestCampaignWithoutItsSkippedRows: a campaign whose skipped rows are damaged can be read and changed, and says so.
func TestCampaignWithoutItsSkippedRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "bakery", Name: "many rows", ScenarioID: "order", Status: campaign.Running,
		CreatedAt: testClock(), Skipped: make([]campaign.SkippedRow, 2000),
	}
	booked := newTestCall("bakery")
	booked.CampaignID = c.ID
	_, err := s.CreateCampaign(t.Context(), c, []call.Call{booked}, "key:x", nil)
	mustSucceed(t, err)
	mustSucceed(t, s.Close())
	flipByte(t, filepath.Join(dir, valueLogName(1)), 60_000)
	s = openTest(t, dir, OpenOptions{})
	if known := s.Integrity(); known.Values != 1 {
		t.Errorf("%+v", known)
	}
	for _, action := range []store.CampaignAction{store.PauseCampaign, store.ResumeCampaign, store.CancelCampaign} {
		changed, err := s.ChangeCampaign(t.Context(), "bakery", c.ID, action, "key:x", testClock())
		if err != nil || !changed.SkippedLost || len(changed.Skipped) > 0 {
			t.Errorf("%s: lost %v, %v", action, changed.SkippedLost, err)
		}
	}
	if found, err := s.FindCampaign(t.Context(), "bakery", c.ID); err != nil || !found.SkippedLost {
		t.Errorf("lost %v, %v", found.SkippedLost, err)
	}
}
