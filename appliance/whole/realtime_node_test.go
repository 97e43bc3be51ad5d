package whole_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenAIRealtimeNode checks live transcription by OpenAI's client for Node, which requires TLS, with the
// appliance's own root certificate.
func TestOpenAIRealtimeNode(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	node, err := exec.LookPath("node")
	packages := projectPath(t, ".cache/node")
	if _, gone := os.Stat(filepath.Join(packages, "node_modules/ws/package.json")); err != nil || gone != nil {
		skipOrFail(t, "no node, or no ws package in .cache/node: packaging/setup test")
	}
	a, root := startWithTLS(t, "", instanceSettings{})
	recording := filepath.Join(t.TempDir(), "order.pcm")
	mustSucceed(t, os.WriteFile(recording, rawPCM(t, "order.flac", 24000), 0o600))
	cmd := exec.Command(node, "testdata/openai_realtime.mjs", packages, a.URL+"/compat/v1", bootstrapKey, recording)
	cmd.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+root)
	var out struct {
		Present, Beta liveSession
		Refused       string
		Error         []any
	}
	tellsOf(t, cmd, &out)
	order := withFile(demoSample(t, "order.flac"))
	text, _ := sharedInstance(t).postForm(t, transcriptions, order).wantStatus(t, 200).jsonBody(t)["text"].(string)
	out.Present.checkTurns(t, text)
	out.Beta.checkCommitted(t, text)
	wantList(t, out.Error, "invalid_request_error", "invalid_value", "type", "mine")
	if !strings.Contains(out.Refused, "401") {
		t.Errorf("a wrong key: %s", out.Refused)
	}
}
