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
	"munadi/appliance/conversation/llm"
	"munadi/store/call"
)

const withModel = `"llm":{"endpoint":"local","timeout_seconds":5},"variables":[{"name":"who"}],"steps":[
	{"id":"chat","type":"llm","say":"كيف نساعدكم","prompt":"تحدث مع {{who}}\nنفتح غدا الساعة 3.5 عصرا","max_turns":3,"timeout_seconds":3},
	{"id":"bye","type":"end","say":"شكرا"}]`

// chatFunc is a language model implemented by a function.
type chatFunc func(context.Context, []llm.ChatMessage) (string, error)

func (c chatFunc) Reply(ctx context.Context, r llm.ChatRequest, onText func(string) error) (llm.ChatReply, error) {
	answer, err := c(ctx, r.Messages)
	if err == nil {
		err = onText(answer)
	}
	return llm.ChatReply{Text: answer}, err
}

func withChat(c chatFunc) func(*conversation.Dependencies) {
	return func(d *conversation.Dependencies) {
		if c != nil {
			d.Chat = c
		}
	}
}

func TestModelLeadsTheConversation(t *testing.T) {
	t.Parallel()
	var asked [][]llm.ChatMessage
	model := chatFunc(func(_ context.Context, m []llm.ChatMessage) (string, error) {
		asked = append(asked, m)
		return []string{"نعم نفتح غدا", "مع السلامة [END]"}[len(asked)-1], nil
	})
	person := &scriptedCallee{script: scriptedAnswers("متى تفتحون", "ممتاز جدا")}
	o, err := runConversation(t, person, conversation.ConversationInput{Scenario: readScenario(t, withModel), Variables: map[string]any{"who": "سارة"}}, withChat(model))
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "model", formatOutcome(o))
	last := asked[len(asked)-1]
	if len(last) != 5 || last[0].Role != "system" || !strings.HasPrefix(last[0].Content, "تحدث مع «who»\n") ||
		!strings.HasSuffix(last[0].Content, `{"who":"سارة"}`) ||
		!cmp.Equal(last[4], llm.ChatMessage{Role: "user", Content: "ممتاز جدا"}) {
		t.Errorf("the model was asked %+v", last)
	}
}

func TestModelHasOnlyItsTurns(t *testing.T) {
	t.Parallel()
	n := 0
	model := chatFunc(func(context.Context, []llm.ChatMessage) (string, error) { n++; return "وماذا بعد {{x}}", nil })
	o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers("شيء", "شيء", "شيء", "شيء", "شيء")}, conversation.ConversationInput{Scenario: readScenario(t, withModel)}, withChat(model))
	if err != nil || n != 3 || outcomeCodes(o) != "" {
		t.Errorf("%v: %d answers\n%s", err, n, formatOutcome(o))
	}
}

// TestModelThatHangs checks that it costs its deadline, and the line continues meanwhile.
func TestModelThatHangs(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]chatFunc{
		"until its deadline": func(ctx context.Context, _ []llm.ChatMessage) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		},
		"whatever it is told": func(context.Context, []llm.ChatMessage) (string, error) {
			time.Sleep(time.Hour)
			return "متأخر", nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				person := &scriptedCallee{script: scriptedAnswers("متى تفتحون"), nap: func() { time.Sleep(carrier.Tick) }}
				o, err := runConversation(t, person, conversation.ConversationInput{Scenario: readScenario(t, withModel)}, withChat(model))
				if err != nil || o.Status != call.Completed || outcomeCodes(o) != "llm_failed" || *o.Duration > 11 {
					t.Errorf("%v\n%s", err, formatOutcome(o))
				}
				var said []string
				for _, m := range o.Messages {
					said = append(said, m.Content)
				}
				want := "كيف نساعدكم|متى تفتحون|لحظة|شكرا"
				if got := strings.Join(said, "|"); got != want {
					t.Errorf("said %q, want %q", got, want)
				}
				time.Sleep(2 * time.Hour) // the model comes to its end
			})
		})
	}
}

func TestModelThatFails(t *testing.T) {
	t.Parallel()
	other := strings.Replace(withModel, `"max_turns":3`, `"max_turns":3,"on_failure":"sorry"`, 1)
	other = strings.Replace(other, `"say":"شكرا"}]`, `"say":"شكرا"},{"id":"sorry","type":"end","say":"نعتذر"}]`, 1)
	for name, c := range map[string]struct {
		form  string
		model chatFunc
		last  string
		fault string // that the appliance is told of
	}{
		"none":        {withModel, nil, "شكرا", ""},
		"error":       {withModel, func(context.Context, []llm.ChatMessage) (string, error) { return "", errors.New("502") }, "شكرا", "502"},
		"empty":       {withModel, func(context.Context, []llm.ChatMessage) (string, error) { return " \n", nil }, "شكرا", ""},
		"breaks down": {withModel, func(context.Context, []llm.ChatMessage) (string, error) { panic("no") }, "شكرا", "panic: no\ngoroutine"},
		"on_failure":  {other, nil, "نعتذر", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fault := ""
			watched := func(d *conversation.Dependencies) {
				withChat(c.model)(d)
				d.OnFault = func(err error) { fault += err.Error() }
			}
			o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers("متى تفتحون")}, conversation.ConversationInput{Scenario: readScenario(t, c.form)}, watched)
			if err != nil || o.Status != call.Completed || outcomeCodes(o) != "llm_failed" {
				t.Errorf("%v\n%s", err, formatOutcome(o))
			}
			if !strings.HasPrefix(fault, c.fault) || c.fault == "" && fault != "" {
				t.Errorf("reported %q, want %q", fault, c.fault)
			}
			var said []string
			for _, m := range o.Messages[2:] {
				said = append(said, m.Content)
			}
			if got := strings.Join(said, "|"); got != c.last {
				t.Errorf("said %q, want %q", got, c.last)
			}
		})
	}
}

// TestModelEndsUnspoken checks that an answer that ends the conversation, and of which no sentence is spoken, is a
// failure; one that says nothing, or of which one sentence is spoken, is none.
func TestModelEndsUnspoken(t *testing.T) {
	t.Parallel()
	const form = `"llm": {"endpoint": "local"}, "steps": [
		{"id": "chat", "type": "llm", "say": "أهلا", "prompt": "p", "next": "bye", "on_failure": "sorry"},
		{"id": "bye", "type": "end", "say": "شكرا"}, {"id": "sorry", "type": "end", "say": "نعتذر"}]`
	for answer, want := range map[string]string{
		"سنتصل بكم لاحقا. [END]":           "call_back_left_out llm_failed|نعتذر",
		"نفتح غدا. سنتصل بكم لاحقا. [END]": "call_back_left_out|شكرا",
		"[END]": "|شكرا",
	} {
		model := chatFunc(func(context.Context, []llm.ChatMessage) (string, error) { return answer, nil })
		o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers("متى تفتحون غدا")}, conversation.ConversationInput{Scenario: readScenario(t, form)}, withChat(model))
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomeCodes(o) + "|" + o.Messages[len(o.Messages)-1].Content; got != want {
			t.Errorf("%s: %q, want %q\n%s", answer, got, want, formatOutcome(o))
		}
	}
}

// TestSilenceAndGoodbyeBypassTheModel checks that silence, goodbyes and requests to repeat are handled without the
// model.
func TestSilenceAndGoodbyeBypassTheModel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers []string
		model   int // answers of it
		codes   string
	}{
		"silent":  {nil, 0, "no_input no_input"},
		"leaves":  {[]string{"شكرا مع السلامة"}, 0, "goodbye"},
		"repeats": {[]string{"أعد السؤال", "متى تفتحون"}, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			model := chatFunc(func(context.Context, []llm.ChatMessage) (string, error) { n++; return "غدا [END]", nil })
			o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers(c.answers...)}, conversation.ConversationInput{Scenario: readScenario(t, withModel)}, withChat(model))
			if err != nil || n != c.model || outcomeCodes(o) != c.codes || o.Status != call.Completed {
				t.Errorf("%v: %d answers\n%s", err, n, formatOutcome(o))
			}
		})
	}
}
