package scenarios

import (
	"cmp"
	"slices"
	"strconv"

	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// EditorStep is the card of a step.
type EditorStep struct {
	Index                 int
	Kind, Title           string
	unnamed               bool // the title is the id
	Anchor                string
	First, More           []form.Field // what the card begins with; what it folds
	Next                  []form.Field // where the call goes on
	Checks                []form.Field // boxes of what it folds
	LineLists[SpokenForm]              // what a step of its type may say

	Slots []EditorSlot // of ask, llm and fetch
	Cases []EditorRow  // of branch; the last, without a slot, adds one
	Tools []EditorRow  // of llm; the last, without a name, adds one
	Rest  []form.Violation
}

// boundStep is a step with what its lists need.
type boundStep struct {
	*scenario.FlowStep
	editor *editor
	index  int
	kind   *scenario.StepType // as it was submitted
}

func (s boundStep) typeOptions() (options []form.Option) {
	for _, kind := range scenario.AllStepTypes() {
		options = append(options, form.Option{Value: string(kind), Name: StepName(s.editor.Lang, string(kind))})
	}
	return options
}

// stepOf returns the condition of a field that only steps of some types have.
func stepOf(types ...scenario.StepType) func(boundStep) bool {
	return func(s boundStep) bool { return slices.Contains(types, s.Type) }
}

// The fields of steps by their place on the card. A new field of a step is a line here.
var (
	firstFields = []form.Declared[boundStep]{
		{
			Name: "label", Label: EditorStepLabel,
			Value: func(s boundStep) any { return labelIn(s.editor.Lang, &s.Label) },
		},
		{
			Name: "type", Label: EditorStepType, Kind: form.List, Value: func(s boundStep) any { return s.kind },
			Options: boundStep.typeOptions, Missing: EditorMissing, Attributes: refreshes,
		},
		{
			Name: "to", Label: EditorTo, Help: EditorToHint, Dir: "ltr", Has: stepOf(scenario.Transfer),
			Value: func(s boundStep) any { return &s.To },
		},
		{
			Name: "targets", Label: EditorTargets, Help: EditorTargetsHint, Kind: form.Area, Dir: "ltr",
			Has: stepOf(scenario.Transfer), Value: func(s boundStep) any { return &s.Targets },
		},
		{
			Name: "order", Label: EditorOrder, Kind: form.List, Has: stepOf(scenario.Transfer),
			Value: func(s boundStep) any { return &s.Order }, Options: boundStep.orderOptions, Missing: EditorMissing,
		},
		{
			Name: "mode", Label: EditorMode, Kind: form.List, Has: stepOf(scenario.Transfer),
			Value: func(s boundStep) any { return &s.Mode }, Options: boundStep.modeOptions, Missing: EditorMissing,
		},
		{
			Name: "keys", Label: EditorKeysSent, Help: EditorKeysSentHint, Dir: "ltr", Has: stepOf(scenario.Transfer),
			Value: func(s boundStep) any { return &s.Keys },
		},
		{
			Name: "prompt", Label: EditorPrompt, Kind: form.Area, Has: stepOf(scenario.LLMStep),
			Value: func(s boundStep) any { return &s.Prompt },
		},
		{
			Name: "tool", Label: EditorTool, Help: EditorToolHint, Dir: "ltr", Has: stepOf(scenario.Fetch), Required: true,
			Value: func(s boundStep) any { return &s.Tool },
		},
		{
			Name: "send", Label: EditorSend, Has: func(s boundStep) bool { return len(s.knownValues()) > 0 },
			Value: func(s boundStep) any { return &s.Send }, Options: boundStep.knownValues,
		},
	}
	nextFields = []form.Declared[boundStep]{
		{
			Name: "next", Label: EditorOtherwise, Kind: form.List, Has: stepOf(scenario.Branch),
			Value: func(s boundStep) any { return &s.Next }, Options: boundStep.nextOptions, Missing: EditorMissing,
		},
		{
			Name: "next", Label: EditorNext, Kind: form.List, Value: func(s boundStep) any { return &s.Next },
			Has:     func(s boundStep) bool { return s.Type != scenario.Branch && s.Type != scenario.End },
			Options: boundStep.nextOptions, Missing: EditorMissing,
		},
		{
			Name: "on_failure", Label: EditorOnFailure, Kind: form.List,
			Has:   stepOf(scenario.Ask, scenario.Transfer, scenario.LLMStep, scenario.Fetch),
			Value: func(s boundStep) any { return &s.OnFailure }, Missing: EditorMissing,
			Options: func(s boundStep) []form.Option { return s.editor.stepOptions(EditorAsOtherwise) },
		},
	}
	moreFields = []form.Declared[boundStep]{
		{Name: "id", Label: EditorKey, Help: EditorKeyHint, Dir: "ltr", Value: func(s boundStep) any { return &s.ID }},
		{
			Name: "max_reasks", Label: EditorMaxReasks, Usual: "2", Kind: form.Number, Has: stepOf(scenario.Ask),
			Value: func(s boundStep) any { return &s.MaxReasks },
		},
		{
			Name: "timeout_seconds", Label: EditorTimeout, Usual: "5", Kind: form.Number,
			Has: stepOf(scenario.Ask, scenario.LLMStep), Value: func(s boundStep) any { return &s.TimeoutSeconds },
		},
		{
			Name: "patience", Label: EditorPatience, Usual: "1", Kind: form.Number,
			Has: stepOf(scenario.Ask, scenario.LLMStep), Value: func(s boundStep) any { return &s.Patience },
		},
		{
			Name: "max_wrong", Label: EditorMaxWrong, Help: EditorMaxWrongHint, Kind: form.Number, Has: stepOf(scenario.Ask),
			Value: func(s boundStep) any { return &s.MaxWrong },
		},
		{
			Name: "max_turns", Label: EditorTurns, Usual: "4", Kind: form.Number, Has: stepOf(scenario.LLMStep),
			Value: func(s boundStep) any { return &s.MaxTurns },
		},
	}
	checkFields = []form.Declared[boundStep]{
		{
			Name: "confirm", Label: EditorConfirm, Kind: form.Check, Has: stepOf(scenario.Ask),
			Value: func(s boundStep) any { return &s.Confirm },
		},
		{
			Name: "no_barge_in", Label: EditorNoBarge, Kind: form.Check, Has: stepOf(scenario.Ask, scenario.LLMStep),
			Value: func(s boundStep) any { return &s.NoBargeIn },
		},
		{
			Name: "also", Label: EditorAlso, Has: func(s boundStep) bool { return len(s.otherSlots()) > 0 },
			Value: func(s boundStep) any { return &s.Also }, Options: boundStep.otherSlots,
		},
	}
)

// modeOptions returns what who answers a transfer gets.
func (s boundStep) modeOptions() []form.Option {
	return []form.Option{
		{Name: EditorBlind.In(s.editor.Lang)}, {Value: string(scenario.Attended), Name: EditorAttended.In(s.editor.Lang)},
	}
}

// orderOptions returns the orders in which the targets of a transfer are called.
func (s boundStep) orderOptions() []form.Option {
	return []form.Option{
		{Name: EditorInTurn.In(s.editor.Lang)}, {Value: string(scenario.AtOnce), Name: EditorAtOnce.In(s.editor.Lang)},
	}
}

// nextOptions returns the steps that may follow; the empty choice says what follows by itself.
func (s boundStep) nextOptions() []form.Option {
	if s.index+1 < len(s.editor.plan.Steps) {
		return s.editor.stepOptions(EditorNextInList)
	}
	return s.editor.stepOptions(EditorEndsThere)
}

// CardAnchor names the card of a step on the page.
func CardAnchor(index int) string { return "card-" + strconv.Itoa(index) }

// bindStep binds the card of a step, which has only the fields of the step's type. A step of another type is given its
// fields once the ones of the old type are bound.
func (e *editor) bindStep(i int) EditorStep {
	plan, at := &e.plan.Steps[i], scenario.IndexPath("steps", i)
	kind, old := plan.Type, *plan
	step := boundStep{plan, e, i, &kind}
	f := EditorStep{Index: i, Kind: string(step.Type), Anchor: CardAnchor(i)}
	f.More = form.BindDeclared(e.Binder, at, step, moreFields)
	f.First = form.BindDeclared(e.Binder, at, step, firstFields)
	e.followStepLabel(plan, old)
	f.Title, f.unnamed = LabelText(e.Lang, step.Label, step.ID), step.Label == scenario.Label{}
	f.Next = form.BindDeclared(e.Binder, at, step, nextFields)
	for _, list := range step.LineLists() {
		if slices.Contains(list.Types, step.Type) {
			f.LineLists = append(f.LineLists, FieldLines[SpokenForm]{
				list.Field, e.bindLines(at+"."+list.Field, list.Lines),
			})
		}
	}
	switch step.Type {
	case scenario.Ask:
		e.bindAsk(&f, at, step)
	case scenario.Branch:
		f.Cases = e.bindCases(at+".cases", &step.Cases)
	case scenario.LLMStep, scenario.Fetch:
		if step.Type == scenario.LLMStep {
			f.Tools = e.bindTools(at+".tools", step)
		}
		for k := range step.Slots {
			slot, byTool := scenario.IndexPath(at+".slots", k), step.Type == scenario.Fetch
			f.Slots = append(f.Slots, e.bindSlot(slot, &step.Slots[k], byTool))
		}
	}
	f.Checks = form.BindDeclared(e.Binder, at, step, checkFields)
	f.Rest = e.TakeRest(at)
	e.plan.ChangeStepType(i, kind)
	return f
}

// followStepLabel gives a step the id of its label, if its id was made of the label before or of its type, the label
// changed and no program may know the id.
func (e *editor) followStepLabel(step *scenario.FlowStep, old scenario.FlowStep) {
	kind := string(old.Type)
	isOwn := scenario.IsNumbered(old.ID, scenario.NameFromLabel(old.Label, kind)) || scenario.IsNumbered(old.ID, kind)
	if e.Given != nil && step.Label != old.Label && step.ID == old.ID && isOwn && !e.fixed[old.ID] {
		made := scenario.NameFromLabel(step.Label, kind)
		step.ID = ""
		step.ID = e.plan.UnusedStepID(made)
	}
	if step.ID != old.ID {
		e.steps[old.ID] = step.ID
	}
}

func (e *editor) bindAsk(f *EditorStep, at string, step boundStep) {
	if step.Slot == nil {
		step.Slot = &scenario.AnswerSlot{}
	}
	f.Slots = []EditorSlot{e.bindSlot(at+".slot", step.Slot, false)}
	if step.Slot.Type != scenario.YesNo && len(step.Change) == 0 {
		f.LineLists = slices.DeleteFunc(f.LineLists, func(l FieldLines[SpokenForm]) bool { return l.Field == "change" })
	}
}

// otherSlots returns the other slots that an answer to a question may fill; none of other steps.
func (s boundStep) otherSlots() (options []form.Option) {
	if s.Type != scenario.Ask || s.Slot == nil {
		return nil
	}
	e, step := s.editor, s
	names, labels := slices.Clone(step.Also), map[string]string{}
	for _, slot := range e.plan.AllSlots() {
		labels[slot.Name] = LabelText(e.Lang, slot.Label, slot.Name)
		if slot.Name != step.Slot.Name && slot.Name != "" && !slices.Contains(names, slot.Name) {
			names = append(names, slot.Name)
		}
	}
	for _, name := range names {
		options = append(options, form.Option{Value: name, Name: cmp.Or(labels[name], name)})
	}
	return options
}

// EditorSlot is the slot of an answer.
type EditorSlot struct {
	ID      string // of its fieldset, for its fault
	Head    []form.Field
	Values  []form.Field // what its type has
	Options []EditorRow  // of a choice; the last, without a value, adds one
	More    []form.Field // folded
	Fault   string
}

// boundSlot is a slot with the language of its label.
type boundSlot struct {
	*scenario.AnswerSlot
	lang locale.Language
}

func slotOf(kind scenario.SlotType) func(boundSlot) bool {
	return func(s boundSlot) bool { return s.Type == kind }
}

var (
	slotHeadFields = []form.Declared[boundSlot]{
		{
			Name: "type", Label: EditorAnswer, Kind: form.List, Value: func(s boundSlot) any { return &s.Type },
			Options: func(s boundSlot) []form.Option { return slotTypes.options(s.lang) }, Missing: EditorMissing,
			Attributes: refreshes,
		},
		{
			Name: "label", Label: EditorSlotLabel, Help: EditorSlotLabelHint,
			Value: func(s boundSlot) any { return labelIn(s.lang, &s.Label) },
		},
	}
	slotNameFields = []form.Declared[boundSlot]{
		{
			Name: "name", Label: EditorSlotKey, Help: EditorSlotHint, Dir: "ltr",
			Value: func(s boundSlot) any { return &s.Name },
		},
	}
	slotValueFields = []form.Declared[boundSlot]{
		{
			Name: "yes", Label: EditorYes, Help: EditorOnePerLine, Kind: form.Area, Has: slotOf(scenario.YesNo),
			Value: func(s boundSlot) any { return &s.Yes },
		},
		{
			Name: "no", Label: EditorNo, Help: EditorOnePerLine, Kind: form.Area, Has: slotOf(scenario.YesNo),
			Value: func(s boundSlot) any { return &s.No },
		},
		{
			Name: "digits", Label: EditorDigits, Kind: form.Number, Has: slotOf(scenario.Number),
			Value: func(s boundSlot) any { return &s.Digits },
		},
		{
			Name: "min", Label: EditorMin, Kind: form.Number, Has: slotOf(scenario.Number),
			Value: func(s boundSlot) any { return &s.Min },
		},
		{
			Name: "max", Label: EditorMax, Kind: form.Number, Has: slotOf(scenario.Number),
			Value: func(s boundSlot) any { return &s.Max },
		},
	}
	slotTypes = choiceNames{
		{string(scenario.YesNo), YesNo},
		{string(scenario.Choice), Choice},
		{string(scenario.Number), Number},
		{string(scenario.Date), Date},
		{string(scenario.Time), Time},
		{string(scenario.Text), Text},
	}
)

// bindSlot binds a slot. A slot of another type loses what only the old type has. The name of a slot that a tool fills
// is the tool's own.
func (e *editor) bindSlot(at string, slot *scenario.AnswerSlot, byTool bool) EditorSlot {
	bound, before, old := boundSlot{slot, e.Lang}, slot.Type, *slot
	f := EditorSlot{Head: form.BindDeclared(e.Binder, at, bound, slotHeadFields)}
	f.ID = "f-" + at
	if f.More = form.BindDeclared(e.Binder, at, bound, slotNameFields); byTool {
		f.Head, f.More = append(f.Head, f.More...), nil
	}
	made, labelled := scenario.MadeSlotName(slot.Label), slot.Label != old.Label && !byTool
	e.followLabel(&slot.Name, old.Name, scenario.MadeSlotName(old.Label), made, labelled)
	if slot.Type != before {
		*slot = scenario.AnswerSlot{Name: slot.Name, Label: slot.Label, Type: slot.Type}
	}
	f.Values = form.BindDeclared(e.Binder, at, bound, slotValueFields)
	f.Options = e.bindOptions(at+".choices", slot)
	f.Fault = e.TakeFault(at, at+".choices")
	return f
}

// boundOption is an option of a choice with the language of its label.
type boundOption struct {
	*scenario.ChoiceOption
	lang locale.Language
}

var optionFields = []form.Declared[boundOption]{
	{
		Name: "phrases", Label: EditorPhrases, Help: EditorPhrasesHint, Kind: form.Area,
		Value: func(o boundOption) any { return &o.Phrases },
	},
	{Name: "value", Label: EditorReport, Value: func(o boundOption) any { return &o.Value }},
	{Name: "label", Label: EditorLabel, Value: func(o boundOption) any { return labelIn(o.lang, &o.Label) }},
	{Name: "key", Label: EditorDTMF, Dir: "ltr", Value: func(o boundOption) any { return &o.Key }},
}

// bindOptions binds the options of a choice, and an empty one to be added. Options without phrases and value are
// removed.
func (e *editor) bindOptions(path string, slot *scenario.AnswerSlot) (rows []EditorRow) {
	if slot.Type != scenario.Choice {
		return nil
	}
	all := slices.Clone(append(slot.Choices[:len(slot.Choices):len(slot.Choices)], scenario.ChoiceOption{}))
	var kept []scenario.ChoiceOption
	for i := range all {
		o, at := &all[i], scenario.IndexPath(path, i)
		_, sent := e.TypedValue(at + ".value")
		row := EditorRow{Fields: form.BindDeclared(e.Binder, at, boundOption{o, e.Lang}, optionFields)}
		if i < len(slot.Choices) {
			row.Path = at
		}
		rows = append(rows, row)
		if o.Value == "" && len(o.Phrases) > 0 && sent {
			o.Value = o.Phrases[0]
		}
		if o.Value != "" || len(o.Phrases) > 0 || i < len(slot.Choices) && !sent {
			kept = append(kept, *o)
		}
	}
	if e.Given != nil {
		slot.Choices = kept
	}
	return rows
}

// knownValues returns the variables and answers that a tool may get; none for other steps.
func (s boundStep) knownValues() (options []form.Option) {
	if s.Type != scenario.Fetch {
		return nil
	}
	return s.editor.valueOptions(s.Send)
}

// valueOptions returns the variables and answers of the scenario, and those of chosen that it doesn't have.
func (e *editor) valueOptions(chosen []string) (options []form.Option) {
	seen := map[string]bool{}
	add := func(name, label string) {
		if !seen[name] {
			seen[name] = true
			options = append(options, form.Option{Value: name, Name: label, Note: name})
		}
	}
	for _, v := range e.plan.Variables {
		add(v.Name, LabelText(e.Lang, v.Label, v.Name))
	}
	for _, slot := range e.plan.AllSlots() {
		add(slot.Name, LabelText(e.Lang, slot.Label, slot.Name))
	}
	for _, name := range chosen {
		add(name, name)
	}
	return options
}
