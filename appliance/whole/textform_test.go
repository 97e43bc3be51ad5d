package whole_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestTextForm checks that a transcription and a job are in written form when asked, that calls are in the form of the
// organization, and that neither is by default.
func TestTextForm(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	for want, parts := range map[string][]requestPart{
		"الساعة الخامسة مساء": nil,
		"الساعة 17:00":        {withField("text_form", "written")},
		"الساعة ١٧:٠٠":        {withField("text_form", "written"), withField("numerals", "arab"), withField("redact", "true")},
	} {
		got := a.postForm(t, transcriptions, append(parts, withFile(demoSample(t, "time.flac")))...).wantStatus(t, 200)
		if text := got.jsonBody(t)["text"]; text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	a.postForm(t, transcriptions, withField("text_form", "short"), withFile(demoSample(t, "time.flac"))).wantStatus(t, 422)
	id := a.enqueueJob(t, withField("text_form", "written"), withFile(demoSample(t, "time.flac")))
	if text := a.awaitJobResult(t, id)["text"]; text != "الساعة 17:00" {
		t.Errorf("a job: %q", text)
	}

	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"text_form": "short"}).wantFailure(t, 422, "validation_error")
	spoken, written := a.transcriptOf(t), ""
	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"text_form": "written", "city": "cairo"}).wantStatus(t, 200)
	if written = a.transcriptOf(t); strings.Contains(spoken, "17:00") || !strings.Contains(written, "17:00") {
		t.Errorf("before: %s\nafter: %s", spoken, written)
	}
}

// transcriptOf books a call that names a time of day, and returns its transcript.
func (a *testInstance) transcriptOf(t testing.TB) string {
	t.Helper()
	id := a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", jsonObject{
		"variables": jsonObject{"date": "2027-01-03", "time": "17:00"},
	}).textAt("id")
	text, err := json.Marshal(a.awaitEnded(t, id)["enhanced_transcript"])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
