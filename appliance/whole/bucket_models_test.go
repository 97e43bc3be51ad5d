package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/store/bucket/buckettest"
)

// awaitThat waits until something holds.
func awaitThat(t *testing.T, a *instance, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !holds(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("not within %v: %s\n%s", patience, what, a.log.tail())
		}
	}
}

// installedHere reports whether a model lies in an appliance's data folder.
func (a *instance) installedHere(name string) bool {
	_, err := os.Stat(filepath.Join(a.Data, "models", name, "vocab.txt"))
	return err == nil
}

// doctorSays returns what munadi doctor says beside a running appliance on a bucket.
func (a *instance) doctorSays(t *testing.T, setting string) string {
	t.Helper()
	return munadi(t, buckettest.ListVariables(), "doctor", "--data", a.Data, "--cache", cacheDir(), "--recordings", setting).stdout
}

// TestModelsOfTwo: a model that is imported on one appliance is in the bucket, and the other fetches it and serves with
// it without a restart; so is the choice of the built-in one. While the bucket is away both go on, also over a start. A
// removed model leaves the bucket and both.
func TestModelsOfTwo(t *testing.T) {
	t.Parallel()
	s, p, second := startBucketPair(t)
	setting := s.URL("recordings", "clinic")
	p.a.tends, p.b.tends = []string{"does not answer"}, []string{"does not answer"}
	model(t, p.a.Data, "import", "--name", "lisping", changed(t, "vocab.txt", lisping)).did(t, "import", "uses lisping now")
	p.a.hears(t, lispedText)
	awaitThat(t, p.b, "the second appliance serves with the model of the first", func() bool {
		return p.b.post(t, transcriptions, file(sample(t, "confirm.flac"))).want(t, http.StatusOK).object(t)["text"] == lispedText
	})
	if !inBucket(t, setting, "models/index/lisping.json") {
		t.Error("the model is not in the bucket")
	}
	listed := munadi(t, buckettest.ListVariables(), "model", "list", "--data", t.TempDir(), "--recordings", setting).stdout
	if !strings.Contains(listed, "lisping") || !strings.Contains(listed, "this machine has not fetched it yet") {
		t.Errorf("a machine that has not fetched the model lists %s", listed)
	}
	awaitThat(t, p.b, "doctor says that the model is shared", func() bool {
		return strings.Contains(p.b.doctorSays(t, setting), "1 in the bucket, all of them here: lisping")
	})

	must(t, s.Kill())
	p.b.stop(t)
	p.b = start(t, second)
	p.b.hears(t, lispedText)
	p.a.hears(t, lispedText)
	must(t, s.Start())

	model(t, p.b.Data, "use", "built-in").did(t, "use", "uses built-in now")
	awaitThat(t, p.a, "the first appliance follows the second back to the built-in model", func() bool {
		return p.a.post(t, transcriptions, file(sample(t, "confirm.flac"))).want(t, http.StatusOK).object(t)["text"] != lispedText
	})
	model(t, p.a.Data, "remove", "lisping").did(t, "remove")
	awaitThat(t, p.b, "the removed model has left the bucket and the other appliance", func() bool {
		return !inBucket(t, setting, "models/index/lisping.json") && !p.b.installedHere("lisping") && !p.a.installedHere("lisping")
	})
}
