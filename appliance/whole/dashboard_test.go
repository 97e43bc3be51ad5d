package whole_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// promExpressions returns all PromQL expressions of a Grafana dashboard or an alert rule file, at any depth.
func promExpressions(node any) (found []string) {
	switch n := node.(type) {
	case map[string]any:
		for name, value := range n {
			if text, ok := value.(string); ok && (name == "expr" || name == "definition") {
				found = append(found, text)
			}
			found = append(found, promExpressions(value)...)
		}
	case []any:
		for _, value := range n {
			found = append(found, promExpressions(value)...)
		}
	}
	return found
}

// TestDashboardNamesWhatThereIs checks that every metric and label in the shipped dashboard and alerts is exported by
// an appliance that was used, or by one with a SIP trunk and a bucket.
func TestDashboardNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	id := a.bookCall(t, simulatedNumber("90"), "appointment_confirmation", jsonObject{"variables": jsonObject{"date": "2026-12-03", "time": "17:30"}}).textAt("id")
	a.awaitEnded(t, id)
	hook.awaitNotification(t, id)
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, http.StatusOK)
	a.postForm(t, jobs, withFile(demoSample(t, "order.flac"))).wantStatus(t, http.StatusAccepted)
	shown := a.getPath(t, "/metrics").wantStatus(t, http.StatusOK).String()
	wired := startInstance(t, instanceSettings{args: []string{
		"--carrier", "sip", "--sip-trunk", "sip:127.0.0.1:9", "--sip-user", "966112345678", "--sip-register",
		"--recordings", filepath.Join(t.TempDir(), "share"),
	}, env: []string{"MUNADI_SIP_PASSWORD=secret"}})
	shown += wired.getPath(t, "/metrics").wantStatus(t, http.StatusOK).String()
	if !strings.Contains(shown, `munadi_calls_ended_total{status="no_answer"} 1`) {
		t.Error("the call that ended is not counted")
	}

	var dashboard, alerts any
	mustSucceed(t, json.Unmarshal(readProjectFile(t, "packaging/grafana/munadi.json"), &dashboard))
	mustSucceed(t, yaml.Unmarshal(readProjectFile(t, "packaging/grafana/alerts.yaml"), &alerts))
	all := append(promExpressions(dashboard), promExpressions(alerts)...)
	if len(all) < 40 {
		t.Fatalf("only %d expressions", len(all))
	}
	figure, by := regexp.MustCompile(`\b(munadi|process|go)_\w+`), regexp.MustCompile(`by \(([^)]*)\)`)
	for _, expr := range all {
		for _, name := range figure.FindAllString(expr, -1) {
			if !strings.Contains(shown, "\n"+name+" ") && !strings.Contains(shown, "\n"+name+"{") {
				t.Errorf("there is no %s, which %s asks for", name, expr)
			}
		}
		for _, labels := range by.FindAllStringSubmatch(expr, -1) {
			for label := range strings.SplitSeq(labels[1], ", ") {
				if label != "instance" && !strings.Contains(shown, label+`="`) {
					t.Errorf("nothing has the label %s, which %s asks for", label, expr)
				}
			}
		}
		if strings.Count(expr, "(") != strings.Count(expr, ")") || strings.Count(expr, "{") != strings.Count(expr, "}") {
			t.Errorf("unbalanced: %s", expr)
		}
	}
	if promtool, err := exec.LookPath("promtool"); err == nil {
		if out, err := exec.Command(promtool, "check", "rules", projectPath(t, "packaging/grafana/alerts.yaml")).CombinedOutput(); err != nil {
			t.Errorf("promtool: %v\n%s", err, out)
		}
	}
}

// TestSoundOfCallsIsCounted checks that all audio of calls counts as recognized, silence included, as with recordings;
// otherwise the recognizer would appear slower than real time with callees who say little.
func TestSoundOfCallsIsCounted(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	c := a.awaitEnded(t, a.bookCall(t, simulatedNumber("01"), "restaurant_order", nil).textAt("id"))
	talked, _ := c.valueAt("total_duration").(float64)
	shown := a.getPath(t, "/metrics").wantStatus(t, http.StatusOK).String()
	found := regexp.MustCompile(`munadi_stt_audio_seconds_total\{priority="live"\} (\S+)`).FindStringSubmatch(shown)
	if found == nil || talked == 0 {
		t.Fatalf("a call of %v s, and no sound is counted", talked)
	}
	heard, err := strconv.ParseFloat(found[1], 64)
	mustSucceed(t, err)
	if heard < 0.8*talked || heard > 1.2*talked+2 {
		t.Errorf("%.1f s of sound are counted for a call of %.0f s", heard, talked)
	}
}
