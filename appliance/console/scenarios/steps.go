package scenarios

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// Operations of the editor that remove something, and take that back.
const (
	opRemove = "remove:" // before the path of an entry of a list
	opUndo   = "undo"
)

// change applies an operation of the editor to a draft. undo takes a removal back; nil: nothing was removed.
func (d *scenarioDraft) change(c echo.Context, op string, l locale.Language) (undo *scenarios.EditorUndo, err error) {
	if op == opUndo {
		version := d.version
		*d = newDraft(c.Request().Context(), form.UnixLines(c.FormValue("undo")))
		d.version, d.byForm = version, d.isReadable()
		return nil, nil
	}
	if !d.byForm {
		return nil, nil
	}
	before, slots := d.source, d.plan.AllSlots()
	if path, removes := strings.CutPrefix(op, opRemove); removes {
		if d.plan.RemoveEntry(path) {
			undo = &scenarios.EditorUndo{Text: scenarios.EditorRowGone.In(l), Source: before}
		}
	} else if i, deletes := deletedStep(d.plan, op); deletes {
		name := scenarios.LabelText(l, d.plan.Steps[i].Label, d.plan.Steps[i].ID)
		text := locale.FillSentence(scenarios.EditorStepGone.In(l), "name", name)
		undo = &scenarios.EditorUndo{Text: text, Source: before}
	}
	changeSteps(&d.plan, op)
	d.plan.FollowSlots(slots)
	return undo, d.writeSource()
}

// deletedStep returns the step that an operation deletes.
func deletedStep(plan scenario.Scenario, op string) (i int, deletes bool) {
	number, deletes := strings.CutPrefix(op, "delete:")
	i, err := strconv.Atoi(number)
	return i, deletes && err == nil && i >= 0 && i < len(plan.Steps)
}

// openedList returns the list of the form that stays unfolded after an operation.
func openedList(op string) string {
	path, _ := strings.CutPrefix(op, opRemove)
	list, _, _ := strings.Cut(path, ".")
	return list
}

// changeSteps applies a change to a draft's steps: the name of the editor's button and the index of a step, such as
// "up:2" or "add-ask:3". Unknown names and indexes are ignored.
func changeSteps(s *scenario.Scenario, op string) {
	name, number, _ := strings.Cut(op, ":")
	i, err := strconv.Atoi(number)
	kind, adds := strings.CutPrefix(name, "add-")
	switch {
	case err != nil || i < -1 || i >= len(s.Steps) || i < 0 && !adds:
	case adds:
		addStep(s, i+1, s.NewStep(scenario.StepType(kind)))
	case name == "copy":
		addStep(s, i+1, copyStep(s, s.Steps[i]))
	case name == "delete":
		s.RemoveStep(i)
	case name == "up" && i > 0:
		s.Steps[i], s.Steps[i-1] = s.Steps[i-1], s.Steps[i]
	case name == "down" && i+1 < len(s.Steps):
		s.Steps[i], s.Steps[i+1] = s.Steps[i+1], s.Steps[i]
	case name == "branch" && s.Steps[i].Slot != nil:
		addStep(s, i+1, branchStep(s, i))
	case name == "slot" && (s.Steps[i].Type == scenario.LLMStep || s.Steps[i].Type == scenario.Fetch):
		s.Steps[i].Slots = append(s.Steps[i].Slots, s.NewSlot())
	}
}

func addStep(s *scenario.Scenario, at int, step scenario.FlowStep) {
	if len(s.Steps) < scenario.MaxSteps && step.Type != "" {
		s.Steps = slices.Insert(s.Steps, at, step)
	}
}

// copyStep returns a copy of a step with a new id and new slot names.
func copyStep(s *scenario.Scenario, step scenario.FlowStep) scenario.FlowStep {
	step.ID = s.UnusedStepID(step.ID)
	step.Label = numberLabel(step.Label, step.ID)
	for _, list := range step.LineLists() {
		*list.Lines = slices.Clone(*list.Lines)
	}
	step.Targets = slices.Clone(step.Targets)
	step.Cases, step.Also, step.Send = slices.Clone(step.Cases), slices.Clone(step.Also), slices.Clone(step.Send)
	if step.Slot != nil {
		slot := copySlot(s, *step.Slot)
		step.Slot = &slot
	}
	slots, renamed := step.Slots, map[string]string{}
	step.Slots = nil
	for _, slot := range slots {
		step.Slots = append(step.Slots, copySlot(s, slot))
		renamed[slot.Name] = step.Slots[len(step.Slots)-1].Name
	}
	step.Tools = slices.Clone(step.Tools)
	for i := range step.Tools {
		t := &step.Tools[i]
		t.Send = slices.Clone(t.Send)
		for k, name := range t.Send {
			t.Send[k] = cmp.Or(renamed[name], name)
		}
	}
	return step
}

func copySlot(s *scenario.Scenario, slot scenario.AnswerSlot) scenario.AnswerSlot {
	slot.Name = s.UnusedValueName(slot.Name)
	slot.Label = numberLabel(slot.Label, slot.Name)
	slot.Choices = slices.Clone(slot.Choices)
	return slot
}

// numberLabel gives the label of a copy the number of its name (confirmed_2), so that it differs from the original's.
func numberLabel(l scenario.Label, name string) scenario.Label {
	number := name[strings.LastIndexByte(name, '_')+1:]
	for _, text := range []*string{&l.Arabic, &l.English} {
		if *text != "" {
			*text += " " + number
		}
	}
	return l
}

// branchStep returns a branch on the answer to question i: one case for each answer, which leads to the next step.
func branchStep(s *scenario.Scenario, i int) scenario.FlowStep {
	slot, next := s.Steps[i].Slot, ""
	if i+1 < len(s.Steps) {
		next = s.Steps[i+1].ID
	}
	step := scenario.FlowStep{ID: s.UnusedStepID("branch"), Type: scenario.Branch}
	addCase := func(value any) {
		step.Cases = append(step.Cases, scenario.BranchCase{Slot: slot.Name, Equals: value, Next: next})
	}
	switch slot.Type {
	case scenario.YesNo:
		addCase(true)
		addCase(false)
	case scenario.Choice:
		for _, o := range slot.Choices {
			addCase(o.Value)
		}
	default:
		known := true
		step.Cases = []scenario.BranchCase{{Slot: slot.Name, IsSet: &known, Next: next}}
	}
	return step
}
