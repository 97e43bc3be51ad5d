package conversation_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/tool"
	"munadi/store/call"
)

const withTool = `"variables":[{"name":"order"}],"steps":[
	{"id":"look","type":"fetch","tool":"orders","send":["order","missing"],"say":"لحظة لأتأكد","on_failure":"sorry",
	 "slots":[{"name":"days","type":"number"},{"name":"ready","type":"yes_no"},{"name":"missing","type":"text"}]},
	{"id":"told","type":"end","say":"يصل طلبكم بعد {{days}} أيام"},
	{"id":"sorry","type":"end","say":"لا نجد طلبكم الآن"}]`

// toolFunc are tools implemented by a function.
type toolFunc func(context.Context, tool.Request) (string, error)

func (f toolFunc) CallTool(ctx context.Context, r tool.Request) (string, error) { return f(ctx, r) }

// lookUp runs a call of the scenario with a tool, and returns what it said.
func lookUp(t *testing.T, tools conversation.ToolCaller) (conversation.ConversationOutcome, string) {
	t.Helper()
	person := &scriptedCallee{script: scriptedAnswers(), nap: func() { time.Sleep(carrier.Tick) }}
	in := conversation.ConversationInput{
		OrgID: "acme", CallID: "call_1", Scenario: readScenario(t, withTool), Variables: map[string]any{"order": "A7"},
	}
	o, err := runConversation(t, person, in, func(d *conversation.Dependencies) { d.Tools = tools })
	if err != nil || o.Status != call.Completed {
		t.Errorf("%v\n%s", err, formatOutcome(o))
	}
	var said []string
	for _, m := range o.Messages {
		said = append(said, m.Content)
	}
	return o, strings.Join(said, " | ")
}

func TestToolFillsSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked tool.Request
		o, said := lookUp(t, toolFunc(func(_ context.Context, r tool.Request) (string, error) {
			asked = r
			return `{"days":3,"ready":"perhaps","other":1}`, nil
		}))
		want := tool.Request{
			OrgID: "acme", Tool: "orders", Values: map[string]any{"order": "A7", "missing": nil}, Key: "call_1-look-1",
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("the tool was asked -want +got %s", diff)
		}
		if !strings.Contains(said, "يصل طلبكم بعد ثلاثة أيام") || strings.Contains(said, "لحظة") || outcomeCodes(o) != "fetch_value" {
			t.Errorf("said %s\n%s", said, formatOutcome(o))
		}
		if report := string(o.Report); !strings.Contains(report, `"days":3`) || !strings.Contains(report, `"ready":null`) {
			t.Errorf("the report is %s", report)
		}
	})
}

// TestToolThatTakesAWhile checks that the person hears so, once, and then the answer.
func TestToolThatTakesAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, said := lookUp(t, toolFunc(func(context.Context, tool.Request) (string, error) {
			time.Sleep(1900 * time.Millisecond)
			return `{"days":2}`, nil
		}))
		if strings.Count(said, "لحظة لأتأكد") != 1 || !strings.Contains(said, "بعد اثنان أيام") || outcomeCodes(o) != "" {
			t.Errorf("said %s\n%s", said, formatOutcome(o))
		}
	})
}

func TestToolThatFails(t *testing.T) {
	t.Parallel()
	for name, tools := range map[string]conversation.ToolCaller{
		"none":    nil,
		"refuses": toolFunc(func(context.Context, tool.Request) (string, error) { return "", errors.New("no") }),
		"panics":  toolFunc(func(context.Context, tool.Request) (string, error) { panic("tool") }),
		"hangs": toolFunc(func(ctx context.Context, _ tool.Request) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o, said := lookUp(t, tools)
				if !strings.Contains(said, "لا نجد طلبكم") || outcomeCodes(o) != "fetch_failed" || *o.Duration > 12 {
					t.Errorf("said %s\n%s", said, formatOutcome(o))
				}
			})
		})
	}
}
