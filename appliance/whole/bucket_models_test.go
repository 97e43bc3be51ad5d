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

// awaitThat waits until a condition holds.
func awaitThat(t *testing.T, a *testInstance, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !holds(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("not within %v: %s\n%s", patience, what, a.log.lastLines())
		}
	}
}

// installedHere reports whether a model is in the appliance's data folder.
func (a *testInstance) installedHere(name string) bool {
	_, err := os.Stat(filepath.Join(a.Data, "models", name, "vocab.txt"))
	return err == nil
}

// doctorSays returns the output of munadi doctor beside a running appliance that uses a bucket.
func (a *testInstance) doctorSays(t *testing.T, setting string) string {
	t.Helper()
	return runMunadi(t, buckettest.ListVariables(), "doctor", "--data", a.Data, "--cache", cacheDir(), "--recordings", setting).stdout
}

// TestModelsOfTwo checks that a model imported on one appliance is uploaded to the bucket, and that the other appliance
// downloads it and uses it without a restart; so with a switch to the built-in model. Both continue while the bucket is
// unreachable, also after a restart. A removed model disappears from the bucket and both appliances.
func TestModelsOfTwo(t *testing.T) {
	t.Parallel()
	s, p, second := startBucketPair(t)
	setting := s.URL("recordings", "clinic")
	p.a.tends, p.b.tends = []string{"does not answer"}, []string{"does not answer"}
	runModelCommand(t, p.a.Data, "import", "--name", "lisping", copyChangedModel(t, "vocab.txt", swapLetters)).wantOutput(t, "import", "uses lisping now")
	p.a.wantTranscript(t, lispedText)
	awaitThat(t, p.b, "the second appliance serves with the model of the first", func() bool {
		return p.b.postForm(t, transcriptions, withFile(demoSample(t, "confirm.flac"))).wantStatus(t, http.StatusOK).jsonBody(t)["text"] == lispedText
	})
	if !inBucket(t, setting, "models/index/lisping.json") {
		t.Error("the model is not in the bucket")
	}
	listed := runMunadi(t, buckettest.ListVariables(), "model", "list", "--data", t.TempDir(), "--recordings", setting).stdout
	if !strings.Contains(listed, "lisping") || !strings.Contains(listed, "in the bucket, not installed here") {
		t.Errorf("a machine that has not fetched the model lists %s", listed)
	}
	awaitThat(t, p.b, "doctor says that the model is shared", func() bool {
		return strings.Contains(p.b.doctorSays(t, setting), "1 in the bucket, all on this machine: lisping")
	})

	mustSucceed(t, s.Kill())
	p.b.stopGracefully(t)
	p.b = startInstance(t, second)
	p.b.wantTranscript(t, lispedText)
	p.a.wantTranscript(t, lispedText)
	mustSucceed(t, s.Start())

	runModelCommand(t, p.b.Data, "use", "built-in").wantOutput(t, "use", "uses built-in now")
	awaitThat(t, p.a, "the first appliance follows the second back to the built-in model", func() bool {
		return p.a.postForm(t, transcriptions, withFile(demoSample(t, "confirm.flac"))).wantStatus(t, http.StatusOK).jsonBody(t)["text"] != lispedText
	})
	runModelCommand(t, p.a.Data, "remove", "lisping").wantOutput(t, "remove")
	awaitThat(t, p.b, "the removed model has left the bucket and the other appliance", func() bool {
		return !inBucket(t, setting, "models/index/lisping.json") && !p.b.installedHere("lisping") && !p.a.installedHere("lisping")
	})
}
