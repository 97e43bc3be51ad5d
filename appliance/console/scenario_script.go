package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"munadi/store/dialling"
	"munadi/store/scenario"
	"munadi/ui/page"
	"munadi/ui/text"
)

// script writes a scenario out. It counts the lines in the order of [scenario.Scenario.Spoken], which is how the sound
// of one is asked for.
type script struct {
	plan  scenario.Scenario
	words text.Scenarios
	said  int
}

// scriptOf is the scenario's steps as they read, and what is said to who asks for the caller.
func scriptOf(s scenario.Scenario, w text.Scenarios) ([]page.ScriptStep, []page.ScriptLine) {
	k := &script{plan: s, words: w}
	steps := make([]page.ScriptStep, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = page.ScriptStep{
			ID: step.ID, Kind: string(step.Type), Say: k.lines(step.Say), Reask: k.lines(step.Reask),
			NoInput: k.lines(step.NoInput), Slot: k.slot(step), Notes: k.notes(step), Ways: k.ways(i, step), To: step.To,
			Prompt: step.Prompt,
		}
	}
	return steps, k.lines(s.Identify)
}

func (k *script) lines(lines scenario.Lines) []page.ScriptLine {
	out := make([]page.ScriptLine, len(lines))
	for i, line := range lines {
		out[i] = page.ScriptLine{Text: line.Text, Optional: line.Optional, Open: !scenario.Fixed(line.Text)}
		if !out[i].Open {
			out[i].Sound = scenariosPath + "/" + url.PathEscape(k.plan.ID) + "/sound?line=" + strconv.Itoa(k.said)
		}
		k.said++
	}
	return out
}

func (k *script) slot(step scenario.Step) *page.ScriptSlot {
	if step.Slot == nil {
		return nil
	}
	in := step.Slot
	out := &page.ScriptSlot{Name: in.Name, Kind: string(in.Type), Yes: in.Yes, No: in.No, Also: step.Also}
	for _, option := range in.Choices {
		out.Choices = append(out.Choices, page.ScriptChoice{Value: option.Value, Key: option.Key, Phrases: option.Phrases})
	}
	if in.Min != nil || in.Max != nil {
		out.Notes = append(out.Notes, text.Between(k.words.Range, bound(in.Min), bound(in.Max)))
	}
	if in.Digits > 0 {
		out.Notes = append(out.Notes, k.words.Digits+": "+strconv.Itoa(in.Digits))
	}
	return out
}

// bound writes one end of a range; an open end is endless.
func bound(f *float64) string {
	if f == nil {
		return "∞"
	}
	return bare(*f)
}

// notes are what else there is to a step.
func (k *script) notes(step scenario.Step) []string {
	var notes []string
	if step.Type == scenario.Ask {
		notes = append(notes, text.Count(k.words.Reasks, step.Reasks()),
			text.Count(k.words.Waits, int(step.Timeout().Seconds())))
	}
	if step.Type == scenario.LLMStep {
		notes = append(notes, text.Count(k.words.Turns, step.Turns()))
	}
	if step.Confirm {
		notes = append(notes, k.words.Confirms)
	}
	if step.NoBargeIn {
		notes = append(notes, k.words.NoBargeIn)
	}
	return notes
}

// ways are where a step leads; one that only goes on to the next in the list has none to tell.
func (k *script) ways(i int, step scenario.Step) []page.ScriptWay {
	var ways []page.ScriptWay
	for _, c := range step.Cases {
		ways = append(ways, page.ScriptWay{Slot: c.Slot, Value: plainJSON(c.Equals), Known: c.IsSet, Target: c.Next})
	}
	if step.OnFailure != "" {
		ways = append(ways, page.ScriptWay{Label: k.words.OnFailure, Target: step.OnFailure})
	}
	next := page.ScriptWay{Target: k.after(i, step.Next)}
	if len(ways) > 0 {
		next.Label = k.words.Otherwise
	}
	if step.Type != scenario.End && (step.Next != "" || len(step.Cases) > 0 || next.Target == "") {
		ways = append(ways, next)
	}
	return ways
}

// after is the id of the step that follows step i; empty at the end.
func (k *script) after(i int, next string) string {
	if at := k.plan.Next(i, next); at < len(k.plan.Steps) {
		return k.plan.Steps[at].ID
	}
	return ""
}

// plainJSON writes what a slot is compared with: a text bare, other scalars as JSON does.
func plainJSON(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}

// hoursText are hours in words, a line a day.
func hoursText(hours dialling.Hours, w text.Rules) []string {
	var days []string
	for _, day := range dialling.Weekdays() {
		var slots []string
		for _, slot := range hours[day] {
			slots = append(slots, slot.From+"–"+slot.To)
		}
		if len(slots) > 0 {
			days = append(days, w.Weekday(string(day))+" \u2066"+strings.Join(slots, ", ")+"\u2069")
		}
	}
	return days
}
