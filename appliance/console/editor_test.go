package console_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
)

// TestFormKeepsEverything checks that a scenario that is opened as a form and saved unchanged stays equal.
func TestFormKeepsEverything(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	for _, id := range []string{"appointment_confirmation", "restaurant_order"} {
		form := b.getPage(account.Operator, "/scenarios/"+id+"/edit").wantStatus(200).formValues("/console/scenarios/" + id)
		keepsJSON(t, b, id, form)
	}
	rapid.Check(t, func(rt *rapid.T) {
		plan := drawScenario(rt)
		b.mustSucceed(b.store.PutScenario(t.Context(), plan, "test", b.now))
		keepsJSON(t, b, plan.ID, b.getPage(account.Operator, "/scenarios/"+plan.ID+"/edit").wantStatus(200).formValues("/console/scenarios/"+plan.ID))
	})
}

// keepsJSON submits a form unchanged and compares the draft.
func keepsJSON(t *testing.T, b *consoleBench, id string, form url.Values) {
	t.Helper()
	if form.Get("form") == "" || !form.Has("name") {
		t.Fatalf("%s is not shown as a form", id)
	}
	form.Set("op", "check")
	again := b.postForm(account.Operator, "/scenarios/"+id+"/draft", form).wantStatus(200).formValues("/console/scenarios/" + id)
	if diff := cmp.Diff(form.Get("json"), again.Get("json")); diff != "" {
		t.Fatalf("%s is another: %s", id, diff)
	}
	form.Del("op")
	form.Del("csrf")
	again.Del("csrf")
	if diff := cmp.Diff(form, again); diff != "" {
		t.Fatalf("the form of %s is another: %s", id, diff)
	}
}

// drawScenario generates a scenario with every field, not always a valid one.
func drawScenario(rt *rapid.T) scenario.Scenario {
	text := rapid.StringMatching(`[a-zأ-ي<&"']{1,8}( [a-zأ-ي؟]{1,6}){0,3}`)
	maybe := rapid.OneOf(rapid.Just(""), text)
	label := rapid.Custom(func(rt *rapid.T) scenario.Label {
		return scenario.Label{Arabic: maybe.Draw(rt, "ar"), English: maybe.Draw(rt, "en")}
	})
	texts := rapid.SliceOfN(text, 0, 3)
	lines := rapid.Custom(func(rt *rapid.T) scenario.SpokenLines {
		var all scenario.SpokenLines
		for range rapid.IntRange(0, 3).Draw(rt, "lines") {
			all = append(all, scenario.SpokenLine{
				Text: text.Draw(rt, "text"), Optional: rapid.Bool().Draw(rt, "optional"), CallBack: rapid.Bool().Draw(rt, "back"),
			})
		}
		return all
	})
	count := rapid.IntRange(0, 99)
	bound := rapid.Custom(func(rt *rapid.T) *float64 {
		v := float64(rapid.IntRange(-8, 800).Draw(rt, "bound")) / 8
		return rapid.SampledFrom([]*float64{nil, &v}).Draw(rt, "or none")
	})
	ids := []string{"", "s0", "s1", "s2", "gone"}
	slot := rapid.Custom(func(rt *rapid.T) scenario.AnswerSlot {
		s := scenario.AnswerSlot{
			Name: text.Draw(rt, "slot"), Label: label.Draw(rt, "label"), Yes: texts.Draw(rt, "yes"), No: texts.Draw(rt, "no"),
			Type: rapid.SampledFrom([]scenario.SlotType{"yes_no", "number", "date", "time", "choice", "text", "other"}).Draw(rt, "type"),
			Min:  bound.Draw(rt, "min"), Max: bound.Draw(rt, "max"), Digits: count.Draw(rt, "digits"),
		}
		for range rapid.IntRange(0, 2).Draw(rt, "options") {
			s.Choices = append(s.Choices, scenario.ChoiceOption{
				Value: text.Draw(rt, "value"), Label: label.Draw(rt, "label"), Phrases: texts.Draw(rt, "phrases"), Key: maybe.Draw(rt, "key"),
			})
		}
		return s
	})
	plan := scenario.Scenario{
		ID: "drawn", OrgID: "acme", Name: text.Draw(rt, "name"), Description: maybe.Draw(rt, "about"), Language: "ar",
		Voice: maybe.Draw(rt, "voice"), Start: rapid.SampledFrom(ids).Draw(rt, "start"), OptOutPhrases: texts.Draw(rt, "opt out"),
		MaxDurationSeconds: count.Draw(rt, "longest"), RingSeconds: count.Draw(rt, "ring"), Identify: lines.Draw(rt, "identify"),
		UpdateBookedCalls: rapid.Bool().Draw(rt, "booked"), Voicemail: lines.Draw(rt, "voicemail"), ResponseBody: json.RawMessage(`{"a": 1}`),
		AnsweringMachine: rapid.SampledFrom([]scenario.MachinePolicy{"", "off", "detect", "detect_and_hang_up", "other"}).Draw(rt, "machine"),
	}
	if rapid.Bool().Draw(rt, "retry") {
		plan.Retry = &call.RetryPlan{MaxAttempts: count.Draw(rt, "attempts"), DelayMinutes: rapid.SliceOfN(rapid.IntRange(1, 9), 0, 3).Draw(rt, "delays"), On: []call.CallStatus{"failed"}}
	}
	if rapid.Bool().Draw(rt, "llm") {
		plan.LLM = &scenario.ModelEndpoint{Endpoint: text.Draw(rt, "endpoint"), TimeoutSeconds: 3}
	}
	for range rapid.IntRange(0, 2).Draw(rt, "questions") {
		plan.Questions = append(plan.Questions, scenario.SideQuestion{ // one without anything is removed
			Phrases: append(texts.Draw(rt, "asked"), text.Draw(rt, "phrase")), Say: lines.Draw(rt, "told"),
		})
	}
	for range rapid.IntRange(0, 2).Draw(rt, "variables") {
		plan.Variables = append(plan.Variables, scenario.ScenarioVariable{
			Name: text.Draw(rt, "name"), Label: label.Draw(rt, "label"), Required: rapid.Bool().Draw(rt, "required"),
			Type:    rapid.SampledFrom([]scenario.VariableType{"", "date", "choice", "other"}).Draw(rt, "type"),
			Default: maybe.Draw(rt, "default"), Choices: texts.Draw(rt, "choices"), Description: maybe.Draw(rt, "about"), Role: "name",
		})
	}
	for i := range rapid.IntRange(1, 3).Draw(rt, "steps") {
		plan.Steps = append(plan.Steps, drawStep(rt, "s"+string(rune('0'+i)), ids, slot, lines, text, label))
	}
	return plan
}

func drawStep(
	rt *rapid.T, id string, ids []string, slot *rapid.Generator[scenario.AnswerSlot],
	lines *rapid.Generator[scenario.SpokenLines], text *rapid.Generator[string], label *rapid.Generator[scenario.Label],
) scenario.FlowStep {
	step := scenario.FlowStep{
		ID: id, Label: label.Draw(rt, "label"), Say: lines.Draw(rt, "say"), Next: rapid.SampledFrom(ids).Draw(rt, "next"),
		OnFailure: rapid.SampledFrom(ids).Draw(rt, "on failure"), Reask: lines.Draw(rt, "reask"), NoInput: lines.Draw(rt, "no input"), Change: lines.Draw(rt, "change"),
		Type:      rapid.SampledFrom([]scenario.StepType{"say", "ask", "branch", "transfer", "llm", "fetch", "end"}).Draw(rt, "type"),
		NoBargeIn: rapid.Bool().Draw(rt, "barge"), Confirm: rapid.Bool().Draw(rt, "confirm"),
		TimeoutSeconds: rapid.IntRange(0, 9).Draw(rt, "timeout"), MaxTurns: rapid.IntRange(0, 9).Draw(rt, "turns"),
		Also: rapid.SliceOfNDistinct(text, 0, 2, rapid.ID).Draw(rt, "also"),
	}
	if p := rapid.SampledFrom([]float64{0, 0.5, 1.5, 3}).Draw(rt, "patience"); p > 0 {
		step.Patience = &p
	}
	if n := rapid.IntRange(0, 3).Draw(rt, "reasks"); n > 0 {
		n--
		step.MaxReasks = &n
	}
	if step.Type == scenario.Ask {
		one := slot.Draw(rt, "slot")
		step.Slot = &one
	}
	if step.Type == scenario.LLMStep {
		step.Prompt = text.Draw(rt, "prompt") + "\n" + text.Draw(rt, "prompt")
		step.Slots = rapid.SliceOfN(slot, 0, 2).Draw(rt, "slots")
	}
	if step.Type == scenario.Transfer {
		step.To = text.Draw(rt, "to")
	}
	for range rapid.IntRange(0, 2).Draw(rt, "cases") {
		set := rapid.Bool().Draw(rt, "set")
		one := scenario.BranchCase{Slot: text.Draw(rt, "slot"), Next: rapid.SampledFrom(ids).Draw(rt, "next")}
		if rapid.Bool().Draw(rt, "known") {
			one.IsSet = &set
		} else {
			one.Equals = rapid.SampledFrom([]any{true, false, 2.0, "2", "نعم"}).Draw(rt, "equals")
		}
		step.Cases = append(step.Cases, one)
	}
	return step
}

// draftOf returns the draft on an editor page.
func draftOf(t *testing.T, form url.Values) scenario.Scenario {
	t.Helper()
	var plan scenario.Scenario
	if err := json.Unmarshal([]byte(form.Get("json")), &plan); err != nil {
		t.Fatal(err)
	}
	return plan
}

func stepIDs(plan scenario.Scenario) string {
	var ids []string
	for _, step := range plan.Steps {
		ids = append(ids, step.ID)
	}
	return strings.Join(ids, " ")
}

// TestEditorForm checks that steps are added, moved, copied and deleted, that choices become branches, that faults are
// beside their fields, and that nothing is saved meanwhile.
func TestEditorForm(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Language: "ar", Steps: []scenario.FlowStep{
			{ID: "hello", Type: scenario.Say, Say: scenario.SpokenLines{{Text: "مرحبا"}}},
			{ID: "bye", Type: scenario.End, Say: scenario.SpokenLines{{Text: "مع السلامة"}}},
		},
	}, "test", b.now))
	const path = "/scenarios/greet"
	form := b.getPage(account.Operator, path+"/edit").wantStatus(200).formValues("/console" + path)
	do := func(op string, fields ...string) testAnswer {
		t.Helper()
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		form.Set("op", op)
		p := b.postForm(account.Operator, path+"/draft", form).wantStatus(200)
		form = p.formValues("/console" + path)
		return p
	}
	do("add-ask:0", "steps.0.say.0", "أهلا وسهلا").wantTexts("Write what this step says.", `aria-invalid="true"`)
	do("check", "steps.1.say.0", "أي حجم تريد؟", "steps.1.slot.type", "choice", "steps.1.slot.name", "size", "steps.1.id", "size").
		wantTexts("Add at least one, and at most")
	do("check", "steps.1.slot.choices.0.phrases", "صغير\r\nالصغير", "steps.1.slot.choices.0.value", "small")
	do("check", "steps.1.slot.choices.1.phrases", "كبير", "steps.1.slot.choices.1.key", "٢").wantTexts("Write one key of 0 to 9")
	do("branch:1", "steps.1.slot.choices.1.key", "2").wantTexts("<bdi>branch</bdi>")
	do("copy:3").wantTexts("<bdi>bye 2</bdi>")
	do("check", "steps.2.cases.1.next", "bye_2", "steps.4.say.0", "شكرا لطلبك", "steps.4.id", "thanks")
	plan := draftOf(t, form)
	if got := stepIDs(plan); got != "hello size branch bye thanks" || plan.Steps[2].Cases[1].Next != "thanks" ||
		plan.Steps[2].Cases[0].Next != "bye" || plan.Steps[0].Say[0].Text != "أهلا وسهلا" {
		t.Errorf("steps %s: %+v", got, plan.Steps)
	}
	if got := plan.Steps[1].Slot; len(got.Choices) != 2 || got.Choices[1].Value != "كبير" || len(got.Choices[0].Phrases) != 2 {
		t.Errorf("slot %+v", got)
	}
	do("down:3")
	do("up:4")
	do("add-transfer:-1").wantTexts("1. Transfer › ", "Write an international number such as")
	do("delete:0")
	do("copy:0", "steps.0.label", "Hello").wantTexts(`name="steps.1.label"`, `value="Hello 2"`)
	do("copy:0").wantTexts(`value="Hello 3"`)
	do("delete:1")
	do("delete:1", "steps.0.label", "")
	do("add-nothing:0")
	do("up:99")
	do("check").wantTexts("No errors.")
	if got := stepIDs(draftOf(t, form)); got != "hello size branch bye thanks" {
		t.Errorf("steps %s", got)
	}
	do("tab:json").wantTexts(`<textarea class="mono" id="json"`)
	do("tab:form").wantTexts(`name="steps.0.say.0"`)
	saved, err := b.store.FindScenario(t.Context(), "acme", "greet")
	if b.mustSucceed(err); saved.Version != 1 {
		t.Errorf("version %d was saved", saved.Version)
	}
	b.postForm(account.Operator, path, form).wantRedirect("/console" + path)
	saved, err = b.store.FindScenario(t.Context(), "acme", "greet")
	if b.mustSucceed(err); saved.Version != 2 || stepIDs(saved) != "hello size branch bye thanks" {
		t.Errorf("saved version %d: %s", saved.Version, stepIDs(saved))
	}
}

// TestEditorFaults checks that each fault is shown once beside its field in the page's language, and that faults
// without a field are listed.
func TestEditorFaults(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "wrong", OrgID: "acme", Name: "Wrong", Language: "ar", TimeZone: "Mars", MaxDurationSeconds: 5, Steps: []scenario.FlowStep{
			{ID: "a", Type: scenario.Say, Say: scenario.SpokenLines{{Text: "{{nobody}}"}}, Next: "nowhere", Confirm: true},
		},
	}, "test", b.now))
	p := b.getPage(account.Operator, "/scenarios/wrong/edit?lang=ar").wantStatus(200)
	p.wantTexts("لا قيمة ولا إجابة باسم \u2068nobody\u2069. صحّح الاسم.", "لا خطوة بالمفتاح \u2068nowhere\u2069", "غير موجودة: nowhere",
		"لا يُستعمل هذا في خطوة من هذا النوع.", "اكتب عددًا من \u206810\u2069", "time_zone")
	form := p.formValues("/console/scenarios/wrong")
	form.Set("max_duration_seconds", "many")
	b.postForm(account.Operator, "/scenarios/wrong", form).wantStatus(422).wantTexts("Write a number.", "Nothing was saved.")
	form.Set("json", `{"id":"wrong","nme":"x"}`)
	b.postForm(account.Operator, "/scenarios/wrong/draft", form).wantStatus(200).wantTexts("t show it until", "No such field.")
	form.Set("op", "json")
	b.postForm(account.Operator, "/scenarios/wrong/draft?lang=ar", form).wantStatus(200).wantTexts("لا حقل بهذا الاسم.")
	form.Set("json", `{`)
	b.postForm(account.Operator, "/scenarios/wrong/draft", form).wantStatus(200).wantTexts("not valid JSON")
	b.getPage(account.Operator, "/scenarios/wrong/hear?text="+url.QueryEscape("مرحبا")).wantStatus(200)
	for _, text := range []string{"", "{{name}}", strings.Repeat("x", 2001)} {
		b.getPage(account.Operator, "/scenarios/wrong/hear?text="+url.QueryEscape(text)).wantStatus(404)
	}
}

// TestTypedTrial checks that a draft can be tried in writing before it is saved, with the answers kept in the form.
func TestTypedTrial(t *testing.T) {
	t.Parallel()
	var asked kit.TrialRequest
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.Rehearse = func(_ context.Context, r kit.TrialRequest) (kit.TrialOutcome, error) {
			asked = r
			if len(r.Answers) == 3 {
				return kit.TrialOutcome{Status: call.Completed, Report: json.RawMessage(`{"confirmed":true}`)}, nil
			}
			return kit.TrialOutcome{
				Waiting: true, Slot: "confirmed", Kind: "yes_no", Slots: map[string]any{"confirmed": true},
				Messages: []call.Message{{Role: call.Assistant, Content: "هل <تؤكد>؟"}},
			}, nil
		}
	})
	p := b.getPage(account.Operator, appointment+"/edit").wantStatus(200).wantTexts("Try it by typing").wantNoTexts("try.on")
	form := p.formValues("/console" + appointment)
	do := func(op, text string) testAnswer {
		t.Helper()
		form.Set("op", op)
		form.Set("try.text", text)
		p := b.postForm(account.Operator, appointment+"/draft", form).wantStatus(200)
		form = p.formValues("/console" + appointment)
		return p
	}
	form.Set("steps.0.say.0", "أهلا")
	form.Set("try.var.name", "سارة")
	do("try", "").wantTexts("هل <تؤكد>؟", "Asks for", "yes or no")
	if asked.OrgID != "acme" || asked.Scenario.Steps[0].Say[0].Text != "أهلا" || asked.Variables["name"] != "سارة" || len(asked.Answers) > 0 {
		t.Errorf("asked %+v", asked)
	}
	do("try-say", " نعم   أؤكد ")
	do("try-keys", "رقم ١#")
	if diff := cmp.Diff([]string{"say:نعم أؤكد", "keys:1#"}, asked.Answers); diff != "" {
		t.Error(diff)
	}
	do("try-silent", "").wantTexts("The call is over.", "Outcome", `"confirmed": true`)
	do("try-back", "")
	do("try-back", "").wantTexts("Asks for")
	do("check", "بالإدخال")
	if diff := cmp.Diff([]string{"say:نعم أؤكد", "say:بالإدخال"}, asked.Answers); diff != "" {
		t.Error(diff)
	}
	form.Set("steps.0.say.0", "{{nobody}}")
	do("check", "").wantTexts("Correct the errors first")
	if saved, err := b.store.ListScenarios(t.Context(), "acme"); err != nil || len(saved) > 0 {
		t.Errorf("%d scenarios were saved, %v", len(saved), err)
	}
	b.postForm(account.Viewer, appointment+"/draft", form).wantStatus(403)
}
