package scenarios

import (
	"net/url"
	"strconv"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/rules"
	"munadi/ui/scenarios"
)

// scriptWriter formats a scenario as a script. It numbers the lines in the order of [scenario.Scenario.SpokenLines], by
// which their audio is requested.
type scriptWriter struct {
	plan     scenario.Scenario
	lang     locale.Language
	labels   kit.ScenarioLabels
	nextLine int
}

// scriptView returns the scenario's steps for display, and the answers to questions about the caller and to others.
func scriptView(s scenario.Scenario, l locale.Language) (
	steps []scenarios.ScriptStep, identify []scenarios.ScriptLine, questions []scenarios.ScriptQuestion,
) {
	k := &scriptWriter{plan: s, lang: l, labels: kit.ScenarioLabels{Scenarios: []scenario.Scenario{s}, Lang: l}}
	steps = make([]scenarios.ScriptStep, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = scenarios.ScriptStep{
			ID: step.ID, Label: scenarios.LabelText(l, step.Label, step.ID), Kind: string(step.Type),
			Slot: k.askedSlot(step), Notes: k.stepNotes(step), Ways: k.stepWays(i, step),
			To: targetsOf(step), Prompt: step.Prompt, Finds: k.modelSlots(step),
		}
		for _, list := range step.LineLists() {
			steps[i].LineLists = append(steps[i].LineLists, scenarios.FieldLines[[]scenarios.ScriptLine]{
				Field: list.Field, Lines: k.scriptLines(*list.Lines),
			})
		}
	}
	identify = k.scriptLines(s.Identify)
	k.nextLine += len(s.Voicemail)
	for _, q := range s.Questions {
		questions = append(questions, scenarios.ScriptQuestion{
			Phrases: strings.Join(q.Phrases, " · "), Say: k.scriptLines(q.Say),
		})
	}
	return steps, identify, questions
}

// targetsOf returns the targets of a transfer; empty of another step.
func targetsOf(step scenario.FlowStep) string {
	if step.Type != scenario.Transfer {
		return ""
	}
	return strings.Join(step.TransferTargets(), " | ")
}

func (k *scriptWriter) scriptLines(lines scenario.SpokenLines) []scenarios.ScriptLine {
	out := make([]scenarios.ScriptLine, len(lines))
	for i, line := range lines {
		out[i] = scenarios.ScriptLine{Text: line.Text, Optional: line.Optional, Open: !scenario.IsFixed(line.Text)}
		out[i].Parts = k.lineParts(line.Text)
		if !out[i].Open {
			out[i].Sound = scenariosPath + "/" + url.PathEscape(k.plan.ID) + "/sound?line=" + strconv.Itoa(k.nextLine)
		}
		k.nextLine++
	}
	return out
}

// lineParts returns a line with its values by their names, as people read it.
func (k *scriptWriter) lineParts(text string) []scenarios.LinePart {
	parsed, err := scenario.ParseTemplate(text)
	if err != nil { // of a draft with faults
		return []scenarios.LinePart{{Text: text}}
	}
	parts := make([]scenarios.LinePart, len(parsed))
	for i, part := range parsed {
		if parts[i].Text = part.Literal; part.Name != "" {
			parts[i] = scenarios.LinePart{Text: k.labels.NameLabel(k.plan, part.Name), Placeholder: part.Placeholder()}
		}
	}
	return parts
}

func (k *scriptWriter) askedSlot(step scenario.FlowStep) *scenarios.ScriptSlot {
	if step.Slot == nil {
		return nil
	}
	out := k.slotView(*step.Slot)
	for _, also := range step.Also {
		out.Also = append(out.Also, k.labels.NameLabel(k.plan, also))
	}
	return &out
}

// modelSlots returns the slots that a language model or a tool may fill.
func (k *scriptWriter) modelSlots(step scenario.FlowStep) []scenarios.ScriptSlot {
	out := make([]scenarios.ScriptSlot, len(step.Slots))
	for i, slot := range step.Slots {
		out[i] = k.slotView(slot)
	}
	return out
}

func (k *scriptWriter) slotView(in scenario.AnswerSlot) scenarios.ScriptSlot {
	label := scenarios.LabelText(k.labels.Lang, in.Label, in.Name)
	out := scenarios.ScriptSlot{Name: in.Name, Label: label, Kind: string(in.Type)}
	out.Yes, out.No = in.Yes, in.No
	for _, option := range in.Choices {
		out.Choices = append(out.Choices, scenarios.ScriptChoice{
			Label: scenarios.ChoiceLabel(k.labels.Lang, option), Value: option.Value, Key: option.Key, Phrases: option.Phrases,
		})
	}
	if in.Min != nil || in.Max != nil {
		out.Notes = append(out.Notes, locale.FillRange(scenarios.Range.In(k.lang), formatBound(in.Min), formatBound(in.Max)))
	}
	if in.Digits > 0 {
		out.Notes = append(out.Notes, scenarios.Digits.In(k.lang)+": "+strconv.Itoa(in.Digits))
	}
	return out
}

// formatBound formats one end of a range; nil is unbounded.
func formatBound(f *float64) string {
	if f == nil {
		return "∞"
	}
	return kit.FormatShortest(*f)
}

// stepNotes returns a step's further properties.
func (k *scriptWriter) stepNotes(step scenario.FlowStep) []string {
	var notes []string
	if step.Type == scenario.Ask {
		notes = append(notes, scenarios.Reasks.In(k.lang).Fill(step.ReaskLimit()),
			scenarios.Waits.In(k.lang).Fill(int(step.AnswerTimeout().Seconds())))
	}
	if step.Type == scenario.LLMStep {
		notes = append(notes, scenarios.Turns.In(k.lang).Fill(step.TurnLimit()))
	}
	if step.Type == scenario.Fetch {
		notes = append(notes, scenarios.Tool.In(k.lang)+": "+step.Tool)
	}
	if step.Mode == scenario.Attended {
		notes = append(notes, scenarios.EditorMode.In(k.lang)+": "+scenarios.EditorAttended.In(k.lang))
	}
	if step.Order == scenario.AtOnce {
		notes = append(notes, scenarios.EditorOrder.In(k.lang)+": "+scenarios.EditorAtOnce.In(k.lang))
	}
	if step.Keys != "" {
		notes = append(notes, scenarios.EditorKeysSent.In(k.lang)+": \u2066"+step.Keys+"\u2069")
	}
	for _, t := range step.Tools {
		notes = append(notes, scenarios.Tool.In(k.lang)+": "+t.Tool)
		notes = k.addSent(notes, t.Send)
	}
	notes = k.addSent(notes, step.Send)
	if step.Confirm {
		notes = append(notes, scenarios.Confirms.In(k.lang))
	}
	if step.NoBargeIn {
		notes = append(notes, scenarios.NoBargeIn.In(k.lang))
	}
	return notes
}

// addSent adds which values a tool gets.
func (k *scriptWriter) addSent(notes, sent []string) []string {
	if len(sent) == 0 {
		return notes
	}
	names := make([]string, len(sent))
	for i, name := range sent {
		names[i] = k.labels.NameLabel(k.plan, name)
	}
	return append(notes, scenarios.Sends.In(k.lang)+": "+strings.Join(names, locale.ListComma(k.lang)))
}

// stepWays returns the transitions of a step; none if it only continues with the next step.
func (k *scriptWriter) stepWays(i int, step scenario.FlowStep) []scenarios.ScriptWay {
	var ways []scenarios.ScriptWay
	for _, c := range step.Cases {
		ways = append(ways, k.targetWay(scenarios.ScriptWay{
			Slot: k.labels.NameLabel(k.plan, c.Slot), Value: k.labels.ValueLabel(k.plan, c.Slot, scenarios.PlainJSON(c.Equals)),
			Known: c.IsSet, Target: c.Next,
		}))
	}
	if step.OnFailure != "" {
		ways = append(ways, k.targetWay(scenarios.ScriptWay{Label: scenarios.OnFailure.In(k.lang), Target: step.OnFailure}))
	}
	next := k.targetWay(scenarios.ScriptWay{Target: k.nextStepID(i, step.Next)})
	if len(ways) > 0 {
		next.Label = scenarios.Otherwise.In(k.lang)
	}
	if step.Type != scenario.End && (step.Next != "" || len(step.Cases) > 0 || next.Target == "") {
		ways = append(ways, next)
	}
	return ways
}

// targetWay adds the display name of a transition's target step.
func (k *scriptWriter) targetWay(way scenarios.ScriptWay) scenarios.ScriptWay {
	if at := k.plan.FindStep(way.Target); at < len(k.plan.Steps) {
		way.TargetLabel = scenarios.LabelText(k.labels.Lang, k.plan.Steps[at].Label, way.Target)
	}
	return way
}

// nextStepID returns the id of the step after step i; empty at the end.
func (k *scriptWriter) nextStepID(i int, next string) string {
	if at := k.plan.NextStep(i, next); at < len(k.plan.Steps) {
		return k.plan.Steps[at].ID
	}
	return ""
}

// formatHours formats calling hours, one line a day.
func formatHours(hours callrules.CallingHours, l locale.Language) []string {
	var days []string
	for _, day := range callrules.AllWeekdays() {
		var slots []string
		for _, slot := range hours[day] {
			slots = append(slots, slot.From+"–"+slot.To)
		}
		if len(slots) > 0 {
			days = append(days, rules.WeekdayName(l, string(day))+" \u2066"+strings.Join(slots, ", ")+"\u2069")
		}
	}
	return days
}
