package whole_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestToolsMeetNoOtherTenant checks with the official MCP client that no tool shows or changes anything of another
// organization, and that a key that may only read changes nothing of its own.
func TestToolsMeetNoOtherTenant(t *testing.T) {
	t.Parallel()
	if exec.Command(projectPath(t, ".cache/venv/bin/python"), "-c", "import mcp").Run() != nil {
		skipOrFail(t, "no mcp package in .cache/venv: packaging/setup test")
	}
	a := startInstance(t, instanceSettings{})
	if got := runMunadi(t, nil, "orgs", "create", "rival", "--data", a.Data); got.code != 0 {
		t.Fatalf("orgs create: %+v", got)
	}
	newKey := func(org, scope string) string {
		out, _ := a.keysCommand(t, "create", "--name", scope, "--scope", scope, "--org", org)
		return strings.TrimSpace(out)
	}
	rival, reader := newKey("rival", "calls,stt"), newKey("default", "calls:read")
	own := a.bookCall(t, simulatedNumber("01"), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)})
	campaign := a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "own", "scenario_id": "appointment_confirmation", "paused": true, "calls": []jsonObject{{"phone_number": simulatedNumber("02")}},
	}).wantStatus(t, http.StatusCreated).successData(t)
	job := a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav")))
	a.awaitJobResult(t, job)

	call, group := jsonObject{"call_id": own.textAt("id")}, jsonObject{"campaign_id": campaign.textAt("id")}
	move := jsonObject{"call_id": own.textAt("id"), "scheduled_at": timeFromNow(2 * time.Hour)}
	booking := jsonObject{"phone_number": simulatedNumber("03"), "scenario_id": "appointment_confirmation", "scheduled_at": timeFromNow(time.Hour)}
	changes := [][3]any{
		{"reschedule_call", move, nil},
		{"cancel_call", call, nil},
		{"pause_campaign", group, nil},
		{"resume_campaign", group, nil},
	}
	additions := [][3]any{
		{"book_call", booking, nil},
		{"create_campaign", jsonObject{"name": "x", "scenario_id": "appointment_confirmation", "calls": []jsonObject{booking}}, nil},
		{"suppress_number", jsonObject{"phone_number": simulatedNumber("04")}, nil},
	}
	before := a.readOwn(t, call, group)
	foreign := append([][3]any{
		{"get_call", call, nil}, {"get_campaign", group, nil}, {"get_transcription_job", jsonObject{"job_id": job}, nil},
	}, changes...)
	out := runToolClient(t, a, "auto",
		toolSession{Key: rival, Calls: append(foreign, [3]any{"list_calls", jsonObject{}, nil}, [3]any{"list_calls", jsonObject{"campaign_id": group["campaign_id"]}, nil})},
		toolSession{Key: reader, Calls: append(changes[:len(changes):len(changes)], additions...)},
	)
	for i, got := range out[0].Results {
		if i < len(foreign) && (!got.IsError || !strings.HasPrefix(got.Text, `{"error":{"type":"not_found"`)) {
			t.Errorf("another organization's %v: %s", foreign[i][0], got.Text)
		}
		if i >= len(foreign) && (got.IsError || len(got.Structured.listAt("data")) > 0) {
			t.Errorf("another organization lists %s", got.Text)
		}
	}
	for i, got := range out[1].Results {
		if !got.IsError || !strings.HasPrefix(got.Text, `{"error":{"type":"permission_error"`) {
			t.Errorf("change %d of a key that may only read: %s", i, got.Text)
		}
	}
	if diff := cmp.Diff(before, a.readOwn(t, call, group)); diff != "" {
		t.Errorf("something was changed:\n%s", diff)
	}
}

// readOwn returns what the tools of others must not change: a call, a campaign, the number of calls, suppressed numbers.
func (a *testInstance) readOwn(t *testing.T, call, group jsonObject) (bodies []any) {
	t.Helper()
	for _, path := range []string{
		"/calls/" + call.textAt("call_id"), "/campaigns/" + group.textAt("campaign_id"), "/calls", "/suppressions",
	} {
		body := a.requestAPI(t, http.MethodGet, path, nil).wantStatus(t, http.StatusOK).jsonBody(t)
		delete(body, "meta")
		bodies = append(bodies, body)
	}
	return bodies
}
