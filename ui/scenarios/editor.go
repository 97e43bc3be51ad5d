package scenarios

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"

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
	Variables []EditorRow // the values that a booking brings; the last adds one
	Tests     []EditorRow // the last adds one
	Steps     []EditorStep
	Identify  SpokenForm
	Voicemail SpokenForm
	Questions []EditorRow       // that people ask in between; the last adds one
	Rest      []form.Violation  // that no field shows
	Renamed   map[string]string // slots and variables whose references have been updated, by old name
}

// EditorRow is a record in a list of the form.
type EditorRow struct {
	Fields []form.Field
	More   []form.Field // folded: names for programs
	Lines  *SpokenForm  // what is said; nil: the row has no lines
	Path   string       // by which it is removed; empty: the row adds one
	Note   string       // a remark; empty: none
}

// MustOpen reports whether a folded field must be seen.
func (r EditorRow) MustOpen() bool { return form.AnyFault(r.More...) }

// anyRowFault reports whether one of the rows has a fault, or a line that is being recorded.
func anyRowFault(rows []EditorRow) bool {
	return slices.ContainsFunc(rows, func(r EditorRow) bool {
		return r.MustOpen() || form.AnyFault(r.Fields...) || r.Lines != nil && r.Lines.anyFault()
	})
}

// editor binds the form of a scenario. What the form doesn't show of the scenario is kept.
type editor struct {
	*form.Binder
	plan   *scenario.Scenario
	steps  map[string]string // ids of steps, old to new
	values map[string]string // names of slots and variables, old to new
	fixed  map[string]bool   // names and ids that programs may know: they don't follow their labels
	neural []string          // installed neural voices
}

// BindEditor writes what was submitted into a scenario, and returns the form. A name that was made of a label follows
// it, unless the published scenario has the name; nil: none was published. neural are the installed neural voices.
func BindEditor(b *form.Binder, plan, published *scenario.Scenario, neural []string) ScenarioForm {
	e := &editor{
		neural: neural, Binder: b, plan: plan,
		steps: map[string]string{}, values: map[string]string{}, fixed: map[string]bool{},
	}
	if published != nil {
		e.fixed = published.ValueNames()
		for _, step := range published.Steps {
			e.fixed[step.ID] = true
		}
	}
	f := ScenarioForm{Head: form.BindDeclared(b, "", e, headFields)}
	f.Settings = append(form.BindDeclared(b, "", e, settingFields), e.bindRetry()...)
	f.OptOut = form.BindDeclared(b, "", e, optOutFields)
	f.Endpoint = e.bindEndpoint()
	f.Variables, f.Tests = e.bindVariables(), e.bindTests()
	for i := range plan.Steps {
		f.Steps = append(f.Steps, e.bindStep(i))
	}
	f.Identify, f.Voicemail = e.bindLines("identify", &plan.Identify), e.bindLines("voicemail", &plan.Voicemail)
	f.Questions = e.bindQuestions()
	plan.RenameSteps(e.steps)
	f.Renamed = plan.RenameValues(e.values)
	f.Rest = b.TakeRest("")
	return f
}

// refreshes marks an input whose value decides which others there are: a change shows them at once.
var refreshes = templ.Attributes{"data-refresh": true}

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
		Name: "voice", Label: EditorVoice, Help: EditorVoiceHint, Kind: form.List,
		Value: func(e *editor) any { return &e.plan.Voice }, Options: (*editor).voiceOptions, Missing: EditorMissing,
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
	{
		Name: "update_booked_calls", Label: EditorUpdateBooked, Kind: form.Check,
		Value: func(e *editor) any { return &e.plan.UpdateBookedCalls },
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
	{
		Name: "type", Label: EditorVariableType, Kind: form.List, Value: func(v boundVariable) any { return &v.Type },
		Options: func(v boundVariable) []form.Option { return variableTypes.options(v.lang) }, Missing: EditorMissing,
		Attributes: refreshes,
	},
	{Name: "default", Label: EditorDefault, Value: func(v boundVariable) any { return &v.Default }},
	{Name: "description", Label: EditorAbout, Kind: form.Area, Value: func(v boundVariable) any { return &v.Description }},
	{
		Name: "choices", Label: EditorChoices, Help: EditorOnePerLine, Kind: form.Area,
		Has:   func(v boundVariable) bool { return v.Type == scenario.ChoiceVariable || len(v.Choices) > 0 },
		Value: func(v boundVariable) any { return &v.Choices },
	},
	{Name: "required", Label: EditorRequired, Kind: form.Check, Value: func(v boundVariable) any { return &v.Required }},
}

var variableNameFields = []form.Declared[boundVariable]{{
	Name: "name", Label: EditorVariableName, Help: EditorNameHint, Dir: "ltr",
	Value: func(v boundVariable) any { return &v.Name },
}}

// bindVariables binds the variables of bookings, and an empty one to be added. Variables without label and name are
// removed.
func (e *editor) bindVariables() (rows []EditorRow) {
	all := append(e.plan.Variables[:len(e.plan.Variables):len(e.plan.Variables)], scenario.ScenarioVariable{})
	var kept []scenario.ScenarioVariable
	for i := range all {
		v, at := &all[i], scenario.IndexPath("variables", i)
		_, sent := e.TypedValue(at + ".name")
		old, bound := *v, boundVariable{v, e.Lang}
		row := EditorRow{Fields: form.BindDeclared(e.Binder, at, bound, variableFields)}
		row.More = form.BindDeclared(e.Binder, at, bound, variableNameFields)
		made := scenario.MadeVariableName(v.Label)
		e.followLabel(&v.Name, old.Name, scenario.MadeVariableName(old.Label), made, v.Label != old.Label)
		if i < len(all)-1 {
			row.Path = at
		}
		if rows = append(rows, row); v.Name != "" || i < len(all)-1 && !sent {
			kept = append(kept, *v)
		}
	}
	if e.Given != nil {
		e.plan.Variables = kept
	}
	return rows
}

// followLabel gives a slot or variable the name of its label: one without a name, and one whose name was made of its
// label before, if the label changed and no program may know the name.
func (e *editor) followLabel(name *string, old, madeBefore, made string, changed bool) {
	isOwn := *name == old && scenario.IsNumbered(old, madeBefore) && !e.fixed[old] && !e.isShared(old)
	if e.Given != nil && changed && (*name == "" || isOwn) && *name != made {
		taken := e.plan.ValueNames()
		for _, given := range e.values {
			taken[given] = true
		}
		delete(taken, *name)
		*name = scenario.UnusedName(made, func(name string) bool { return taken[name] })
	}
	if old != "" && *name != "" && *name != old {
		e.values[old] = *name
	}
}

// isShared reports whether several steps ask for a slot.
func (e *editor) isShared(slot string) bool {
	found := 0
	for _, step := range e.plan.Steps {
		for _, one := range step.FoundSlots() {
			if one.Name == slot {
				found++
			}
		}
	}
	return found > 1
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

// voiceOptions returns the choices of voices: the sources, the neural voices and, if the scenario names another, that.
func (e *editor) voiceOptions() []form.Option {
	options := choiceNames{
		{"", EditorVoiceMixed},
		{string(RecordedVoice), EditorVoiceRecorded},
		{string(EndpointVoice), EditorVoiceEndpoint},
		{string(RobotVoice), EditorVoiceRobot},
	}.options(e.Lang)
	for _, name := range e.neural {
		options = append(options, form.Option{Value: name, Name: EditorVoiceNeural.In(e.Lang) + " " + name})
	}
	if !slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == e.plan.Voice }) {
		options = append(options, form.Option{Value: e.plan.Voice, Name: e.plan.Voice})
	}
	return options
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
	for i := range f.Questions {
		all = append(all, f.Questions[i].Lines)
	}
	for i := range f.Steps {
		for k := range f.Steps[i].LineLists {
			all = append(all, &f.Steps[i].LineLists[k].Lines)
		}
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
