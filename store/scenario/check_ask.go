package scenario

import (
	"slices"
	"strings"
)

func (c *scenarioChecker) checkAsk(path string, i int, step FlowStep, slots map[string]askedSlot) {
	if step.Slot == nil {
		c.addFailure(path+".slot", "is required in a step of type ask")
		return
	}
	c.checkAskedSlot(path+".slot", i, *step.Slot, slots)
	if step.MaxWrong != 0 && step.Slot.Type == Text {
		c.addFailure(path+".max_wrong", "is not for a text, which is taken as it was heard")
	}
	if len(step.Change) > 0 && step.Slot.Type != YesNo {
		c.addFailure(path+".change", "is only for a yes_no: it follows a no")
	}
	for j, name := range step.Also {
		if !slices.ContainsFunc(c.s.AllSlots(), func(s AnswerSlot) bool { return s.Name == name }) || name == step.Slot.Name {
			c.addFailure(IndexPath(path+".also", j), "must name a slot of another ask: %s", name)
		}
	}
}

// askedSlot is a slot and the index of the first step that asks for it.
type askedSlot struct {
	slot AnswerSlot
	step int
}

// checkAskedSlot validates a slot, and that all steps that ask for it define it equally.
func (c *scenarioChecker) checkAskedSlot(path string, i int, slot AnswerSlot, slots map[string]askedSlot) {
	c.checkSlot(path, slot)
	if first, twice := slots[slot.Name]; !twice {
		slots[slot.Name] = askedSlot{slot, i}
	} else if !sameSlot(slot, first.slot) {
		c.addFailure(path, "must be defined as in steps.%d, which also asks for %s", first.step, slot.Name)
	}
}

func sameSlot(a, b AnswerSlot) bool {
	return a.Type == b.Type && a.Digits == b.Digits && equalFloats(a.Min, b.Min) && equalFloats(a.Max, b.Max) &&
		slices.Equal(a.Yes, b.Yes) && slices.Equal(a.No, b.No) &&
		slices.EqualFunc(a.Choices, b.Choices, func(x, y ChoiceOption) bool {
			return x.Value == y.Value && x.Key == y.Key && slices.Equal(x.Phrases, y.Phrases)
		})
}

func equalFloats(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }

func (c *scenarioChecker) checkSlot(path string, s AnswerSlot) {
	if !nameForm.MatchString(s.Name) {
		c.addFailure(path+".name", "must be a letter or _, then up to 63 letters, digits and _")
	}
	if !slices.Contains([]SlotType{YesNo, Number, Date, Time, Choice, Text}, s.Type) {
		c.addFailure(path+".type", "must be one of yes_no, number, date, time, choice, text")
	}
	c.checkLabel(path+".label", s.Label)
	if s.Type == Choice {
		c.checkChoices(path+".choices", s.Choices)
	} else if len(s.Choices) > 0 {
		c.addFailure(path+".choices", "are only for a choice")
	}
	c.checkPhrases(path+".yes", s.Yes)
	c.checkPhrases(path+".no", s.No)
	if s.Type != YesNo && len(s.Yes)+len(s.No) > 0 {
		c.addFailure(path, "has yes or no, which are only for a yes_no")
	}
	if s.Digits < 0 || s.Digits > 20 {
		c.addFailure(path+".digits", "must be from 0 to 20")
	}
	if s.Type != Number && (s.Digits != 0 || s.Min != nil || s.Max != nil) {
		c.addFailure(path, "has digits, min or max, which are only for a number")
	}
	if s.Min != nil && s.Max != nil && *s.Min > *s.Max {
		c.addFailure(path+".max", "must not be below min")
	}
}

func (c *scenarioChecker) checkChoices(path string, options []ChoiceOption) {
	if len(options) == 0 || len(options) > maxChoices {
		c.addFailure(path, "must be 1 to %d", maxChoices)
	}
	values, phrases, keys := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, o := range options {
		item := IndexPath(path, i)
		if strings.TrimSpace(o.Value) == "" || values[o.Value] {
			c.addFailure(item+".value", "must not be empty or the value of another option")
		}
		c.checkLength(item+".value", o.Value, maxName)
		values[o.Value] = true
		c.checkLabel(item+".label", o.Label)
		if len(o.Phrases) == 0 {
			c.addFailure(item+".phrases", "must have a phrase by which people choose it")
		}
		c.checkPhrases(item+".phrases", o.Phrases)
		for j, phrase := range o.Phrases {
			if phrases[phrase] {
				c.addFailure(IndexPath(item+".phrases", j), "is also a phrase of another option: %s", phrase)
			}
			phrases[phrase] = true
		}
		if o.Key != "" && (len(o.Key) != 1 || !strings.Contains("0123456789*#", o.Key) || keys[o.Key]) {
			c.addFailure(item+".key", "must be one of 0-9 * #, and not the key of another option")
		}
		keys[o.Key] = true
	}
}
