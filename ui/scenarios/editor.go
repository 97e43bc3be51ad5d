package scenarios

import (
	"net/url"
	"strconv"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// ScenarioForm is a scenario as a form.
type ScenarioForm struct {
	Head      []form.Field // name and description
	Settings  []form.Field
	Endpoint  []form.Field // of a language model, where a step asks one
	OptOut    []form.Field
	Variables [][]form.Field // of the values that a booking brings; the last, without a name, adds one
	Tests     [][]form.Field // the last, without a name, adds one
	Steps     []EditorStep
	Identify  SpokenForm
	Voicemail SpokenForm
	Rest      []form.Violation // that no field shows
}

// editor binds the form of a scenario. What the form doesn't show of the scenario is kept.
type editor struct {
	*form.Binder
	plan    *scenario.Scenario
	renamed map[string]string // step ids, old to new
}

// BindEditor writes what was submitted into a scenario, and returns the form.
func BindEditor(b *form.Binder, plan *scenario.Scenario) ScenarioForm {
	e := &editor{Binder: b, plan: plan, renamed: map[string]string{}}
	f := ScenarioForm{Head: form.BindDeclared(b, "", e, headFields)}
	f.Settings = append(form.BindDeclared(b, "", e, settingFields), e.bindRetry()...)
	f.OptOut = form.BindDeclared(b, "", e, optOutFields)
	f.Endpoint = e.bindEndpoint()
	f.Variables, f.Tests = e.bindVariables(), e.bindTests()
	for i := range plan.Steps {
		f.Steps = append(f.Steps, e.bindStep(i))
	}
	f.Identify, f.Voicemail = e.bindLines("identify", &plan.Identify), e.bindLines("voicemail", &plan.Voicemail)
	e.renameSteps()
	f.Rest = b.TakeRest("")
	return f
}

var headFields = []form.Declared[*editor]{
	{Name: "name", Label: EditorName, Value: func(e *editor) any { return &e.plan.Name }},
	{Name: "description", Label: EditorAbout, Kind: form.Area, Value: func(e *editor) any { return &e.plan.Description }},
}

var settingFields = []form.Declared[*editor]{
	{
		Name: "start", Label: EditorStart, Kind: form.List, Value: func(e *editor) any { return &e.plan.Start },
		Options: func(e *editor) []form.Option { return e.stepOptions(EditorFirst) }, Missing: EditorMissing,
	},
	{
		Name: "max_duration_seconds", Label: EditorLongest, Usual: "600", Kind: form.Number,
		Value: func(e *editor) any { return &e.plan.MaxDurationSeconds },
	},
	{
		Name: "ring_seconds", Label: EditorRing, Usual: "30", Kind: form.Number,
		Value: func(e *editor) any { return &e.plan.RingSeconds },
	},
	{
		Name: "answering_machine", Label: EditorMachine, Kind: form.List,
		Value:   func(e *editor) any { return &e.plan.AnsweringMachine },
		Options: (*editor).machineOptions, Missing: EditorMissing,
	},
}

var optOutFields = []form.Declared[*editor]{{
	Name: "opt_out_phrases", Label: EditorOptOut, Help: EditorOnePerLine, Kind: form.Area,
	Value: func(e *editor) any { return &e.plan.OptOutPhrases },
}}

var retryFields = []form.Declared[*call.RetryPlan]{
	{
		Name: "max_attempts", Label: EditorAttempts, Usual: "1", Kind: form.Number,
		Value: func(r *call.RetryPlan) any { return &r.MaxAttempts },
	},
	{
		Name: "delay_minutes", Label: EditorDelays, Dir: "ltr",
		Value: func(r *call.RetryPlan) any { return &r.DelayMinutes },
	},
}

// bindRetry binds the attempts and the minutes between them; without attempts there is no retry plan.
func (e *editor) bindRetry() []form.Field {
	plan := call.RetryPlan{}
	if e.plan.Retry != nil {
		plan = *e.plan.Retry
	}
	fields := form.BindDeclared(e.Binder, "retry", &plan, retryFields)
	if e.Given != nil && (e.plan.Retry != nil || plan.MaxAttempts != 0 || len(plan.DelayMinutes) > 0) {
		e.plan.Retry = &plan
	}
	return fields
}

var endpointFields = []form.Declared[*scenario.ModelEndpoint]{{
	Name: "endpoint", Label: EditorEndpoint, Dir: "ltr", Value: func(m *scenario.ModelEndpoint) any { return &m.Endpoint },
}}

// bindEndpoint binds the name of the language model's endpoint, which is shown where a step asks one.
func (e *editor) bindEndpoint() []form.Field {
	model, asked := scenario.ModelEndpoint{}, false
	if e.plan.LLM != nil {
		model = *e.plan.LLM
	}
	for _, step := range e.plan.Steps {
		asked = asked || step.Type == scenario.LLMStep
	}
	fields := form.BindDeclared(e.Binder, "llm", &model, endpointFields)
	if e.Given != nil && (e.plan.LLM != nil || model.Endpoint != "") {
		e.plan.LLM = &model
	}
	if !asked && model.Endpoint == "" {
		return nil
	}
	return fields
}

// boundVariable is a variable with the language of its label.
type boundVariable struct {
	*scenario.ScenarioVariable
	lang locale.Language
}

var variableFields = []form.Declared[boundVariable]{
	{Name: "label", Label: EditorLabel, Value: func(v boundVariable) any { return labelIn(v.lang, &v.Label) }},
	{Name: "name", Label: EditorVariableName, Dir: "ltr", Value: func(v boundVariable) any { return &v.Name }},
	{
		Name: "type", Label: EditorVariableType, Kind: form.List, Value: func(v boundVariable) any { return &v.Type },
		Options: func(v boundVariable) []form.Option { return variableTypes.options(v.lang) }, Missing: EditorMissing,
	},
	{Name: "default", Label: EditorDefault, Value: func(v boundVariable) any { return &v.Default }},
	{Name: "description", Label: EditorAbout, Value: func(v boundVariable) any { return &v.Description }},
	{
		Name: "choices", Label: EditorChoices, Help: EditorOnePerLine, Kind: form.Area,
		Has:   func(v boundVariable) bool { return v.Type == scenario.ChoiceVariable || len(v.Choices) > 0 },
		Value: func(v boundVariable) any { return &v.Choices },
	},
	{Name: "required", Label: EditorRequired, Kind: form.Check, Value: func(v boundVariable) any { return &v.Required }},
}

// bindVariables binds the variables of bookings, and an empty one to be added. Variables without a name are removed.
func (e *editor) bindVariables() (out [][]form.Field) {
	all := append(e.plan.Variables[:len(e.plan.Variables):len(e.plan.Variables)], scenario.ScenarioVariable{})
	var kept []scenario.ScenarioVariable
	for i := range all {
		v, at := &all[i], scenario.IndexPath("variables", i)
		_, sent := e.TypedValue(at + ".name")
		out = append(out, form.BindDeclared(e.Binder, at, boundVariable{v, e.Lang}, variableFields))
		if v.Name != "" || i < len(all)-1 && !sent {
			kept = append(kept, *v)
		}
	}
	if e.Given != nil {
		e.plan.Variables = kept
	}
	return out
}

// labelIn returns the text of a label in a language; the other language keeps its text.
func labelIn(l locale.Language, label *scenario.Label) *string {
	if l == locale.Arabic {
		return &label.Arabic
	}
	return &label.English
}

// choiceNames are the values of a list with their names.
type choiceNames []struct {
	value string
	name  locale.Text
}

func (c choiceNames) options(l locale.Language) (options []form.Option) {
	for _, one := range c {
		options = append(options, form.Option{Value: one.value, Name: one.name.In(l)})
	}
	return options
}

var variableTypes = choiceNames{
	{"", EditorAnyType},
	{string(scenario.TextVariable), EditorVariableText},
	{string(scenario.DateVariable), Date},
	{string(scenario.TimeVariable), Time},
	{string(scenario.NumberVariable), Number},
	{string(scenario.PhoneVariable), EditorPhone},
	{string(scenario.ChoiceVariable), Choice},
}

func (e *editor) machineOptions() []form.Option {
	options := []form.Option{{Value: "", Name: MachineHangUp.In(e.Lang)}}
	for _, policy := range []scenario.MachinePolicy{scenario.MachineHangUp, scenario.MachineDetect, scenario.MachineOff} {
		if policy != scenario.MachineHangUp || e.plan.AnsweringMachine == policy {
			options = append(options, form.Option{Value: string(policy), Name: MachineName(e.Lang, string(policy))})
		}
	}
	return options
}

// stepOptions returns the steps as a list, after the empty choice.
func (e *editor) stepOptions(empty locale.Text) []form.Option {
	options := []form.Option{{Value: "", Name: empty.In(e.Lang)}}
	for i, step := range e.plan.Steps {
		name := strconv.Itoa(i+1) + ". " + LabelText(e.Lang, step.Label, step.ID)
		options = append(options, form.Option{Value: step.ID, Name: name})
	}
	return options
}

// EachLine visits all lines of the form.
func (f *ScenarioForm) EachLine(visit func(line *SpokenInput)) {
	all := []*SpokenForm{&f.Identify, &f.Voicemail}
	for i := range f.Steps {
		step := &f.Steps[i]
		all = append(all, &step.Say, &step.Reask, &step.NoInput)
	}
	for _, lines := range all {
		for i := range lines.Lines {
			visit(&lines.Lines[i])
		}
	}
}

// HearAddress returns the address of the audio of a draft line.
func HearAddress(id, text string) string {
	return "/console/scenarios/" + id + "/hear?" + url.Values{"text": {text}}.Encode()
}
