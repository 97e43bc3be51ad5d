package rehearsal_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/certainty"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/llm"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/tts"
	"munadi/assets/scenarios"
	"munadi/store/call"
	"munadi/store/scenario"
)

func runRehearsal(t *testing.T, s scenario.Scenario, answers ...string) rehearsal.Outcome {
	t.Helper()
	return rehearseWith(t, nil, nil, s, answers...)
}

// rehearseWith calls Rehearse with a language model and its replies so far.
func rehearseWith(
	t *testing.T, chat conversation.ChatModel, replies []string, s scenario.Scenario, answers ...string,
) rehearsal.Outcome {
	t.Helper()
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	out, err := rehearsal.RunRehearsal(t.Context(), rehearsal.Dependencies{Book: book, Chat: chat, Zone: time.UTC}, rehearsal.Request{
		OrgID: "acme", Scenario: s, Variables: map[string]any{"name": "سارة"}, Answers: answers, Replies: replies,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func builtIn(t *testing.T, id string) scenario.Scenario {
	t.Helper()
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("there is no scenario %s", id)
	return scenario.Scenario{}
}

func lastSaid(o rehearsal.Outcome) string {
	if len(o.Messages) == 0 {
		return ""
	}
	return o.Messages[len(o.Messages)-1].Content
}

// TestRehearsal checks that a rehearsal stops at each question, continues with each answer, and ends with the report of
// the call.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	s := builtIn(t, "appointment_confirmation")
	began := time.Now()
	first := runRehearsal(t, s)
	if !first.Waiting || first.Slot != "confirmed" || first.Kind != "yes_no" || len(first.Messages) < 2 {
		t.Fatalf("%+v", first)
	}
	t.Logf("until the first question: %v", time.Since(began))
	moved := runRehearsal(t, s, "say:لا أستطيع الحضور", "say:نعم")
	if !moved.Waiting || moved.Slot != "new_date" || moved.Slots["confirmed"] != false || moved.Slots["wants_reschedule"] != true {
		t.Fatalf("%+v", moved)
	}
	done := runRehearsal(t, s, "keys:1")
	if done.Waiting || done.Status != call.Completed || !strings.Contains(string(done.Report), `"confirmed":true`) {
		t.Fatalf("%+v", done)
	}
	if again := runRehearsal(t, s, "keys:1", "say:زائد"); len(again.Messages) != len(done.Messages) {
		t.Errorf("an answer too many changes it: %+v", again.Messages)
	}
}

// TestOtherAnswers checks that silence gets the scenario's words, that unrecognized answers are asked again, and that
// requests of the callee are carried out.
func TestOtherAnswers(t *testing.T) {
	t.Parallel()
	s := builtIn(t, "appointment_confirmation")
	quiet := runRehearsal(t, s, "silent")
	if !quiet.Waiting || len(quiet.Errors) != 1 || quiet.Errors[0].Code != "no_input" || quiet.Messages[len(quiet.Messages)-1].Role != call.Assistant {
		t.Errorf("silence: %+v", quiet)
	}
	if o := runRehearsal(t, s, "silent", "silent", "silent", "silent"); o.Waiting || o.Status != call.Completed {
		t.Errorf("silence to the end: %+v", o)
	}
	if o := runRehearsal(t, s, "say:برتقال"); !o.Waiting || len(o.Errors) != 1 || o.Errors[0].Code != "no_match" {
		t.Errorf("not understood: %+v", o)
	}
	if o := runRehearsal(t, s, "say:لحظة"); !o.Waiting || len(o.Errors) != 0 {
		t.Errorf("one moment: %+v", o)
	}
	if o := runRehearsal(t, s, "say:لا تتصلوا بي مرة أخرى"); o.Waiting || !o.Suppressed {
		t.Errorf("opt-out: %+v", o)
	}
	if o := runRehearsal(t, s, "hangup"); o.Waiting || o.Reason != call.HungUpEarly {
		t.Errorf("hung up: %+v", o)
	}
	if o := runRehearsal(t, s, "keys:"); !o.Waiting {
		t.Errorf("no keys: %+v", o)
	}
}

// TestTransferAndModel checks that a transfer is shown but not made, and that a language model is not called.
func TestTransferAndModel(t *testing.T) {
	t.Parallel()
	line := func(text string) scenario.SpokenLines { return scenario.SpokenLines{{Text: text}} }
	s := scenario.Scenario{ID: "x", Name: "x", Language: "ar", LLM: &scenario.ModelEndpoint{Endpoint: "x"}, Steps: []scenario.FlowStep{
		{ID: "m", Type: scenario.LLMStep, Prompt: "x", Say: line("تفضل"), OnFailure: "t"},
		{ID: "t", Type: scenario.Transfer, To: "+966512345601"},
	}}
	o := runRehearsal(t, s, "say:كم الساعة")
	if o.Waiting || o.Status != call.Completed || o.Transferred != "+966512345601" || o.Model != rehearsal.ModelMissing {
		t.Errorf("%+v, last %q", o, lastSaid(o))
	}
}

// slowModel is a language model that takes longer than the line waits before it continues.
type slowModel struct {
	replies []string
	asked   atomic.Int32
}

func (m *slowModel) Reply(ctx context.Context, _ llm.ChatRequest, onText func(string) error) (llm.ChatReply, error) {
	n := int(m.asked.Add(1))
	if n > len(m.replies) {
		<-ctx.Done() // it does not answer
		return llm.ChatReply{}, ctx.Err()
	}
	select {
	case <-time.After(400 * time.Millisecond):
	case <-ctx.Done():
		return llm.ChatReply{}, ctx.Err()
	}
	reply := m.replies[n-1]
	return llm.ChatReply{Text: reply}, onText(reply)
}

// TestModelInARehearsal checks that a step with a language model calls the model once for each reply, however long it
// takes, and that typed answers are not used up meanwhile. A model that does not answer is not called again.
func TestModelInARehearsal(t *testing.T) {
	t.Parallel()
	s := scenario.Scenario{
		ID: "x", Name: "x", Language: "ar", LLM: &scenario.ModelEndpoint{Endpoint: "x", TimeoutSeconds: 20},
		Steps: []scenario.FlowStep{
			{ID: "m", Type: scenario.LLMStep, Prompt: "الساعة الآن الخامسة", Say: scenario.SpokenLines{{Text: "تفضل"}}, OnFailure: "t"},
			{ID: "e", Type: scenario.End, Say: scenario.SpokenLines{{Text: "شكرا"}}},
			{ID: "t", Type: scenario.Transfer, To: "+966512345601"},
		},
	}
	model := &slowModel{replies: []string{"الساعة الخامسة.", "العفو. [END]"}}
	first := rehearseWith(t, model, nil, s, "say:كم الساعة")
	if !first.Waiting || lastSaid(first) != "الساعة الخامسة." || model.asked.Load() != 1 || first.Model != rehearsal.ModelAsked {
		t.Fatalf("asked %d times: %+v", model.asked.Load(), first)
	}
	done := rehearseWith(t, model, first.Replies, s, "say:كم الساعة", "say:شكرا لك")
	if done.Waiting || model.asked.Load() != 2 || len(done.Replies) != 2 || lastSaid(done) != "شكرا" {
		t.Fatalf("asked %d times: %+v", model.asked.Load(), done)
	}
	back := rehearseWith(t, model, done.Replies, s, "say:كم الساعة")
	if !back.Waiting || model.asked.Load() != 2 || len(back.Replies) != 1 {
		t.Errorf("an answer taken back, asked %d times: %+v", model.asked.Load(), back)
	}
	s.LLM.TimeoutSeconds = 1
	failed := rehearseWith(t, model, nil, s, "say:كم الساعة")
	if failed.Model != rehearsal.ModelFailed || failed.Transferred == "" || model.asked.Load() != 3 {
		t.Errorf("no answer, asked %d times: %+v", model.asked.Load(), failed)
	}
	if again := rehearseWith(t, model, failed.Replies, s, "say:كم الساعة"); model.asked.Load() != 3 || again.Transferred == "" {
		t.Errorf("asked again, %d times: %+v", model.asked.Load(), again)
	}
}

// mute is a voice that cannot speak texts with a word.
type mute string

func (word mute) FindVoice(_ context.Context, r tts.SpeechRequest) tts.VoiceSource {
	if strings.Contains(r.Text, string(word)) {
		return ""
	}
	return tts.Recorded
}

// TestUnspokenValueIsNotReadBack: what no voice can speak is not read back, as in a call, so that the next answer is not
// taken for the reply; and who called does not speak first.
func TestUnspokenValueIsNotReadBack(t *testing.T) {
	t.Parallel()
	s := scenario.Scenario{ID: "x", Name: "x", Language: "ar", Steps: []scenario.FlowStep{
		{ID: "q", Type: scenario.Ask, Say: scenario.SpokenLines{{Text: "كم"}}, Slot: &scenario.AnswerSlot{Name: "n", Type: scenario.Number}, Confirm: true},
		{ID: "r", Type: scenario.Ask, Say: scenario.SpokenLines{{Text: "هل"}}, Slot: &scenario.AnswerSlot{Name: "ok", Type: scenario.YesNo}},
	}}
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[mute]any{"خمسة": true, "كلمة أخرى": nil} {
		o, err := rehearsal.RunRehearsal(t.Context(), rehearsal.Dependencies{Book: book, Zone: time.UTC, Voices: word}, rehearsal.Request{
			OrgID: "acme", Scenario: s, Answers: []string{"say:خمسة", "say:نعم"}, PersonCalled: true, ToEnd: true,
		})
		if err != nil || o.Slots["n"] != 5.0 || o.Slots["ok"] != want || o.Messages[0].Start > 1 {
			t.Errorf("no voice for %s: %v, %+v", word, err, o)
		}
	}
}

// TestRehearsalsAreBounded checks that many answers and an endless scenario end.
func TestRehearsalsAreBounded(t *testing.T) {
	t.Parallel()
	s := scenario.Scenario{ID: "x", Name: "x", Language: "ar", Steps: []scenario.FlowStep{
		{ID: "q", Type: scenario.Ask, Say: scenario.SpokenLines{{Text: "كم"}}, Slot: &scenario.AnswerSlot{Name: "n", Type: scenario.Text}, Next: "q"},
	}}
	answers := make([]string, 500)
	for i := range answers {
		answers[i] = "say:" + strings.Repeat("كلمة ", 20)
	}
	began := time.Now()
	o := runRehearsal(t, s, answers...)
	t.Logf("%d messages in %v, waiting %v", len(o.Messages), time.Since(began), o.Waiting)
	if len(o.Messages) > 3*rehearsal.MaxAnswers {
		t.Errorf("%d messages", len(o.Messages))
	}
}

// TestBoundsOnWrongDecisions checks that an answer that nothing proves yet is read back, as in a call, that one with a
// proven bound is taken, and that a recorded decision is repeated.
func TestBoundsOnWrongDecisions(t *testing.T) {
	t.Parallel()
	s := scenario.Scenario{ID: "s", Name: "s", Steps: []scenario.FlowStep{
		{
			ID: "q", Type: scenario.Ask, Say: scenario.SpokenLines{{Text: "كم عددكم"}}, MaxWrong: 10,
			Slot: &scenario.AnswerSlot{Name: "n", Type: scenario.Number},
		},
		{ID: "z", Type: scenario.End, Say: scenario.SpokenLines{{Text: "شكرا"}}},
	}}
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	taken := call.AnswerDecision{Slot: "n", Basis: "old"}
	for name, c := range map[string]struct {
		bound    certainty.AcceptBound
		decided  []call.AnswerDecision
		readBack bool
	}{
		"unproven": {certainty.AcceptBound{Accept: 0.5, Draw: 1, Basis: "new"}, nil, true},
		"proven":   {certainty.AcceptBound{Accept: 0.5, Basis: "new"}, nil, false},
		"recorded": {certainty.AcceptBound{Accept: 0.5, Draw: 1, Basis: "old"}, []call.AnswerDecision{taken}, false},
	} {
		out, err := rehearsal.RunRehearsal(t.Context(), rehearsal.Dependencies{Book: book, Zone: time.UTC}, rehearsal.Request{
			OrgID: "acme", Scenario: s, Answers: []string{"say:ثلاثة"}, Decided: c.decided,
			Bounds: map[string]certainty.AcceptBound{"n": c.bound},
		})
		if err != nil || out.Waiting != c.readBack {
			t.Errorf("%s: %+v, %v", name, out.Messages, err)
		}
	}
}
