package conversation_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
)

// staffPhone is the telephone of a member of staff.
type staffPhone struct {
	refused error         // of the dial; nil: it is answered
	rings   bool          // until the dial is cancelled
	keys    string        // pressed a second after the answer, or at takesAt
	takesAt time.Duration //
	speaks  time.Duration // from when on; 0: never
	ends    time.Duration // when the member of staff hangs up; 0: never
	broken  error         // of the line then, instead of a hang-up

	line   *staffTestLine
	gaveUp bool // the dial was cancelled
}

// staffTestLine is the answered line of a staffPhone.
type staffTestLine struct {
	phone   *staffPhone
	at      time.Duration
	heard   []carrier.Speech
	loud    int // frames of the caller's that were passed on
	gotKeys string
	keysAt  []time.Duration
	late    bool // a key came after something was said
	hung    bool
}

func (p *staffPhone) answer(ctx context.Context) (carrier.Line, error) {
	if p.rings {
		<-ctx.Done()
		p.gaveUp = true
		return nil, ctx.Err()
	}
	if p.refused != nil {
		return nil, p.refused
	}
	p.line = &staffTestLine{phone: p}
	return p.line, nil
}

func (l *staffTestLine) Next(ctx context.Context) (f carrier.Frame, _ error) {
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	f.At = l.at
	if l.phone.ends > 0 && l.at >= l.phone.ends {
		if l.phone.broken != nil {
			return f, l.phone.broken
		}
		return f, io.EOF
	}
	if l.at == cmp.Or(l.phone.takesAt, time.Second) {
		f.Digits = l.phone.keys
	}
	if l.phone.speaks > 0 && l.at >= l.phone.speaks {
		f.In[0] = 1000
	}
	l.at += carrier.Tick
	return f, nil
}

func (l *staffTestLine) Say(s carrier.Speech) {
	if s.Text != "" {
		l.heard = append(l.heard, s)
	} else {
		l.loud++
	}
}
func (l *staffTestLine) Flush()                                 {}
func (l *staffTestLine) Queued() time.Duration                  { return 0 }
func (l *staffTestLine) Transfer(context.Context, string) error { return errors.New("no") }
func (l *staffTestLine) Hangup()                                { l.hung = true }
func (l *staffTestLine) SendKeys(keys string) {
	l.gotKeys, l.keysAt, l.late = l.gotKeys+keys, append(l.keysAt, l.at), l.late || l.loud > 0 || len(l.heard) > 0
}

// withStaff lets the telephones of staff be dialled. Both lines keep one time, so the test runs in a bubble.
func withStaff(person *scriptedCallee, phones map[string]*staffPhone) func(*conversation.Dependencies) {
	person.nap = func() { time.Sleep(carrier.Tick) }
	return func(d *conversation.Dependencies) {
		d.DialStaff = func(ctx context.Context, s conversation.StaffDial) (carrier.Line, error) {
			return phones[s.To.String()].answer(ctx)
		}
	}
}

func refusedBy(status int) error { return &carrier.DialError{SIPCode: &status} }

// transferScenario is a scenario that transfers at once, and says what it does without.
const transferScenario = `"variables":[{"name":"who"}],"steps":[
	{"id":"move","type":"transfer",%s,"on_failure":"stay"},
	{"id":"stay","type":"end","say":"شكرا"}]`

// TestBridgedTransfers checks the outcome of transfers over a line of our own, and that a call that nobody takes goes
// on with on_failure.
func TestBridgedTransfers(t *testing.T) {
	t.Parallel()
	const one, two = "+966500000001", "+966500000002"
	ends := 20 * time.Second
	for name, c := range map[string]struct {
		step   string
		phones map[string]*staffPhone
		want   string // outcomes
		taken  string
	}{
		"blind":             {`"to":"+966500000001"`, map[string]*staffPhone{one: {speaks: 1, ends: ends}}, "transferred", one},
		"blind, busy":       {`"to":"+966500000001"`, map[string]*staffPhone{one: {refused: refusedBy(486)}}, "busy", ""},
		"blind, no audio":   {`"to":"+966500000001"`, map[string]*staffPhone{one: {ends: 5 * time.Second, broken: &carrier.DialError{Err: carrier.ErrNoAudio}}}, "failed", ""},
		"attended":          {`"mode":"attended","announce":"عميل {{who}}","to":"+966500000001"`, map[string]*staffPhone{one: {keys: "1", speaks: 2 * time.Second, ends: ends}}, "transferred", one},
		"attended, refused": {`"mode":"attended","to":"+966500000001"`, map[string]*staffPhone{one: {keys: "2"}}, "refused", ""},
		"attended, silent":  {`"mode":"attended","to":"+966500000001"`, map[string]*staffPhone{one: {}}, "no_answer", ""},
		"attended, leaves":  {`"mode":"attended","to":"+966500000001"`, map[string]*staffPhone{one: {ends: 500 * time.Millisecond}}, "refused", ""},
		"in turn": {`"mode":"attended","targets":["+966500000001","+966500000002"]`, map[string]*staffPhone{
			one: {refused: &carrier.DialError{RingTimeout: true, Rang: true}}, two: {keys: "1", ends: ends},
		}, "no_answer transferred", two},
		"at once": {`"mode":"attended","order":"at_once","targets":["+966500000001","+966500000002"]`, map[string]*staffPhone{
			one: {rings: true}, two: {keys: "1", ends: ends},
		}, "transferred cancelled", two},
		"forbidden now": {`"to":"+966500000001"`, map[string]*staffPhone{one: {refused: conversation.ErrStaffForbidden}}, "forbidden", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) {
				person := &scriptedCallee{moved: carrier.ErrNoTransfer}
				in := conversation.ConversationInput{
					Scenario:  readScenario(t, strings.Replace(transferScenario, "%s", c.step, 1)),
					Variables: map[string]any{"who": "سارة"},
				}
				told := "" // that staff is on the line
				o, err := runConversation(t, person, in, func(d *conversation.Dependencies) {
					withStaff(person, c.phones)(d)
					d.OnStaff = func(on bool) { told += fmt.Sprint(on) + " " }
				})
				if err != nil {
					t.Fatal(err)
				}
				checkEnd(t, o, call.Completed, "")
				if connected := c.taken != "" || c.want == "failed"; told != map[bool]string{true: "true false "}[connected] {
					t.Errorf("staff is on the line: %q", told)
				}
				var outcomes []string
				for _, tried := range o.Transfers {
					outcomes = append(outcomes, string(tried.Outcome))
					if took := tried.Outcome == call.Transferred; took && (tried.To != c.taken || tried.Way != call.BridgeWay || *tried.Duration < 15) {
						t.Errorf("%+v for %d s", tried, *tried.Duration)
					}
				}
				if got := strings.Join(outcomes, " "); got != c.want {
					t.Errorf("outcomes %q, want %q\n%s", got, c.want, formatOutcome(o))
				}
				if stayed := strings.HasSuffix(saidTexts(o), "شكرا"); stayed == (c.taken != "") {
					t.Errorf("said %q", saidTexts(o))
				}
				synctest.Wait()
				for to, phone := range c.phones {
					if phone.line != nil && (!phone.line.hung || to == c.taken && phone.line.loud < 100) {
						t.Errorf("%s: %+v", to, phone.line)
					}
					if phone.gaveUp != phone.rings {
						t.Errorf("%s rings: %t, was cancelled: %t", to, phone.rings, phone.gaveUp)
					}
				}
			})
		})
	}
}

// TestAnnouncementOfATransfer checks what a member of staff hears before they decide.
func TestAnnouncementOfATransfer(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		phone := &staffPhone{keys: "1", ends: 2 * time.Second}
		in := conversation.ConversationInput{
			Scenario:  readScenario(t, strings.Replace(transferScenario, "%s", `"mode":"attended","announce":"عميل {{who}}","to":"sip:desk@pbx"`, 1)),
			Variables: map[string]any{"who": "سارة"},
		}
		person := &scriptedCallee{}
		if _, err := runConversation(t, person, in, withStaff(person, map[string]*staffPhone{"sip:desk@pbx": phone})); err != nil {
			t.Fatal(err)
		}
		if heard := phone.line.heard; len(heard) != 2 || heard[0].Text != "عميل سارة" || !strings.Contains(heard[1].Text, "اضغط واحد") {
			t.Errorf("heard %+v", heard)
		}
	})
}

// TestCallerLeavesWhileStaffIsCalled checks that nobody's telephone rings on for a caller who has hung up.
func TestCallerLeavesWhileStaffIsCalled(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		phone := &staffPhone{rings: true}
		person := &scriptedCallee{moved: carrier.ErrNoTransfer, start: calleeReaction{after: 6 * time.Second, say: "ألو", hangup: true}}
		in := conversation.ConversationInput{Scenario: readScenario(t, strings.Replace(transferScenario, "%s", `"to":"+966500000001"`, 1))}
		o, err := runConversation(t, person, in, withStaff(person, map[string]*staffPhone{"+966500000001": phone}))
		if err != nil || len(o.Transfers) != 1 || o.Transfers[0].Outcome != call.TransferCancelled {
			t.Errorf("%v: %+v", err, o.Transfers)
		}
		if synctest.Wait(); !phone.gaveUp {
			t.Error("the telephone rings on")
		}
	})
}

// TestKeysOfATransfer checks that the keys of a transfer are sent to who answers, with their pauses and before anything is
// said, and never by a trunk that would transfer the call itself.
func TestKeysOfATransfer(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{"blind": "ww1w2#", "attended": "ww1w2#"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) {
				step := fmt.Sprintf(`"mode":%q,"keys":%q,"to":"+966500000001"`, mode, want)
				phone := &staffPhone{speaks: 4 * time.Second, ends: 20 * time.Second, takesAt: 6 * time.Second, keys: "1"}
				person := &scriptedCallee{}
				in := conversation.ConversationInput{Scenario: readScenario(t, strings.Replace(transferScenario, "%s", step, 1))}
				o, err := runConversation(t, person, in, withStaff(person, map[string]*staffPhone{"+966500000001": phone}))
				if err != nil || person.to != "" || len(o.Transfers) != 1 || o.Transfers[0].Outcome != call.Transferred {
					t.Fatalf("%v: the trunk transfers to %q, %+v", err, person.to, o.Transfers)
				}
				if phone.line.gotKeys != "12#" || phone.line.late {
					t.Errorf("keys %q are sent, late: %t", phone.line.gotKeys, phone.line.late)
				}
				if got := fmt.Sprint(phone.line.keysAt); got != "[1s 1.74s 1.98s]" {
					t.Errorf("keys are sent at %s", got)
				}
			})
		})
	}
}

// TestKeysPassABridge checks that the keys of a caller reach the member of staff.
func TestKeysPassABridge(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		phone := &staffPhone{speaks: 1, ends: 30 * time.Second}
		person := &scriptedCallee{moved: carrier.ErrNoTransfer, start: calleeReaction{after: 15 * time.Second, keys: "42#"}}
		in := conversation.ConversationInput{Scenario: readScenario(t, strings.Replace(transferScenario, "%s", `"to":"+966500000001"`, 1))}
		if _, err := runConversation(t, person, in, withStaff(person, map[string]*staffPhone{"+966500000001": phone})); err != nil || phone.line.gotKeys != "42#" {
			t.Errorf("%v: %q", err, phone.line.gotKeys)
		}
	})
}
