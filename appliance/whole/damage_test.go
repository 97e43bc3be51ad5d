package whole_test

import (
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestDamagedFolders damages 20 database folders by a flipped bit and 20 by a missing file: each start is refused with
// an explanation, or every booked call is answered unchanged or with 500, never with 404 or other content. Without
// MUNADI_LONG=1 four of each.
func TestDamagedFolders(t *testing.T) {
	t.Parallel()
	rounds := 4
	if runsLongForms() {
		rounds = 20
	}
	a := startFastCalls(t, instanceSettings{})
	calls := map[string]jsonObject{}
	for range 150 {
		id := a.bookOf(t, farFuture(), http.StatusCreated)
		calls[id] = a.fetchCall(t, id)
	}
	a.stopGracefully(t)
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true}) // moves the log into a table
	b.killProcess(t)
	mustSucceed(t, os.RemoveAll(filepath.Join(a.Data, "munadi.sock"))) // it may not exist yet at the kill
	files, err := filepath.Glob(filepath.Join(a.Data, "db", "*"))
	mustSucceed(t, err)
	outcomes := map[string]int{}
	for round := range rounds {
		for what, spoil := range map[string]func(string) error{"flipped": flipOneBit, "missing": os.Remove} {
			file := files[round%len(files)]
			data := filepath.Join(t.TempDir(), "data")
			mustSucceed(t, os.CopyFS(data, os.DirFS(a.Data)))
			mustSucceed(t, spoil(filepath.Join(data, "db", filepath.Base(file))))
			outcomes[what+" "+judgeDamaged(t, what+" "+filepath.Base(file), data, calls)]++
		}
	}
	t.Log(outcomes)
}

// flipOneBit flips a random bit of a file.
func flipOneBit(path string) error {
	content, err := os.ReadFile(path)
	if err != nil || len(content) == 0 {
		return err
	}
	content[rand.IntN(len(content))] ^= 1 << rand.IntN(8)
	return os.WriteFile(path, content, 0o600)
}

// judgeDamaged starts an appliance on a damaged folder and fails if data is lost silently.
func judgeDamaged(t *testing.T, what, data string, calls map[string]jsonObject) string {
	t.Helper()
	tried := runMunadi(t, nil, "doctor", "--data", data, "--cache", cacheDir(), "--listen", "127.0.0.1:0")
	if strings.Contains(tried.stderr, "goroutine ") {
		t.Errorf("%s: doctor ends with a stack: %s", what, tried.stderr)
	}
	a, err := launchProcess(builtBinary(t), instanceSettings{data: data, noKey: true})
	if err != nil {
		if !strings.Contains(err.Error(), data) || strings.Contains(err.Error(), "goroutine ") {
			t.Errorf("%s: refused without a sentence: %v", what, err)
		}
		return "refused"
	}
	defer a.killProcess(t)
	mustSucceed(t, a.awaitReady())
	_, health := a.probePath(t.Context(), "/health")
	told, unreadable := strings.Contains(health, "damaged") || strings.Contains(health, "lost"), 0
	for id, want := range calls {
		got := a.requestAPI(t, http.MethodGet, "/calls/"+id, nil)
		switch {
		case got.Status == http.StatusOK:
			if c := got.successData(t); !reflect.DeepEqual(c["metadata"], want["metadata"]) || c.textAt("phone_number") != want.textAt("phone_number") ||
				c.textAt("scheduled_at") != want.textAt("scheduled_at") {
				t.Errorf("%s: %v was %v", what, c, want)
			}
		case got.Status == http.StatusInternalServerError || told && got.Status == http.StatusNotFound:
			unreadable++
		default:
			t.Errorf("%s: call %s answers %s, and /health says %s", what, id, got, health)
		}
	}
	if unreadable == 0 {
		return "whole"
	}
	if _, health = a.probePath(t.Context(), "/health"); !strings.Contains(health, "damaged") && !strings.Contains(health, "lost") {
		t.Errorf("%s: %d calls cannot be read, and /health says %s", what, unreadable, health)
	}
	return "told"
}
