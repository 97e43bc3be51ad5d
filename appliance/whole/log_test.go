package whole_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestLogIsForMachinesAndNamesNobody: each line is an object; a request's has the id that its client got, a call's the
// call's; and no number, key or word of a call is in any of them.
func TestLogIsForMachinesAndNamesNobody(t *testing.T) {
	t.Parallel()
	const number = "+966512345607"
	a := caller(t, settings{args: []string{"--log-format", "json", "--log-level", "debug"}})
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	id := a.book(t, number, "appointment_confirmation", object{
		"variables": object{"date": "2026-12-03", "time": "17:30"}, "metadata": object{"patient": "Layla of Jeddah"},
	}).text("id")
	over := a.ended(t, id)
	hook.await(t, id)
	asked := a.ask(t, http.MethodDelete, "/suppressions/"+number, nil)
	request := asked.Header.Get("X-Request-Id")
	a.post(t, transcriptions, file(sample(t, "order.flac"))).want(t, http.StatusOK)
	a.stop(t)

	requests, calls, notifications := 0, 0, 0
	for line := range strings.Lines(a.log.String()) {
		var o object
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Errorf("no object: %v: %s", err, line)
			continue
		}
		if at, err := time.Parse(time.RFC3339Nano, o.text("time")); err != nil || at.IsZero() || o.text("level") == "" || o.text("msg") == "" {
			t.Errorf("a line without time, level or message: %s", line)
		}
		switch {
		case o.text("msg") == "request" && o.text("request_id") == request:
			requests++
			if !strings.Contains(o.text("path"), "•••") || o.text("org") != "default" {
				t.Errorf("the request's line: %s", line)
			}
		case o.text("msg") == "call ended" && o.text("call_id") == id:
			calls++
			if o.text("status") != over.text("status") {
				t.Errorf("the call's line: %s", line)
			}
		case strings.HasPrefix(o.text("msg"), "notification") && o.text("call_id") == id:
			notifications++
		}
	}
	if requests != 1 || calls != 1 || notifications == 0 {
		t.Errorf("%d lines of the request, %d of the call's end, %d of its notification", requests, calls, notifications)
	}
	secrets := []string{number[1:], number[4:], bootstrapKey, "Layla", "secret-path"}
	for _, message := range over.list("enhanced_transcript", "transcript", "messages") {
		if text := object(message.(map[string]any)).text("content"); len(text) > 8 {
			secrets = append(secrets, text)
		}
	}
	for _, secret := range secrets {
		if strings.Contains(a.log.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}
