package whole_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
)

// campaignWitness records which campaigns were requested with which idempotency key, and what was acknowledged.
type campaignWitness struct {
	numbers map[string][]string // by key
	ids     map[string]string   // by key, acknowledged
	paused  map[string]bool     // by id: pausing was acknowledged, and resuming not requested since
	dials   map[string]int      // by call, from the log
}

// askOnce sends a request; false if the appliance ended before it answered.
func (a *testInstance) askOnce(method, path string, body jsonObject, key string) (testAnswer, bool) {
	text, err := json.Marshal(body)
	if err != nil {
		return testAnswer{}, false
	}
	r, err := http.NewRequest(method, a.URL+v1+path, bytes.NewReader(text))
	if err != nil {
		return testAnswer{}, false
	}
	r.Header.Set("Authorization", "Bearer "+bootstrapKey)
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return testAnswer{}, false
	}
	defer res.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil {
		return testAnswer{}, false
	}
	return testAnswer{res.StatusCode, res.Header, b.Bytes()}, true
}

// steerCampaigns creates campaigns, repeats unanswered requests, and pauses and resumes campaigns, until the appliance
// is killed.
func (w *campaignWitness) steerCampaigns(t *testing.T, a *testInstance, life int) {
	for n := 0; ; n++ {
		key := fmt.Sprintf("campaign-%d-%d", life, n)
		for old := range w.numbers { // a client that got no answer repeats its request
			if w.ids[old] == "" {
				key = old
			}
		}
		if w.numbers[key] == nil {
			for i := range 12 {
				ending := []string{"90", "91", "92", "96"}[i%4]
				w.numbers[key] = append(w.numbers[key], fmt.Sprintf("+9665%02d%02d%02d%s", life, n, i, ending))
			}
		}
		var rows []jsonObject
		for _, number := range w.numbers[key] {
			rows = append(rows, jsonObject{"phone_number": number})
		}
		made, answered := a.askOnce("POST", "/campaigns",
			jsonObject{"name": key, "scenario_id": "appointment_confirmation", "calls": rows}, key)
		if !answered {
			return
		}
		if made.Status == http.StatusServiceUnavailable || made.Status == http.StatusConflict {
			continue // it is starting, or an interrupted creation is being undone
		}
		if made.Status != 201 {
			t.Errorf("campaign %s answers %s", key, made)
			return
		}
		id := jsonObject(made.jsonBody(t)).objectAt("data").textAt("id")
		if before := w.ids[key]; before != "" && before != id {
			t.Errorf("key %s has campaigns %s and %s", key, before, id)
		}
		w.ids[key] = id
		if _, answered := a.askOnce("POST", "/campaigns/"+id+"/pause", jsonObject{}, ""); !answered {
			return
		}
		w.paused[id] = true
		time.Sleep(200 * time.Millisecond)
		if n%2 == 0 {
			delete(w.paused, id)
			if _, answered := a.askOnce("POST", "/campaigns/"+id+"/resume", jsonObject{}, ""); !answered {
				return
			}
		}
	}
}

// noteDials counts the dialled calls in the log.
func (w *campaignWitness) noteDials(a *testInstance) {
	for line := range strings.Lines(a.log.String()) {
		if _, id, found := strings.Cut(line, `msg="call ended" call_id=`); found {
			w.dials[strings.Fields(id)[0]]++
		}
	}
}

// TestCampaignsCutByPower kills the process while campaigns are created, dialled, paused and resumed. Each key has one
// campaign with one call for each row, no call is dialled twice, and a paused campaign stays paused.
func TestCampaignsCutByPower(t *testing.T) {
	t.Parallel()
	cuts := 6
	if runsLongForms() {
		cuts = 40
	}
	w := &campaignWitness{map[string][]string{}, map[string]string{}, map[string]bool{}, map[string]int{}}
	a := startInstance(t, instanceSettings{args: []string{"--lines", "8", "--time-scale", "20"}})
	for life := range cuts {
		over := make(chan struct{})
		go func(a *testInstance) { defer close(over); w.steerCampaigns(t, a, life) }(a)
		time.Sleep(time.Duration(200+rand.IntN(1500)) * time.Millisecond)
		a.killProcess(t)
		<-over
		w.noteDials(a)
		a = startInstance(t, instanceSettings{data: a.Data, noKey: true, args: []string{"--lines", "8", "--time-scale", "20"}})
	}
	for key, id := range w.ids {
		w.judgeCampaign(t, a, key, id)
	}
	w.noteDials(a)
	for id, n := range w.dials {
		if n > 1 {
			t.Errorf("%s was dialled %d times", id, n)
		}
	}
	all := a.requestAPI(t, "GET", "/campaigns?limit=200", nil).wantStatus(t, 200).jsonBody(t)["data"].([]any)
	t.Logf("%d cuts, %d keys, %d acknowledged, %d campaigns", cuts, len(w.numbers), len(w.ids), len(all))
	for _, one := range all {
		c := jsonObject(one.(map[string]any))
		if key := c.textAt("name"); w.ids[key] != "" && w.ids[key] != c.textAt("id") && c.textAt("status") != "cancelled" {
			t.Errorf("key %s is acknowledged as %s, and there is %v", key, w.ids[key], c)
		}
	}
}

// judgeCampaign expects one call for each row, and the last acknowledged status.
func (w *campaignWitness) judgeCampaign(t *testing.T, a *testInstance, key, id string) {
	t.Helper()
	path := "/campaigns/" + id
	if w.paused[id] {
		if c := a.requestAPI(t, "GET", path, nil).wantStatus(t, 200).successData(t); c.textAt("status") != "paused" && c.textAt("status") != "finished" {
			t.Errorf("%s was paused and is %s", key, c.textAt("status"))
		}
	}
	var c jsonObject
	for began := time.Now(); time.Since(began) < 2*conversation; time.Sleep(100 * time.Millisecond) {
		c = a.requestAPI(t, "GET", path, nil).wantStatus(t, 200).successData(t)
		if c.textAt("status") == "paused" { // unknown if the kill came before the answer
			a.requestAPI(t, "POST", path+"/resume", nil)
		} else if c.textAt("status") != "running" {
			break
		}
	}
	if c.textAt("status") != "finished" {
		t.Errorf("%s ended as %v", key, c)
	}
	rows := map[string]int{}
	for _, one := range a.requestAPI(t, "GET", "/calls?limit=200&campaign_id="+id, nil).wantStatus(t, 200).jsonBody(t)["data"].([]any) {
		call := jsonObject(one.(map[string]any))
		if call.textAt("previous_call_id") == "" {
			rows[call.textAt("phone_number")]++
		}
	}
	for _, number := range w.numbers[key] {
		if rows[number] != 1 {
			t.Errorf("%s of %s has %d calls", number, key, rows[number])
		}
	}
}
