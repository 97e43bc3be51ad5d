package console

import (
	"cmp"
	"slices"

	"munadi/store/scenario"
	"munadi/ui/page"
	"munadi/ui/scenarios"
)

// bindStep binds the card of a step, which has only the fields of the step's type.
func (b *formBinder) bindStep(i int) page.FormStep {
	step, at := &b.plan.Steps[i], scenario.IndexPath("steps", i)
	shown := b.given.Has(at + ".shown")
	old := step.ID
	f := page.FormStep{
		Index: i, Kind: string(step.Type), Anchor: page.CardAnchor(i),
		ID: bindText(b, at+".id", &step.ID), Label: b.bindLabel(at+".label", &step.Label),
		Ends: step.Type == scenario.End,
	}
	if step.ID != old {
		b.renamed[old] = step.ID
	}
	f.Title = labelText(b.lang, step.Label, step.ID)
	if step.Type != scenario.Branch {
		f.Say = b.bindLines(at+".say", &step.Say)
	}
	if !f.Ends {
		f.Next = bindChoice(b, at+".next", &step.Next, b.stepOptions(b.nextText(i)))
	}
	if slices.Contains([]scenario.StepType{scenario.Ask, scenario.Transfer, scenario.LLMStep}, step.Type) {
		f.OnFailure = bindChoice(b, at+".on_failure", &step.OnFailure, b.stepOptions(scenarios.EditorAsOtherwise.In(b.lang)))
	}
	switch step.Type {
	case scenario.Ask:
		b.bindAsk(&f, at, step, shown)
	case scenario.Branch:
		f.Cases = b.bindCases(at+".cases", &step.Cases)
	case scenario.Transfer:
		f.To = bindText(b, at+".to", &step.To)
	case scenario.LLMStep:
		f.Prompt, f.Turns = bindText(b, at+".prompt", &step.Prompt), b.bindCount(at+".max_turns", &step.MaxTurns)
		f.Timeout = b.bindCount(at+".timeout_seconds", &step.TimeoutSeconds)
		f.NoBarge = b.bindCheck(at+".no_barge_in", &step.NoBargeIn, shown)
		for k := range step.Slots {
			f.Slots = append(f.Slots, b.bindSlot(scenario.IndexPath(at+".slots", k), &step.Slots[k]))
		}
	}
	f.Faults = b.faults.takeRest(at)
	return f
}

// nextText names the step that follows step i by default.
func (b *formBinder) nextText(i int) string {
	if i+1 < len(b.plan.Steps) {
		return scenarios.EditorNextInList.In(b.lang)
	}
	return scenarios.EditorEndsThere.In(b.lang)
}

func (b *formBinder) bindAsk(f *page.FormStep, at string, step *scenario.FlowStep, shown bool) {
	if step.Slot == nil {
		step.Slot = &scenario.AnswerSlot{}
	}
	f.Slots = []page.FormSlot{b.bindSlot(at+".slot", step.Slot)}
	f.Reask, f.NoInput = b.bindLines(at+".reask", &step.Reask), b.bindLines(at+".no_input", &step.NoInput)
	f.MaxReasks = b.bindOptionalCount(at+".max_reasks", &step.MaxReasks)
	f.Timeout = b.bindCount(at+".timeout_seconds", &step.TimeoutSeconds)
	f.NoBarge = b.bindCheck(at+".no_barge_in", &step.NoBargeIn, shown)
	f.Confirm = b.bindCheck(at+".confirm", &step.Confirm, shown)
	f.Also = b.bindAlso(at+".also", step, shown)
}

// bindAlso binds the other slots that an answer to this question may fill.
func (b *formBinder) bindAlso(path string, step *scenario.FlowStep, shown bool) (out []page.FormField) {
	names := slices.Clone(step.Also)
	labels := map[string]string{}
	for _, slot := range b.plan.AllSlots() {
		labels[slot.Name] = labelText(b.lang, slot.Label, slot.Name)
		if slot.Name != step.Slot.Name && slot.Name != "" && !slices.Contains(names, slot.Name) {
			names = append(names, slot.Name)
		}
	}
	if shown {
		step.Also = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return !slices.Contains(b.given[path], name)
		})
	}
	for _, name := range names {
		f := b.newField(path, name)
		if i := slices.Index(step.Also, name); i >= 0 {
			f.Checked, f.Fault = true, b.faults.takeAt(scenario.IndexPath(path, i))
		}
		f.Options = []page.ListChoice{{Value: name, Name: cmp.Or(labels[name], name)}}
		out = append(out, f)
	}
	return out
}

func (b *formBinder) bindSlot(at string, slot *scenario.AnswerSlot) page.FormSlot {
	f := page.FormSlot{
		Name: bindText(b, at+".name", &slot.Name), Label: b.bindLabel(at+".label", &slot.Label),
		Yes: bindList(b, at+".yes", &slot.Yes), No: bindList(b, at+".no", &slot.No),
		Digits: b.bindCount(at+".digits", &slot.Digits),
		Min:    b.bindBound(at+".min", &slot.Min), Max: b.bindBound(at+".max", &slot.Max),
	}
	before := slot.Type
	f.Type = bindChoice(b, at+".type", &slot.Type, b.slotTypes())
	if slot.Type != before {
		*slot = scenario.AnswerSlot{Name: slot.Name, Label: slot.Label, Type: slot.Type}
	}
	f.Choices = b.bindOptions(at+".choices", slot)
	f.Fault = b.faults.takeAt(at, at+".choices")
	return f
}

func (b *formBinder) slotTypes() (options []page.ListChoice) {
	for _, kind := range []scenario.SlotType{
		scenario.YesNo, scenario.Choice, scenario.Number, scenario.Date, scenario.Time, scenario.Text,
	} {
		options = append(options, page.ListChoice{Value: string(kind), Name: scenarios.SlotName(b.lang, string(kind))})
	}
	return options
}

// bindOptions binds the options of a choice, and an empty one to be added. Options without phrases and value are
// removed.
func (b *formBinder) bindOptions(path string, slot *scenario.AnswerSlot) (out []page.FormOption) {
	all := slot.Choices
	if slot.Type == scenario.Choice {
		all = append(all[:len(all):len(all)], scenario.ChoiceOption{})
	}
	all = slices.Clone(all)
	var kept []scenario.ChoiceOption
	for i := range all {
		o, at := &all[i], scenario.IndexPath(path, i)
		_, shown := b.typedValue(at + ".value")
		out = append(out, page.FormOption{
			Phrases: bindList(b, at+".phrases", &o.Phrases), Value: bindText(b, at+".value", &o.Value),
			Label: b.bindLabel(at+".label", &o.Label), Key: bindText(b, at+".key", &o.Key),
		})
		if o.Value == "" && len(o.Phrases) > 0 && shown {
			o.Value = o.Phrases[0]
		}
		if o.Value != "" || len(o.Phrases) > 0 || i < len(slot.Choices) && !shown {
			kept = append(kept, *o)
		}
	}
	if b.given != nil {
		slot.Choices = kept
	}
	return out
}

// renameSteps updates references to steps whose id changed.
func (b *formBinder) renameSteps() {
	rename := func(id *string) {
		if to, found := b.renamed[*id]; found {
			*id = to
		}
	}
	rename(&b.plan.Start)
	for i := range b.plan.Steps {
		step := &b.plan.Steps[i]
		rename(&step.Next)
		rename(&step.OnFailure)
		for k := range step.Cases {
			rename(&step.Cases[k].Next)
		}
	}
}
