package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// book is a program on a generated client that books a call, waits for its end and prints the result.
const book = `
import sys, time
from uuid import uuid4
sys.path.insert(0, sys.argv[1])
from client import AuthenticatedClient
from client.api.calls import create_call, get_call
from client.models import NewCall
munadi = AuthenticatedClient(base_url=sys.argv[2], token=sys.argv[3], raise_on_unexpected_status=True)
made = create_call.sync(client=munadi, idempotency_key=str(uuid4()), body=NewCall(
    phone_number="+966500000008", scenario_id="appointment_confirmation"))
call = made.data
for _ in range(1200):
    if call.status not in ("scheduled", "dialing", "in_progress"):
        break
    time.sleep(0.1)
    call = get_call.sync(call.id, client=munadi).data
print(call.status, call.report.to_dict()["confirmed"], len(call.enhanced_transcript.transcript.messages))
`

// TestGeneratedClient generates a client from the OpenAPI document, as an integrator does, and makes a call with it.
func TestGeneratedClient(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	generator := projectPath(t, ".cache/venv/bin/openapi-python-client")
	if _, err := os.Stat(generator); err != nil {
		skipOrFail(t, "openapi-python-client is not installed: packaging/setup test does it")
	}
	a := startFastCalls(t, instanceSettings{})
	dir := t.TempDir()
	document := filepath.Join(dir, "openapi.json")
	mustSucceed(t, os.WriteFile(document, a.getPath(t, "/openapi.json", withKey("")).wantStatus(t, 200).Body, 0o600))
	generate := exec.CommandContext(t.Context(), generator, "generate", "--path", document, "--meta", "none",
		"--output-path", filepath.Join(dir, "client"))
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("the client can't be generated: %v\n%s", err, out)
	}
	program := exec.CommandContext(t.Context(), python, "-c", book, dir, a.URL, bootstrapKey)
	out, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("the generated client: %v\n%s", err, out)
	}
	if !strings.HasPrefix(string(out), "completed True ") || strings.HasSuffix(string(out), " 0\n") {
		t.Errorf("the generated client says %q", out)
	}
}
