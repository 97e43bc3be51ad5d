package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refusedStart starts an appliance on a data folder that it must refuse, and expects words in its message. The
// recordings must still exist afterwards.
func refusedStart(t *testing.T, data string, words ...string) {
	t.Helper()
	got := runMunadi(t, nil, "serve", "--data", data, "--cache", cacheDir(), "--listen", "127.0.0.1:0")
	if got.code == 0 || strings.Contains(got.stderr, "goroutine ") {
		t.Errorf("the start was not refused in a sentence: %+v", got)
	}
	for _, w := range words {
		if !strings.Contains(got.stderr, w) {
			t.Errorf("the refusal does not say %q: %s", w, got.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(data, "recordings", "default", "call_1.wav")); err != nil {
		t.Error(err)
	}
}

// TestPartsThatAreMissing checks that a start with an incomplete data folder is refused and removes nothing, and that
// the complete folder works again.
func TestPartsThatAreMissing(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	id := a.bookOf(t, farFuture(), http.StatusCreated)
	a.stopGracefully(t)
	recording := filepath.Join(a.Data, "recordings", "default", "call_1.wav")
	mustSucceed(t, os.MkdirAll(filepath.Dir(recording), 0o700))
	mustSucceed(t, os.WriteFile(recording, []byte("sound"), 0o600))
	aside := t.TempDir()
	for _, c := range []struct{ part, word string }{
		{"db", "database is missing"}, {"db/MANIFEST", "MANIFEST is missing"}, {"secret.key", "secret"},
	} {
		from, to := filepath.Join(a.Data, c.part), filepath.Join(aside, "part")
		mustSucceed(t, os.Rename(from, to))
		refusedStart(t, a.Data, c.word, "munadi restore")
		mustSucceed(t, os.Rename(to, from))
	}
	again := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	again.requestAPI(t, http.MethodGet, "/calls/"+id, nil).wantStatus(t, http.StatusOK)
	again.awaitHealthMessage(t, ".trash") // a worker sweeps the folder
	if _, err := os.Stat(recording); !os.IsNotExist(err) {
		t.Errorf("a recording without a call stays among the others: %v", err)
	}
	kept, err := filepath.Glob(filepath.Join(a.Data, "recordings", ".trash", "*", "default", "call_1.wav"))
	if err != nil || len(kept) != 1 {
		t.Errorf("in the trash are %v, %v", kept, err)
	}
}
