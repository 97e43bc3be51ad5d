package whole_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestLogIsJSONWithoutPersonalData checks that every log line is a JSON object with the request id or call id, and
// that none holds a number, key or word of a call.
func TestLogIsJSONWithoutPersonalData(t *testing.T) {
	t.Parallel()
	const number = "+966512345607"
	a := startFastCalls(t, instanceSettings{args: []string{"--log-format", "json", "--log-level", "debug"}})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	id := a.bookCall(t, number, "appointment_confirmation", jsonObject{
		"variables": jsonObject{"date": "2026-12-03", "time": "17:30"}, "metadata": jsonObject{"patient": "Layla of Jeddah"},
	}).textAt("id")
	over := a.awaitEnded(t, id)
	hook.awaitNotification(t, id)
	asked := a.requestAPI(t, http.MethodDelete, "/suppressions/"+number, nil)
	request := asked.Header.Get("X-Request-Id")
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, http.StatusOK)
	a.stopGracefully(t)

	requests, calls, notifications := 0, 0, 0
	for line := range strings.Lines(a.log.String()) {
		var o jsonObject
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Errorf("no object: %v: %s", err, line)
			continue
		}
		if at, err := time.Parse(time.RFC3339Nano, o.textAt("time")); err != nil || at.IsZero() || o.textAt("level") == "" || o.textAt("msg") == "" {
			t.Errorf("a line without time, level or message: %s", line)
		}
		switch {
		case o.textAt("msg") == "request" && o.textAt("request_id") == request:
			requests++
			if !strings.Contains(o.textAt("path"), "•••") || o.textAt("org") != "default" {
				t.Errorf("the request's line: %s", line)
			}
		case o.textAt("msg") == "call ended" && o.textAt("call_id") == id:
			calls++
			if o.textAt("status") != over.textAt("status") {
				t.Errorf("the call's line: %s", line)
			}
		case strings.HasPrefix(o.textAt("msg"), "notification") && o.textAt("call_id") == id:
			notifications++
		}
	}
	if requests != 1 || calls != 1 || notifications == 0 {
		t.Errorf("%d lines of the request, %d of the call's end, %d of its notification", requests, calls, notifications)
	}
	secrets := []string{number[1:], number[4:], bootstrapKey, "Layla", "secret-path"}
	for _, message := range over.listAt("enhanced_transcript", "transcript", "messages") {
		if text := jsonObject(message.(map[string]any)).textAt("content"); len(text) > 8 {
			secrets = append(secrets, text)
		}
	}
	for _, secret := range secrets {
		if strings.Contains(a.log.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}
