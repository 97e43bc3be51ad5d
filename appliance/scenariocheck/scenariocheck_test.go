package scenariocheck_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation"
	"munadi/appliance/scenariocheck"
	"munadi/appliance/tts"
	"munadi/assets/scenarios"
	"munadi/engine/model"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// voicesWithout speaks every text except those with an unknown word.
type voicesWithout struct {
	unknown, failing string
	slow             bool
}

func (v voicesWithout) Speak(ctx context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	switch {
	case v.slow:
		<-ctx.Done()
		return tts.SpokenSound{}, ctx.Err()
	case v.failing != "" && strings.Contains(r.Text, v.failing):
		return tts.SpokenSound{}, fmt.Errorf("%w: %w", tts.ErrNoVoice, tts.ErrVoiceFailed)
	case v.unknown != "" && strings.Contains(r.Text, v.unknown):
		return tts.SpokenSound{}, tts.ErrNoVoice
	}
	return tts.SpokenSound{PCM: make([]int16, 8)}, nil
}

// StartCheck implements [tts.SpeechChecker].
func (v voicesWithout) StartCheck(r tts.SpeechRequest) func(context.Context, string) error {
	return func(ctx context.Context, text string) error {
		r.Text = text
		_, err := v.Speak(ctx, r)
		return err
	}
}

func newChecker(t *testing.T, v voicesWithout, rules callrules.CallRules) *scenariocheck.ScenarioChecker {
	t.Helper()
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	return scenariocheck.NewChecker(scenariocheck.Dependencies{
		Transfers: &scenariocheck.TransferChecker{Store: fakeRules{CallRules: rules}, Now: time.Now}, Speaker: v,
		Texts: func(s scenario.Scenario, variables map[string]any, rules callrules.CallRules) []string {
			return conversation.CallTexts(book, conversation.ConversationInput{
				OrgID: s.OrgID, Scenario: s, Variables: variables, Disclosure: rules.Disclosure,
				Announce: rules.Recording == callrules.RecordAnnounce,
			})
		},
		Endpoint: func(orgID, name string) bool { return orgID == "one" && name == "local" },
		Tool:     func(orgID, name string) bool { return orgID == "one" && name == "orders" },
	})
}

// fakeRules are the rules of every organization; +966500000009 is suppressed.
type fakeRules struct {
	callrules.CallRules

	err error
}

func (r fakeRules) FindRules(context.Context, string) (callrules.CallRules, error) {
	return r.CallRules, r.err
}

func (r fakeRules) FindSuppression(
	_ context.Context, _, number string, _ time.Time,
) (*callrules.SuppressionEntry, error) {
	if number == "+966500000009" {
		return &callrules.SuppressionEntry{PhoneNumber: number}, r.err
	}
	return nil, r.err
}

func readPlan(t *testing.T, orgID, form string) scenario.Scenario {
	t.Helper()
	s, faults, err := scenario.DecodeScenario(t.Context(), []byte(`{"id":"x","name":"X",`+form+`}`))
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	s.OrgID = orgID
	return s
}

func faultyFields(all []strictjson.Violation) string {
	var names []string
	for _, v := range all {
		names = append(names, v.Field)
	}
	return strings.Join(names, " ")
}

// TestLanguagesAreThoseOfTheModel: a scenario may name a language that the speech model does not know, with a warning.
func TestLanguagesAreThoseOfTheModel(t *testing.T) {
	t.Parallel()
	c := newChecker(t, voicesWithout{}, callrules.CallRules{})
	const steps = `"steps":[{"id":"e","type":"end"}]`
	egyptian, arabic := &model.SpeechModel{}, &model.SpeechModel{}
	egyptian.Prompts = &model.PromptKernelConfig{Languages: map[string]int{"en-US": 0, "ar-EG": 1}, Usual: "en-US"}
	for _, one := range []struct {
		language string
		model    *model.SpeechModel // nil: it is being loaded
		want     string
	}{
		{"ar", arabic, ""},
		{"ar-SA", arabic, ""},
		{"en", arabic, "language"},
		{"en", egyptian, ""},
		{"ar", egyptian, ""},
		{"ar-SA", egyptian, "language"}, // its calls would be recognized as English
		{"en", nil, ""},
	} {
		if c.HasLanguage = nil; one.model != nil {
			c.HasLanguage = one.model.HasLanguage
		}
		plan := readPlan(t, "one", `"language":"`+one.language+`",`+steps)
		faults, warnings, err := c.CheckSaved(t.Context(), plan)
		if got := faultyFields(warnings); err != nil || len(faults) > 0 || got != one.want {
			t.Errorf("%s of %+v: warned of %q, %v, %v", one.language, one.model, got, faults, err)
		}
	}
}

func TestEndpointsAreThoseOfTheOrganization(t *testing.T) {
	t.Parallel()
	c := newChecker(t, voicesWithout{}, callrules.CallRules{})
	const form = `"llm":{"endpoint":"%s"},"steps":[{"id":"a","type":"llm","prompt":"p"}]`
	messages := map[string]bool{}
	for _, one := range []struct{ org, endpoint, want string }{
		{"one", "local", ""}, {"two", "local", "llm.endpoint"}, {"one", "none", "llm.endpoint"},
	} {
		faults, _, err := c.CheckSaved(t.Context(), readPlan(t, one.org, fmt.Sprintf(form, one.endpoint)))
		if err != nil || faultyFields(faults) != one.want {
			t.Errorf("%v: %v, %v", one, faults, err)
		}
		for _, f := range faults {
			messages[strings.ReplaceAll(f.Message, one.endpoint, "")] = true
		}
	}
	if len(messages) != 1 {
		t.Errorf("an endpoint of others is told apart from none: %v", messages)
	}
}

func TestToolsAreThoseOfTheOrganization(t *testing.T) {
	t.Parallel()
	c := newChecker(t, voicesWithout{}, callrules.CallRules{})
	const form = `"steps":[{"id":"a","type":"end"},{"id":"b","type":"fetch","tool":"%s","slots":[{"name":"n","type":"text"}],"next":"a"}],"start":"b"`
	for _, one := range []struct{ org, tool, want string }{
		{"one", "orders", ""}, {"two", "orders", "steps.1.tool"}, {"one", "none", "steps.1.tool"},
	} {
		faults, _, err := c.CheckSaved(t.Context(), readPlan(t, one.org, fmt.Sprintf(form, one.tool)))
		if err != nil || faultyFields(faults) != one.want {
			t.Errorf("%v: %v, %v", one, faults, err)
		}
	}
}

func TestTransfersObeyTheRules(t *testing.T) {
	t.Parallel()
	const form = `"variables":[{"name":"to"}],"steps":[{"id":"a","type":"transfer","to":"%s"}]`
	c := newChecker(t, voicesWithout{}, callrules.CallRules{AllowedPrefixes: []string{"+966"}})
	for to, want := range map[string]string{
		"+966500000000": "", "+971500000000": "steps.0.to", "sip:+97912345678@trunk": "steps.0.to",
		"sip:desk@pbx": "", "{{to}}": "", "sip:{{to}}@pbx": "",
		"+966500000009": "steps.0.to", "tel:+966-500000009": "steps.0.to", "sip:00966500000009@pbx": "steps.0.to",
	} {
		faults, _, err := c.CheckSaved(t.Context(), readPlan(t, "one", fmt.Sprintf(form, to)))
		if err != nil || faultyFields(faults) != want {
			t.Errorf("%s: %v, %v", to, faults, err)
		}
	}
}

// TestTransferDuringTheCall: a target is checked again when the step is reached, and refused if the rules are unknown.
func TestTransferDuringTheCall(t *testing.T) {
	t.Parallel()
	away := fakeRules{err: errors.New("no connection to 10.0.0.1")}
	for _, c := range []struct {
		store fakeRules
		to    string
		works bool
	}{
		{fakeRules{}, "+966500000000", true},
		{fakeRules{}, "sip:desk@pbx", true},
		{fakeRules{}, "sip:+966500000009@pbx", false},
		{fakeRules{CallRules: callrules.CallRules{AllowedPrefixes: []string{"+971"}}}, "tel:+966500000000", false},
		{away, "+966500000000", false},
		{away, "sip:desk@pbx", true},
	} {
		to, err := callrules.ParseTransfer(c.to)
		if err != nil {
			t.Fatal(err)
		}
		checker := &scenariocheck.TransferChecker{Store: c.store, Now: time.Now}
		err = checker.CheckTransfer(t.Context(), "one", to)
		if (err == nil) != c.works || err != nil && strings.Contains(err.Error(), "10.0.0.1") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestUnspeakableLines(t *testing.T) {
	t.Parallel()
	s := readPlan(t, "one", `"variables":[{"name":"who"}],"identify":"سندباد","voicemail":"سندباد غائب","steps":[
		{"id":"a","type":"say","say":["مرحبا","سندباد البحري",{"text":"سندباد","optional":true},"يا {{who}}"]},
		{"id":"q","type":"ask","say":"كم","reask":"كم يا سندباد","slot":{"name":"n","type":"number"}},
		{"id":"y","type":"ask","say":"أكيد","change":"ماذا يا سندباد","slot":{"name":"y","type":"yes_no"}}]`)
	c := newChecker(t, voicesWithout{unknown: "سندباد"}, callrules.CallRules{})
	faults, warnings, err := c.CheckSaved(t.Context(), s)
	if err != nil || len(faults) > 0 || faultyFields(warnings) != "steps.0.say.1 steps.1.reask steps.2.change identify voicemail" {
		t.Errorf("%v, %v, %v", faults, warnings, err)
	}
	found, err := c.CheckBooked(t.Context(), s, map[string]any{"who": "سندباد"})
	if err != nil || faultyFields(found) != strings.TrimSpace(strings.Repeat("scenario_id ", 6)) ||
		!strings.Contains(found[0].Message, "“سندباد البحري”") || !strings.Contains(found[0].Message, "speech-url") {
		t.Errorf("%v, %v", found, err)
	}
	if found, err := newChecker(t, voicesWithout{}, callrules.CallRules{}).CheckBooked(t.Context(), s, nil); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	disclosing := newChecker(t, voicesWithout{unknown: "إفصاح"}, callrules.CallRules{Disclosure: "إفصاح"})
	if found, err := disclosing.CheckBooked(t.Context(), s, nil); err != nil || faultyFields(found) != "scenario_id" {
		t.Errorf("%v, %v", found, err)
	}
}

// TestVoiceThatIsAway checks that a voice that fails or is slow temporarily does not prevent a booking.
func TestVoiceThatIsAway(t *testing.T) {
	t.Parallel()
	s := readPlan(t, "one", `"steps":[{"id":"a","type":"say","say":"مرحبا"}]`)
	for _, v := range []voicesWithout{{failing: "مرحبا"}, {slow: true}} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if found, err := newChecker(t, v, callrules.CallRules{}).CheckBooked(ctx, s, nil); err != nil || len(found) > 0 {
			t.Errorf("%+v: %v, %v", v, found, err)
		}
	}
}
