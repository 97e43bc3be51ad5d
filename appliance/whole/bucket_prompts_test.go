package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// checkPromptsOfTwo lays a recorded line into the prompts of the first appliance: the second one says it in its calls.
// What is removed on the second leaves the first and the bucket, and the line is said by the bundled voice again.
func checkPromptsOfTwo(t *testing.T, p appliancePair, setting string) {
	t.Helper()
	p.a.ask(t, http.MethodPost, "/scenarios", object{
		"id": "hummed", "name": "x", "steps": []object{{"id": "a", "type": "say", "say": "شكرا جزيلا مع السلامة"}},
	}).want(t, http.StatusCreated)
	sound, err := os.ReadFile(humFile(t))
	must(t, err)
	files := map[string][]byte{"thanks.wav": sound, "thanks.txt": []byte("شكرا جزيلا مع السلامة\n")}
	folder := func(a *instance, name string) string { return filepath.Join(a.Data, "prompts", "default", name) }
	isThere := func(a *instance, name string) bool {
		_, err := os.Stat(folder(a, name))
		return err == nil
	}
	must(t, os.MkdirAll(folder(p.a, ""), 0o700))
	for name, content := range files {
		must(t, os.WriteFile(folder(p.a, name), content, 0o600))
	}
	awaitThat(t, p.b, "the recorded line of the first appliance is on the second", func() bool {
		return isThere(p.b, "thanks.wav") && isThere(p.b, "thanks.txt")
	})
	call := func(a *instance, number string) object {
		c := a.ended(t, a.campaignOfOne(t, "hummed", number))
		if owner, _ := p.ownerOf(t, c.text("id")); owner != a {
			t.Errorf("the call was made by %s", owner.URL)
		}
		return c
	}
	if heard := countHummed(t, p.b, call(p.b, simulated("01"))); heard < 10 {
		t.Errorf("the second appliance says the line for %d00 ms in the recording of the first", heard)
	}
	for name := range files {
		must(t, os.Remove(folder(p.b, name)))
	}
	awaitThat(t, p.a, "the line that was removed on the second appliance has left the first and the bucket", func() bool {
		return !isThere(p.a, "thanks.wav") && !isThere(p.a, "thanks.txt") && !inBucket(t, setting, "prompts/default/thanks.wav")
	})
	if heard := countHummed(t, p.a, call(p.a, simulated("02"))); heard > 0 {
		t.Errorf("the first appliance says the line for %d00 ms in a recording that was removed", heard)
	}
}

// campaignOfOne books one call as a campaign, which runs on the appliance that created it, and returns its id.
func (a *instance) campaignOfOne(t *testing.T, scenario, number string) string {
	t.Helper()
	made := a.ask(t, http.MethodPost, "/campaigns", object{
		"name": "one call", "scenario_id": scenario, "calls": []object{{"phone_number": number}},
	}).want(t, http.StatusCreated).data(t)
	var listed struct{ Data []object }
	a.ask(t, http.MethodGet, "/calls?campaign_id="+made.text("id"), nil).want(t, http.StatusOK).decode(t, &listed)
	return listed.Data[0].text("id")
}
