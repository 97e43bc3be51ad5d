package conversation_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"munadi/appliance/conversation"
	"munadi/store/callrules"
)

// forbidTransfer allows no target.
func forbidTransfer(context.Context, callrules.TransferTarget) error {
	return errors.New("is forbidden")
}

// TestForbiddenTransferIsNotDialled checks that the rendered target is judged, and that one that is not allowed is not
// dialled.
func TestForbiddenTransferIsNotDialled(t *testing.T) {
	t.Parallel()
	const form = `"variables":[{"name":"to"}],"steps":[
		{"id":"move","type":"transfer","to":"%s","on_failure":"stay"},
		{"id":"stay","type":"end","say":"شكرا"}]`
	for _, c := range []struct{ to, value, dialled string }{
		{"+966500000000", "", "+966500000000"},
		{"{{to}}", "+966500000001", "+966500000001"},
		{"sip:{{to}}@pbx", "204", "sip:204@pbx"},
		{"tel:%2B966-50-000-0000", "", "+966500000000"},
		{"SIP:%2B966500000000@pbx:5070", "", "sip:+966500000000@pbx:5070"},
		{"+97912345678", "", ""},
		{"sip:{{to}}@pbx", "204;maddr=+97912345678", ""},
		{"sip:desk@{{to}}", "pbx;maddr=97912345678", ""},
		{"{{to}}", "+97912345678", ""},
		{"sip:{{to}}@pbx", "+97912345678", ""},
		{"sip:{{to}}@pbx", "x?Route=y", ""},
		{"{{to}}", "", ""},
		{"{{to}}", "{{to}}", ""},
	} {
		person := &scriptedCallee{script: scriptedAnswers()}
		may := func(d *conversation.Dependencies) {
			d.MayTransfer = func(_ context.Context, to callrules.TransferTarget) error {
				if to.Number == "" {
					return nil
				}
				return callrules.CallRules{}.CheckTransfer(to.Number, nil)
			}
		}
		in := conversation.ConversationInput{Scenario: readScenario(t, fmt.Sprintf(form, c.to)), Variables: map[string]any{"to": c.value}}
		o, err := runConversation(t, person, in, may)
		if err != nil || person.to != c.dialled {
			t.Errorf("%+v: %v, dialled %q\n%s", c, err, person.to, formatOutcome(o))
		}
		if c.dialled == "" && (outcomeCodes(o) != "transfer_refused" || saidTexts(o) != "شكرا") {
			t.Errorf("%+v: codes %q, said %q", c, outcomeCodes(o), saidTexts(o))
		}
	}
}
