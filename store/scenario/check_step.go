package scenario

import (
	"regexp"
	"slices"
	"strings"
)

var transferForm = regexp.MustCompile(`^(\+[1-9][0-9]{6,14}|(sips?|tel):[^\s<>"]{1,200})$`)

// allSteps checks each step by itself, then the ways between them.
func (c *checker) allSteps() {
	switch n := len(c.s.Steps); {
	case n == 0:
		c.fail("steps", "must not be empty")
		return
	case n > MaxSteps:
		c.fail("steps", "are more than %d", MaxSteps)
		return
	}
	c.lines("identify", c.s.Identify)
	for i, step := range c.s.Steps {
		path := at("steps", i)
		if !stepForm.MatchString(step.ID) {
			c.fail(path+".id", "must have 1 to 64 letters, digits and _ . -")
		} else if first, twice := c.steps[step.ID]; twice {
			c.fail(path+".id", "is the id of steps.%d too: %s", first, step.ID)
		} else {
			c.steps[step.ID] = i
		}
	}
	before := len(c.found)
	if c.s.Start != "" {
		c.leads("start", c.s.Start)
	}
	slots := map[string]askedSlot{}
	for i, step := range c.s.Steps {
		c.step(at("steps", i), i, step, slots)
	}
	if len(c.found) == before { // ways are only looked at where all steps are known
		c.ways()
	}
}

// leads wants the id of a step; empty is the next one.
func (c *checker) leads(field, id string) {
	if _, ok := c.steps[id]; id != "" && !ok {
		c.fail(field, "is no step's id: %s", id)
	}
}

func (c *checker) step(path string, i int, step Step, slots map[string]askedSlot) {
	c.leads(path+".next", step.Next)
	c.leads(path+".on_failure", step.OnFailure)
	c.lines(path+".say", step.Say)
	c.lines(path+".reask", step.Reask)
	c.lines(path+".no_input", step.NoInput)
	c.within(path+".timeout_seconds", step.TimeoutSeconds, 1, maxTimeout)
	if n := step.MaxReasks; n != nil && (*n < 0 || *n > maxReasks) {
		c.fail(path+".max_reasks", "must be from 0 to %d", maxReasks)
	}
	c.alien(path, step)
	switch step.Type {
	case Say:
		c.spoken(path, step)
	case Ask:
		c.spoken(path, step)
		c.ask(path, i, step, slots)
	case Branch:
		c.branch(path, step)
	case Transfer:
		if !transferForm.MatchString(step.To) {
			c.fail(path+".to", "must be an E.164 number or a sip:, sips: or tel: address")
		}
	case LLMStep:
		c.model(path, i, step, slots)
	case End:
	default:
		c.fail(path+".type", "must be one of say, ask, branch, transfer, llm, end")
	}
}

// alien finds fields that a step of its type has no use for: a mistake that would otherwise go unnoticed.
func (c *checker) alien(path string, step Step) {
	for _, f := range []struct {
		name  string
		set   bool
		types []StepType
	}{
		{"slot", step.Slot != nil, []StepType{Ask}},
		{"reask", len(step.Reask) > 0, []StepType{Ask}},
		{"no_input", len(step.NoInput) > 0, []StepType{Ask}},
		{"max_reasks", step.MaxReasks != nil, []StepType{Ask}},
		{"confirm", step.Confirm, []StepType{Ask}},
		{"also", len(step.Also) > 0, []StepType{Ask}},
		{"no_barge_in", step.NoBargeIn, []StepType{Ask, LLMStep}},
		{"timeout_seconds", step.TimeoutSeconds != 0, []StepType{Ask, LLMStep}},
		{"on_failure", step.OnFailure != "", []StepType{Ask, Transfer, LLMStep}},
		{"cases", len(step.Cases) > 0, []StepType{Branch}},
		{"to", step.To != "", []StepType{Transfer}},
		{"prompt", step.Prompt != "", []StepType{LLMStep}},
		{"slots", len(step.Slots) > 0, []StepType{LLMStep}},
		{"max_turns", step.MaxTurns != 0, []StepType{LLMStep}},
		{"say", len(step.Say) > 0, []StepType{Say, Ask, Transfer, LLMStep, End}},
		{"next", step.Next != "", []StepType{Say, Ask, Branch, Transfer, LLMStep}},
	} {
		if f.set && !slices.Contains(f.types, step.Type) && slices.Contains(stepTypes, step.Type) {
			c.fail(path+"."+f.name, "is of no use in a step of type %s", step.Type)
		}
	}
}

var stepTypes = []StepType{Say, Ask, Branch, Transfer, LLMStep, End}

func (c *checker) spoken(path string, step Step) {
	if len(step.Say) == 0 {
		c.fail(path+".say", "must say something")
	}
}

func (c *checker) lines(field string, lines Lines) {
	if len(lines) > maxLines {
		c.fail(field, "are more than %d lines", maxLines)
	}
	for i, line := range lines {
		path := field
		if len(lines) > 1 {
			path = at(field, i)
		}
		if strings.TrimSpace(line.Text) == "" {
			c.fail(path, "must not be empty")
		}
		c.short(path, line.Text, MaxText)
		c.template(path, line.Text)
	}
}

func (c *checker) ask(path string, i int, step Step, slots map[string]askedSlot) {
	if step.Slot == nil {
		c.fail(path+".slot", "must say what is asked for")
		return
	}
	c.asked(path+".slot", i, *step.Slot, slots)
	for j, name := range step.Also {
		if !slices.ContainsFunc(c.s.Slots(), func(s Slot) bool { return s.Name == name }) || name == step.Slot.Name {
			c.fail(at(path+".also", j), "must name a slot of another ask: %s", name)
		}
	}
}

// askedSlot is a slot and the index of the first step that asks for it.
type askedSlot struct {
	slot Slot
	step int
}

// asked checks a slot, and that it is the same wherever it is asked for.
func (c *checker) asked(path string, i int, slot Slot, slots map[string]askedSlot) {
	c.slot(path, slot)
	if first, twice := slots[slot.Name]; !twice {
		slots[slot.Name] = askedSlot{slot, i}
	} else if !sameSlot(slot, first.slot) {
		c.fail(path, "must be as in steps.%d, where %s is asked for too", first.step, slot.Name)
	}
}

func sameSlot(a, b Slot) bool {
	return a.Type == b.Type && a.Digits == b.Digits && same(a.Min, b.Min) && same(a.Max, b.Max) &&
		slices.Equal(a.Yes, b.Yes) && slices.Equal(a.No, b.No) &&
		slices.EqualFunc(a.Choices, b.Choices, func(x, y Option) bool {
			return x.Value == y.Value && x.Key == y.Key && slices.Equal(x.Phrases, y.Phrases)
		})
}

func same(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }

func (c *checker) slot(path string, s Slot) {
	if !nameForm.MatchString(s.Name) {
		c.fail(path+".name", "must be a letter or _, then up to 63 letters, digits and _")
	}
	if !slices.Contains([]SlotType{YesNo, Number, Date, Time, Choice, Text}, s.Type) {
		c.fail(path+".type", "must be one of yes_no, number, date, time, choice, text")
	}
	if s.Type == Choice {
		c.choices(path+".choices", s.Choices)
	} else if len(s.Choices) > 0 {
		c.fail(path+".choices", "are only for a choice")
	}
	c.phrases(path+".yes", s.Yes)
	c.phrases(path+".no", s.No)
	if s.Type != YesNo && len(s.Yes)+len(s.No) > 0 {
		c.fail(path, "has yes or no, which are only for a yes_no")
	}
	if s.Digits < 0 || s.Digits > 20 {
		c.fail(path+".digits", "must be from 0 to 20")
	}
	if s.Type != Number && (s.Digits != 0 || s.Min != nil || s.Max != nil) {
		c.fail(path, "has digits, min or max, which are only for a number")
	}
	if s.Min != nil && s.Max != nil && *s.Min > *s.Max {
		c.fail(path+".max", "must not be below min")
	}
}

func (c *checker) choices(path string, options []Option) {
	if len(options) == 0 || len(options) > maxChoices {
		c.fail(path, "must be 1 to %d", maxChoices)
	}
	values, phrases, keys := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, o := range options {
		item := at(path, i)
		if strings.TrimSpace(o.Value) == "" || values[o.Value] {
			c.fail(item+".value", "must not be empty, and no other option's")
		}
		c.short(item+".value", o.Value, maxName)
		values[o.Value] = true
		if len(o.Phrases) == 0 {
			c.fail(item+".phrases", "must say how people call it")
		}
		c.phrases(item+".phrases", o.Phrases)
		for j, phrase := range o.Phrases {
			if phrases[phrase] {
				c.fail(at(item+".phrases", j), "picks another option too: %s", phrase)
			}
			phrases[phrase] = true
		}
		if o.Key != "" && (len(o.Key) != 1 || !strings.Contains("0123456789*#", o.Key) || keys[o.Key]) {
			c.fail(item+".key", "must be one of 0-9 * #, and no other option's")
		}
		keys[o.Key] = true
	}
}

func (c *checker) branch(path string, step Step) {
	if len(step.Cases) == 0 || len(step.Cases) > maxCases {
		c.fail(path+".cases", "must be 1 to %d", maxCases)
	}
	for i, k := range step.Cases {
		item := at(path+".cases", i)
		if !c.names[k.Slot] {
			c.fail(item+".slot", "is neither a variable nor a slot: %s", k.Slot)
		}
		if (k.Equals == nil) == (k.IsSet == nil) {
			c.fail(item, "must have either equals or is_set")
		}
		switch k.Equals.(type) {
		case nil, bool, string, float64, int:
		default:
			c.fail(item+".equals", "must be a text, a number, true or false")
		}
		if k.Next == "" {
			c.fail(item+".next", "must name a step")
		}
		c.leads(item+".next", k.Next)
	}
}

func (c *checker) model(path string, i int, step Step, slots map[string]askedSlot) {
	if c.s.LLM == nil {
		c.fail(path+".type", "needs llm: the name of the endpoint that answers")
	}
	if len(step.Slots) > maxFinds {
		c.fail(path+".slots", "are more than %d", maxFinds)
		return
	}
	for j, slot := range step.Slots {
		c.asked(at(path+".slots", j), i, slot, slots)
	}
	if strings.TrimSpace(step.Prompt) == "" {
		c.fail(path+".prompt", "must not be empty")
	}
	c.short(path+".prompt", step.Prompt, 4*MaxText)
	c.template(path+".prompt", step.Prompt)
	c.within(path+".max_turns", step.MaxTurns, 1, maxTurns)
}
