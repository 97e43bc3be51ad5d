package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// checkPromptsOfTwo adds a recorded prompt on the first appliance and expects it in calls of the second. A prompt
// removed on the second disappears from the bucket and the first, whose calls then use the bundled voice.
func checkPromptsOfTwo(t *testing.T, p appliancePair, setting string) {
	t.Helper()
	p.a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{
		"id": "hummed", "name": "x", "steps": []jsonObject{{"id": "a", "type": "say", "say": "شكرا جزيلا مع السلامة"}},
	}).wantStatus(t, http.StatusCreated)
	sound, err := os.ReadFile(humFile(t))
	mustSucceed(t, err)
	files := map[string][]byte{"thanks.wav": sound, "thanks.txt": []byte("شكرا جزيلا مع السلامة\n")}
	folder := func(a *testInstance, name string) string { return filepath.Join(a.Data, "prompts", "default", name) }
	isThere := func(a *testInstance, name string) bool {
		_, err := os.Stat(folder(a, name))
		return err == nil
	}
	mustSucceed(t, os.MkdirAll(folder(p.a, ""), 0o700))
	for name, content := range files {
		mustSucceed(t, os.WriteFile(folder(p.a, name), content, 0o600))
	}
	awaitThat(t, p.b, "the recorded line of the first appliance is on the second", func() bool {
		return isThere(p.b, "thanks.wav") && isThere(p.b, "thanks.txt")
	})
	call := func(a *testInstance, number string) jsonObject {
		c := a.awaitEnded(t, a.campaignOfOne(t, "hummed", number))
		if owner, _ := p.ownerOf(t, c.textAt("id")); owner != a {
			t.Errorf("the call was made by %s", owner.URL)
		}
		return c
	}
	if heard := countHummed(t, p.b, call(p.b, simulatedNumber("01"))); heard < 10 {
		t.Errorf("the second appliance says the line for %d00 ms in the recording of the first", heard)
	}
	for name := range files {
		mustSucceed(t, os.Remove(folder(p.b, name)))
	}
	awaitThat(t, p.a, "the line that was removed on the second appliance has left the first and the bucket", func() bool {
		return !isThere(p.a, "thanks.wav") && !isThere(p.a, "thanks.txt") && !inBucket(t, setting, "prompts/default/thanks.wav")
	})
	if heard := countHummed(t, p.a, call(p.a, simulatedNumber("02"))); heard > 0 {
		t.Errorf("the first appliance says the line for %d00 ms in a recording that was removed", heard)
	}
}

// campaignOfOne books one call as a campaign, which runs on the appliance that created it, and returns the campaign's
// id.
func (a *testInstance) campaignOfOne(t *testing.T, scenario, number string) string {
	t.Helper()
	made := a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "one call", "scenario_id": scenario, "calls": []jsonObject{{"phone_number": number}},
	}).wantStatus(t, http.StatusCreated).successData(t)
	var listed struct{ Data []jsonObject }
	a.requestAPI(t, http.MethodGet, "/calls?campaign_id="+made.textAt("id"), nil).wantStatus(t, http.StatusOK).decodeJSON(t, &listed)
	return listed.Data[0].textAt("id")
}
