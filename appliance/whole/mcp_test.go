package whole_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// toolSession is what testdata/mcp_client.py does with one key.
type toolSession struct {
	Key     string            `json:"key"`
	Headers map[string]string `json:"headers,omitempty"`
	Calls   [][3]any          `json:"calls"` // tool, arguments, _meta
}

// toolOutput is what it prints of it.
type toolOutput struct {
	Protocol string
	Tools    []struct {
		Name        string
		InputSchema jsonObject
	}
	Results []struct {
		IsError    bool `json:"is_error"`
		Text       string
		Structured jsonObject
	}
}

func (o toolOutput) toolNames() (names []string) {
	for _, tool := range o.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// runToolClient runs sessions with the official MCP client.
func runToolClient(t testing.TB, a *testInstance, mode string, sessions ...toolSession) []toolOutput {
	t.Helper()
	plan, err := json.Marshal(sessions)
	mustSucceed(t, err)
	cmd := exec.Command(projectPath(t, ".cache/venv/bin/python"), "testdata/mcp_client.py", a.URL+"/mcp", mode)
	var failed bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(plan), &failed
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failed.Bytes())
	}
	var out []toolOutput
	mustSucceed(t, json.Unmarshal(said, &out))
	return out
}

// readingTools are the tools of the scope calls:read.
var readingTools = []string{"get_call", "list_calls", "get_campaign"}

// callTools are those of the scope calls, in the order of the list.
var callTools = []string{
	"book_call", "get_call", "list_calls", "reschedule_call", "cancel_call", "create_campaign", "get_campaign",
	"pause_campaign", "resume_campaign", "suppress_number",
}

// TestToolsOfTheOfficialClient uses every tool with the official MCP client, in the stateless and the older protocol.
func TestToolsOfTheOfficialClient(t *testing.T) {
	t.Parallel()
	if exec.Command(projectPath(t, ".cache/venv/bin/python"), "-c", "import mcp").Run() != nil {
		skipOrFail(t, "no mcp package in .cache/venv: packaging/setup test")
	}
	a := startInstance(t, instanceSettings{})
	job := a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav")))
	a.awaitJobResult(t, job)
	newKey := func(scope string) string {
		out, _ := a.keysCommand(t, "create", "--name", scope, "--scope", scope)
		return strings.TrimSpace(out)
	}
	reads, hears := newKey("calls:read"), newKey("stt")
	booking := jsonObject{"phone_number": simulatedNumber("01"), "scenario_id": "appointment_confirmation", "scheduled_at": timeFromNow(time.Hour)}
	campaign := jsonObject{
		"name": "tools", "scenario_id": "appointment_confirmation", "paused": true,
		"calls": []jsonObject{{"phone_number": simulatedNumber("02")}},
	}
	for _, mode := range []string{"auto", "legacy"} {
		ownCall, ownCampaign := jsonObject{"call_id": "$0.data.id"}, jsonObject{"campaign_id": "$8.data.id"}
		once := jsonObject{"Idempotency-Key": "once-" + mode}
		out := runToolClient(t, a, mode,
			toolSession{Key: bootstrapKey, Calls: [][3]any{
				{"book_call", booking, once},
				{"book_call", booking, once},
				{"get_call", ownCall, nil},
				{"reschedule_call", jsonObject{"call_id": "$0.data.id", "scheduled_at": timeFromNow(2 * time.Hour)}, nil},
				{"list_calls", jsonObject{"limit": 1, "phone_number": simulatedNumber("01")}, nil},
				{"cancel_call", ownCall, nil},
				{"cancel_call", ownCall, nil},
				{"book_call", jsonObject{"phone_number": "5", "retry": jsonObject{"max_attempts": 99}}, nil},
				{"create_campaign", campaign, nil},
				{"get_campaign", ownCampaign, nil},
				{"resume_campaign", ownCampaign, nil},
				{"pause_campaign", ownCampaign, nil},
				{"suppress_number", jsonObject{"phone_number": simulatedNumber("03")}, nil},
				{"get_transcription_job", jsonObject{"job_id": job}, nil},
				{"get_call", jsonObject{}, nil},
			}},
			toolSession{Key: reads, Calls: [][3]any{{"list_calls", jsonObject{}, nil}, {"book_call", booking, nil}}},
			toolSession{Key: hears, Calls: [][3]any{{"get_transcription_job", jsonObject{"job_id": "no-job"}, nil}}},
		)
		checkTools(t, out)
		checkToolResults(t, a, out)
	}
	request := newRequest([]requestPart{withKey(""), withHeader("Origin", "https://evil.example")})
	sendRequest(t, request.newHTTPRequest(t, http.MethodPost, a.URL+"/mcp")).wantFailure(t, http.StatusForbidden, "permission_error")
	a.postForm(t, "/mcp", withKey("")).wantFailure(t, http.StatusUnauthorized, "authentication_error")
}

// checkTools checks which tools each key sees.
func checkTools(t *testing.T, out []toolOutput) {
	t.Helper()
	for i, want := range [][]string{append(slices.Clone(callTools), "get_transcription_job"), readingTools, {"get_transcription_job"}} {
		if got := out[i].toolNames(); !slices.Equal(got, want) {
			t.Errorf("%s: key %d sees %v, want %v", out[i].Protocol, i, got, want)
		}
	}
}

// checkToolResults checks the results of TestToolsOfTheOfficialClient's sessions.
func checkToolResults(t *testing.T, a *testInstance, out []toolOutput) {
	t.Helper()
	results := out[0].Results
	for i, want := range map[int]string{6: "call_already_released", 7: "validation_error", 14: "validation_error"} {
		if !results[i].IsError || !strings.HasPrefix(results[i].Text, `{"error":{"type":"`+want+`"`) {
			t.Errorf("%s: result %d is no %s: %+v", out[0].Protocol, i, want, results[i])
		}
	}
	for i, got := range results {
		if got.IsError != (i == 6 || i == 7 || i == 14) {
			t.Errorf("%s: result %d: %+v", out[0].Protocol, i, got)
		}
	}
	id := results[0].Structured.textAt("data", "id")
	if results[1].Structured.textAt("data", "id") != id || results[4].Structured.listAt("data") == nil {
		t.Errorf("%s: booked %s, then %+v, listed %+v", out[0].Protocol, id, results[1], results[4])
	}
	if got := a.fetchCall(t, id).textAt("status"); got != "cancelled" {
		t.Errorf("%s: the call is %s", out[0].Protocol, got)
	}
	if got := results[11].Structured.textAt("data", "status"); got != "paused" {
		t.Errorf("%s: the campaign is %s", out[0].Protocol, got)
	}
	if got := results[13].Structured.textAt("status"); got != "done" {
		t.Errorf("%s: the job is %s", out[0].Protocol, results[13].Text)
	}
	for _, text := range []string{out[1].Results[1].Text, out[2].Results[0].Text} {
		if !strings.HasPrefix(text, `{"error":{"type":"permission_error"`) && !strings.HasPrefix(text, `{"error":{"type":"not_found"`) {
			t.Errorf("%s: %s", out[0].Protocol, text)
		}
	}
}
