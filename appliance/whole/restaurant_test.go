package whole_test

import (
	"strings"
	"testing"
)

// heardIn transcribes an order with a house number and returns the mode and the text.
func (a *testInstance) heardIn(t testing.TB, parts ...requestPart) (mode, text string) {
	t.Helper()
	got := a.postForm(t, transcriptions, append(parts, withFile(demoSample(t, "order.flac")))...).wantStatus(t, 200)
	text, _ = got.jsonBody(t)["text"].(string)
	return got.Header.Get("x-session-mode"), text
}

// inMode expects digits in restaurant mode and words otherwise.
func inMode(t testing.TB, what, mode, text, want string) {
	t.Helper()
	if mode != want || strings.Contains(text, "20") != (want == "restaurant") ||
		strings.Contains(text, "عشرين") != (want == "default") {
		t.Errorf("%s: mode %q, want %s: %s", what, mode, want, text)
	}
}

// TestRestaurantMode checks that restaurant mode is entered and left by the header, belongs to the session and key, and
// survives a kill.
func TestRestaurantMode(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	other, _ := a.keysCommand(t, "create", "--name", "second", "--scope", "stt")
	session := withHeader("x-session-id", "table-7")
	step := func(what, want string, parts ...requestPart) {
		t.Helper()
		mode, text := a.heardIn(t, parts...)
		inMode(t, what, mode, text, want)
	}
	step("before", "default", session)
	step("a wish without a session", "restaurant", withHeader("x-session-mode", "restaurant"))
	step("after a wish without a session", "default")
	step("asked for", "restaurant", session, withHeader("x-session-mode", "restaurant"))
	step("kept", "restaurant", session)
	step("another session", "default", withHeader("x-session-id", "table-8"))
	step("another key of the organization", "restaurant", session, withKey(strings.TrimSpace(other)))

	a.killProcess(t)
	a = startInstance(t, instanceSettings{data: a.Data, noKey: true})
	step("after a power cut", "restaurant", session)
	job := a.postForm(t, jobs, session, withFile(demoSample(t, "order.flac"))).wantStatus(t, 202)
	if mode := job.Header.Get("x-session-mode"); mode != "restaurant" {
		t.Errorf("a job is accepted in mode %q", mode)
	}
	text, _ := a.awaitJobResult(t, job.jsonBody(t)["id"].(string))["text"].(string)
	inMode(t, "a job", "restaurant", text, "restaurant")
	events := a.readStream(t, session, withField("stream", "true"), withFile(demoSample(t, "order.flac")))
	inMode(t, "a stream", "restaurant", events[len(events)-1].Text, "restaurant")

	step("asked out", "default", session, withHeader("x-session-mode", "default"))
	step("stays out", "default", session)
}
