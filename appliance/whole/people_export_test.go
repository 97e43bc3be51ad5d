package whole_test

import (
	"archive/zip"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestPeopleExport exports a person's data on the command line, with a running appliance and without one; both files
// hold the call with what was said, and its recording.
func TestPeopleExport(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	number := simulatedNumber("07")
	id := a.bookCall(t, number, "appointment_confirmation", nil).textAt("id")
	a.awaitEnded(t, id)
	export := func(number string) (commandOutcome, string) {
		file := filepath.Join(t.TempDir(), "person.zip")
		return runMunadi(t, nil, "people", "export", number, "--out", file, "--data", a.Data), file
	}
	check := func(number string) {
		t.Helper()
		got, file := export(number)
		if got.code != 0 {
			t.Fatalf("%d %s", got.code, got.stderr)
		}
		checkPersonArchive(t, file, id)
	}
	check(number)
	if got, _ := export("+966599999999"); got.code == 0 || !strings.Contains(got.stderr, "never called") {
		t.Errorf("of a stranger: %d %s", got.code, got.stderr)
	}
	a.stopGracefully(t)
	check("0" + strings.TrimPrefix(number, "+966"))
	if got, _ := export("nobody"); got.code == 0 || !strings.Contains(got.stderr, "no telephone number") {
		t.Errorf("of no number: %d %s", got.code, got.stderr)
	}
}

// checkPersonArchive expects a person's archive with one call that was held and its recording.
func checkPersonArchive(t *testing.T, file, id string) {
	t.Helper()
	archive, err := zip.OpenReader(file)
	mustSucceed(t, err)
	defer func() { _ = archive.Close() }()
	read := func(name string, into any) {
		t.Helper()
		part, err := archive.Open(name)
		mustSucceed(t, err)
		mustSucceed(t, json.NewDecoder(part).Decode(into))
	}
	var calls []struct {
		Call struct {
			ID       string
			Messages []struct{ Content string }
		}
		Timeline []any
	}
	read("calls.json", &calls)
	if len(calls) != 1 || calls[0].Call.ID != id || len(calls[0].Call.Messages) < 4 || len(calls[0].Timeline) < 3 {
		t.Errorf("calls.json holds %+v", calls)
	}
	var summary struct{ Calls, Recordings int }
	read("summary.json", &summary)
	sound, err := archive.Open("recordings/" + id + ".wav")
	mustSucceed(t, err)
	info, err := sound.Stat()
	mustSucceed(t, err)
	if summary.Calls != 1 || summary.Recordings != 1 || info.Size() < 100_000 {
		t.Errorf("the summary is %+v, the recording has %d bytes", summary, info.Size())
	}
}
