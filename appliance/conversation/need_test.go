package conversation_test

import (
	"testing"

	"munadi/appliance/conversation"
	"munadi/store/call"
)

// TestNeedsPerson checks that the outcome has the reason why staff must follow the call up.
func TestNeedsPerson(t *testing.T) {
	t.Parallel()
	const transfer = `"steps":[{"id":"q","type":"ask","say":"أي لون تريدون","slot":{"name":"c","type":"yes_no"}},
		{"id":"move","type":"transfer","to":"+966500000000","on_failure":"stay"},{"id":"stay","type":"end","say":"شكرا"}]`
	const ending = `"steps":[{"id":"stay","type":"end","say":"سيتصل بكم موظف","needs_person":true}]`
	for name, c := range map[string]struct {
		form      string
		answers   []string
		forbidden bool // the transfer
		want      call.NeedReason
	}{
		"answered":            {askColour, []string{"أحمر"}, false, ""},
		"silent":              {askColour, nil, false, ""},
		"not understood":      {askColour, []string{"سيارة", "سيارة", "سيارة", "سيارة"}, false, call.NeedNotUnderstood},
		"asked for somebody":  {askColour, []string{"حولني إلى الموظف"}, false, call.NeedAsked},
		"asked and connected": {transfer, []string{"حولني إلى الموظف"}, false, ""},
		"asked and refused":   {transfer, []string{"حولني إلى الموظف"}, true, call.NeedTransfer},
		"opted out":           {askColour, []string{"لا تتصلوا بي مرة أخرى"}, false, ""},
		"the scenario":        {ending, nil, false, call.NeedScenario},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			may := func(d *conversation.Dependencies) {
				if c.forbidden {
					d.MayTransfer = forbidTransfer
				}
			}
			o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers(c.answers...)}, conversation.ConversationInput{Scenario: readScenario(t, c.form)}, may)
			if err != nil || o.Need != c.want {
				t.Errorf("%v: %q, want %q\n%s", err, o.Need, c.want, formatOutcome(o))
			}
		})
	}
}
