package whole_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSchemathesis generates requests from /openapi.json, valid and invalid, and validates the answers against it. The
// check that every request that fits the schema is accepted is left out: a schema cannot say which bytes are a
// recording, and the tool writes null into a form as a word, which FastAPI refuses too.
func TestSchemathesis(t *testing.T) {
	t.Parallel()
	tool := projectPath(t, ".cache/venv/bin/st")
	if _, err := os.Stat(tool); err != nil {
		skipOrFail(t, "no schemathesis in .cache/venv: packaging/setup test")
	}
	a := startInstance(t, instanceSettings{})
	examples := "20"
	if runsLongForms() {
		examples = "300"
	}
	// Requests need an existing job. Hundreds of calls are booked: none is dialled, and no webhook is
	// sent.
	a.awaitJobResult(t, a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav"))))
	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"kill_switch": true}).wantStatus(t, http.StatusOK)
	cmd := exec.Command(tool, "run", a.URL+"/openapi.json", "--header", "Authorization: Bearer "+bootstrapKey,
		"--phases", "examples,coverage,fuzzing", "--max-examples", examples, "--seed", "1", "--workers", "2",
		"--request-timeout", "30", "--continue-on-failure", "--no-color", "--exclude-checks", "positive_data_acceptance",
		"--suppress-health-check", "too_slow", // it measures how fast this machine makes data
		"--exclude-operation-id", "putOrganization", "--exclude-operation-id", "putWebhook")
	cmd.Dir = t.TempDir() // it writes its example database to the working folder
	cmd.WaitDelay = time.Second
	tooLong := time.AfterFunc(5*patience, func() { _ = cmd.Process.Kill() })
	defer tooLong.Stop()
	said, err := cmd.CombinedOutput()
	mustSucceed(t, os.WriteFile(artifactPath(t, "schemathesis.txt"), said, 0o644))
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if left, _ := filepath.Glob(filepath.Join(a.Data, "jobs", "upload-*")); len(left) > 0 {
		t.Errorf("uploads of refused requests are left: %v", left)
	}
}
