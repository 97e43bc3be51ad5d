package whole_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip/sipptest"
)

// TestRefusingTrunk checks that a trunk that refuses every call and answers OPTIONS costs at most four of 40 calls, that
// health and doctor say so, and that the others are dialled once the trunk takes calls again.
func TestRefusingTrunk(t *testing.T) {
	t.Parallel()
	for status, says := range map[string]string{
		"403 Account Suspended": "refuses calls with 403 Account Suspended",
		"":                      "does not answer calls",
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			takeSoundSlot(t)
			refusing := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: sipptest.RefusingScenario(status)})
			a := startWithTrunk(t, refusing.TrunkAddress())
			a.tends = append(a.tends, "the SIP trunk refuses calls")
			var calls []jsonObject
			for i := range 40 {
				calls = append(calls, jsonObject{"phone_number": fmt.Sprintf("+9665%06d96", i)}) // busy
			}
			made := a.requestAPI(t, "POST", "/campaigns", jsonObject{
				"name": "c", "scenario_id": "appointment_confirmation", "calls": calls, "retry": jsonObject{"max_attempts": 1},
			}).wantStatus(t, 201).successData(t)
			count := func() map[string]int {
				var all struct{ Data []jsonObject }
				path := "/calls?limit=100&campaign_id=" + made.textAt("id")
				a.requestAPI(t, "GET", path, nil).wantStatus(t, 200).decodeJSON(t, &all)
				found := map[string]int{}
				for _, c := range all.Data {
					found[c.textAt("status")]++
				}
				return found
			}
			await := func(what string, holds func() bool) {
				t.Helper()
				ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
				defer cancel()
				if err := sipptest.PollUntil(ctx, a.processExited(), holds); err != nil {
					t.Fatalf("%s: %v, the calls are %v\n%s", what, err, count(), a.log.lastLines())
				}
			}
			await("two trial calls", func() bool { return strings.Count(a.log.String(), "the SIP trunk refuses calls") > 2 })
			found := count()
			if lost := found["failed"]; lost > 4 || lost+found["scheduled"]+found["dialing"] != 40 {
				t.Errorf("the calls are %v", found)
			}
			if told := string(a.getPath(t, "/health").Body); !strings.Contains(told, "calls wait for the SIP trunk") {
				t.Errorf("health says %s", told)
			}
			if told := runMunadi(t, nil, "doctor", "--data", a.Data).stdout; !strings.Contains(told, says) {
				t.Errorf("doctor says %s", told)
			}
			refusing.EndCalls(t)
			startSIPpPeerAt(t, refusing.At)
			await("all calls", func() bool { return found["failed"]+count()["user_rejected"] == 40 })
			await("health", func() bool { return !strings.Contains(string(a.getPath(t, "/health").Body), "SIP trunk") })
		})
	}
}
