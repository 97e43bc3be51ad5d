package conversation_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
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

// TestTransferWithoutSuccess checks what a transfer by the trunk counts as that ends without an answer of the target: by
// a hang-up of either side, or because the trunk transfers no calls and, in a trial, nobody else may be called.
func TestTransferWithoutSuccess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		moved   error
		outcome call.TransferOutcome
		goesOn  bool
		ended   error
	}{
		"the other side hangs up": {io.EOF, call.TransferCancelled, false, nil},
		"we hang up":              {carrier.ErrHungUp, call.TransferCancelled, false, carrier.ErrHungUp},
		"no transfers":            {carrier.ErrNoTransfer, call.TransferFailed, true, nil},
		"busy":                    {refusedBy(486), call.TransferBusy, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			person := &scriptedCallee{moved: c.moved, start: calleeReaction{after: time.Second, say: "ألو"}}
			in := conversation.ConversationInput{Scenario: readScenario(t, fmt.Sprintf(transferScenario, `"to":"+966500000001"`))}
			o, err := runConversation(t, person, in, nil)
			if !errors.Is(err, c.ended) || len(o.Transfers) != 1 || o.Transfers[0].Outcome != c.outcome || o.Transfers[0].Way != call.ReferWay {
				t.Errorf("%v, %+v", err, o.Transfers)
			}
			if goesOn := strings.HasSuffix(saidTexts(o), "شكرا"); goesOn != c.goesOn || strings.Contains(outcomeCodes(o), "transfer_failed") != c.goesOn {
				t.Errorf("said %q, codes %q", saidTexts(o), outcomeCodes(o))
			}
		})
	}
}

// unreadLine is a line whose frames of a transfer are read only after it, as those of a telephone: what is said
// meanwhile is played behind them.
type unreadLine struct {
	*scriptedCallee
	waits, unread int // frames
}

func (l *unreadLine) Transfer(ctx context.Context, to string) error {
	l.unread = l.waits
	return l.scriptedCallee.Transfer(ctx, to)
}

func (l *unreadLine) Next(ctx context.Context) (carrier.Frame, error) {
	if l.unread == 0 {
		return l.scriptedCallee.Next(ctx)
	}
	l.unread--
	queue, played := l.queue, l.played
	l.queue, l.played = nil, 0
	defer func() { l.queue, l.played = queue, played }()
	return l.scriptedCallee.Next(ctx)
}

func (l *unreadLine) Queued() time.Duration {
	return l.scriptedCallee.Queued() + time.Duration(l.unread)*carrier.Tick
}

// TestKeyBeforeTheQuestion checks that a key that was pressed while a transfer was tried does not answer the question
// that follows when nobody takes the call, although it is read after the question was put.
func TestKeyBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	const flow = `"steps":[{"id":"move","type":"transfer","to":"+966500000000","on_failure":"q"},
		{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد","max_reasks":0,"slot":{"name":"ok","type":"yes_no"}}]`
	for pressed, want := range map[time.Duration]any{10 * time.Second: false, 34 * time.Second: true} { // the question begins after 31 s
		person := &scriptedCallee{moved: &carrier.DialError{RingTimeout: true, Rang: true}, start: calleeReaction{after: pressed, keys: "1"}}
		person.script = func(int, carrier.Speech) calleeReaction { return calleeReaction{after: time.Second, keys: "2"} }
		o, err := runConversation(t, person, conversation.ConversationInput{Scenario: readScenario(t, flow)}, func(d *conversation.Dependencies) {
			d.Line = &unreadLine{scriptedCallee: person, waits: 1500}
		})
		if err != nil || readReport(t, o)["ok"] != want {
			t.Errorf("pressed after %v: %v\n%s", pressed, err, formatOutcome(o))
		}
	}
}
