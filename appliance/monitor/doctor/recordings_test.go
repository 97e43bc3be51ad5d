package doctor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/monitor/doctor"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/blob"
	"munadi/store/call"
)

// TestCheckRecordings: damaged and missing recordings are named, those of an older version are counted.
func TestCheckRecordings(t *testing.T) {
	t.Parallel()
	s, err := badger.OpenStore(t.TempDir(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(s.Close(), files.Close()) })
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "acme"}, "test"); err != nil {
		t.Fatal(err)
	}
	check := func(state string, elsewhere bool, says ...string) {
		t.Helper()
		f := doctor.CheckRecordings(t.Context(), s, files, elsewhere)
		for _, text := range says {
			if f.State != state || !strings.Contains(f.Text, text) {
				t.Errorf("%s: %s, want %s: %s", f.State, f.Text, state, text)
			}
		}
	}
	check(admin.StateOK, false, "0 recordings")
	whole, old := recordCall(t, s, files, true), recordCall(t, s, files, false)
	check(admin.StateOK, false, "1 recordings of calls are as they were written; 1 of an older version")
	for _, c := range []call.Call{whole, old} {
		if err := os.Truncate(filepath.Join(dir, c.Recording), 100); err != nil {
			t.Fatal(err)
		}
	}
	check(admin.StateFailed, false, "1 are damaged: "+whole.Recording)
	if err := files.RemoveFile(whole.Recording); err != nil {
		t.Fatal(err)
	}
	check(admin.StateFailed, false, "the files of 1 are missing")
	check(admin.StateOK, true, "1 are not on this machine")
}

// recordCall adds an ended call with a recording.
func recordCall(t *testing.T, s *badger.BadgerStore, files *blob.RecordingFolder, summed bool) call.Call {
	t.Helper()
	at, id := time.Now().Add(-time.Hour), call.NewID()
	w, err := files.CreateRecording(blob.RecordingName("acme", id))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.AppendFrames(make([]int16, 8000), make([]int16, 8000)), w.Close()); err != nil {
		t.Fatal(err)
	}
	_, booked := s.BookCall(t.Context(), call.Call{
		ID: id, OrgID: "acme", Status: call.Scheduled, PhoneNumber: "+966500000042", ScenarioID: "reminder",
		Booking: call.Immediate, CreatedAt: at, ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}, "test", nil)
	_, released := s.ReleaseCall(t.Context(), "acme", id, at)
	_, answered := s.AnswerCall(t.Context(), "acme", id, blob.RecordingName("acme", id), at)
	o := call.CallOutcome{Status: call.Completed, Recording: blob.RecordingName("acme", id)}
	if summed {
		o.RecordingSum = w.Sum()
	}
	c, ended := s.FinishCall(t.Context(), "acme", id, o, nil, at)
	if err := errors.Join(booked, released, answered, ended); err != nil {
		t.Fatal(err)
	}
	return c
}
