package scenario

import (
	"slices"
	"strings"

	"munadi/store/callrules"
)

// allSteps validates each step, then the transitions between them.
func (c *scenarioChecker) allSteps() {
	switch n := len(c.s.Steps); {
	case n == 0:
		c.addFailure("steps", "must not be empty")
		return
	case n > MaxSteps:
		c.addFailure("steps", "must have at most %d entries", MaxSteps)
		return
	}
	c.checkLines("identify", c.s.Identify)
	c.checkLines("voicemail", c.s.Voicemail)
	c.checkQuestions()
	for i, step := range c.s.Steps {
		path := IndexPath("steps", i)
		if !stepForm.MatchString(step.ID) {
			c.addFailure(path+".id", "must have 1 to 64 letters, digits and _ . -")
		} else if first, twice := c.steps[step.ID]; twice {
			c.addFailure(path+".id", "is also the id of steps.%d: %s", first, step.ID)
		} else {
			c.steps[step.ID] = i
		}
	}
	before := len(c.found)
	if c.s.Start != "" {
		c.checkNextStep("start", c.s.Start)
	}
	slots := map[string]askedSlot{}
	for i, step := range c.s.Steps {
		c.checkStep(IndexPath("steps", i), i, step, slots)
	}
	if len(c.found) == before { // transitions are only checked between valid steps
		c.checkGraph()
	}
}

// checkNextStep requires the id of a step; empty means the next one.
func (c *scenarioChecker) checkNextStep(field, id string) {
	if _, ok := c.steps[id]; id != "" && !ok {
		c.addFailure(field, "is not the id of a step: %s", id)
	}
}

func (c *scenarioChecker) checkStep(path string, i int, step FlowStep, slots map[string]askedSlot) {
	c.checkLabel(path+".label", step.Label)
	c.checkNextStep(path+".next", step.Next)
	c.checkNextStep(path+".on_failure", step.OnFailure)
	for _, list := range step.LineLists() {
		c.checkLines(path+"."+list.Field, *list.Lines)
	}
	c.checkRange(path+".timeout_seconds", step.TimeoutSeconds, 1, maxTimeout)
	if p := step.Patience; p != nil && !(*p >= minPatience && *p <= maxPatience) {
		c.addFailure(path+".patience", "must be from %g to %g", minPatience, maxPatience)
	}
	if n := step.MaxReasks; n != nil && (*n < 0 || *n > maxReasks) {
		c.addFailure(path+".max_reasks", "must be from 0 to %d", maxReasks)
	}
	c.checkRange(path+".max_wrong", step.MaxWrong, 1, maxWrong)
	c.checkForeignFields(path, step)
	switch step.Type {
	case Say:
		c.checkSpoken(path, step)
	case Ask:
		c.checkSpoken(path, step)
		c.checkAsk(path, i, step, slots)
	case Branch:
		c.checkBranch(path, step)
	case Transfer:
		c.checkTransfer(path, step)
	case LLMStep:
		c.checkModelStep(path, i, step, slots)
	case Fetch:
		c.checkFetch(path, i, step, slots)
	case End:
	default:
		c.addFailure(path+".type", "must be one of %s", joinStepTypes())
	}
}

// joinStepTypes lists the types of steps for an error.
func joinStepTypes() string {
	var names []string
	for _, kind := range AllStepTypes() {
		names = append(names, string(kind))
	}
	return strings.Join(names, ", ")
}

// checkTarget checks where a transfer leads. One with a template is parsed once it is rendered.
func (c *scenarioChecker) checkTarget(field, to string) {
	if !IsFixed(to) {
		c.checkLength(field, to, maxName)
		for _, p := range c.checkTemplate(field, to) {
			if err := callrules.CheckTransferPart(p.Literal); err != nil {
				c.addFailure(field, "%s", err)
			}
			if p.Filter != "" {
				c.addFailure(field, "{{%s|%s}}: filters are only for spoken texts", p.Name, p.Filter)
			}
		}
		return
	}
	if _, err := callrules.ParseTransfer(to); err != nil {
		c.addFailure(field, "%s", err)
	}
}

// checkForeignFields finds fields that have no effect in a step of its type: a mistake that would otherwise go
// unnoticed.
func (c *scenarioChecker) checkForeignFields(path string, step FlowStep) {
	check := func(field string, isSet bool, types []StepType) {
		if isSet && !slices.Contains(types, step.Type) && slices.Contains(AllStepTypes(), step.Type) {
			c.addFailure(path+"."+field, "has no effect in a step of type %s", step.Type)
		}
	}
	for _, list := range step.LineLists() {
		check(list.Field, len(*list.Lines) > 0, list.Types)
	}
	for _, f := range []struct {
		name  string
		set   bool
		types []StepType
	}{
		{"slot", step.Slot != nil, []StepType{Ask}},
		{"max_reasks", step.MaxReasks != nil, []StepType{Ask}},
		{"confirm", step.Confirm, []StepType{Ask}},
		{"max_wrong", step.MaxWrong != 0, []StepType{Ask}},
		{"also", len(step.Also) > 0, []StepType{Ask}},
		{"no_barge_in", step.NoBargeIn, []StepType{Ask, LLMStep}},
		{"patience", step.Patience != nil, []StepType{Ask, LLMStep}},
		{"timeout_seconds", step.TimeoutSeconds != 0, []StepType{Ask, LLMStep}},
		{"on_failure", step.OnFailure != "", []StepType{Ask, Transfer, LLMStep, Fetch}},
		{"cases", len(step.Cases) > 0, []StepType{Branch}},
		{"to", step.To != "", []StepType{Transfer}},
		{"targets", len(step.Targets) > 0, []StepType{Transfer}},
		{"mode", step.Mode != "", []StepType{Transfer}},
		{"order", step.Order != "", []StepType{Transfer}},
		{"keys", step.Keys != "", []StepType{Transfer}},
		{"needs_person", step.NeedsPerson, []StepType{End}},
		{"prompt", step.Prompt != "", []StepType{LLMStep}},
		{"tool", step.Tool != "", []StepType{Fetch}},
		{"send", len(step.Send) > 0, []StepType{Fetch}},
		{"slots", len(step.Slots) > 0, []StepType{LLMStep, Fetch}},
		{"max_turns", step.MaxTurns != 0, []StepType{LLMStep}},
		{"tools", len(step.Tools) > 0, []StepType{LLMStep}},
		{"next", step.Next != "", []StepType{Say, Ask, Branch, Transfer, LLMStep, Fetch}},
	} {
		check(f.name, f.set, f.types)
	}
}

func (c *scenarioChecker) checkSpoken(path string, step FlowStep) {
	if len(step.Say) == 0 {
		c.addFailure(path+".say", "must have at least one line")
	}
}

func (c *scenarioChecker) checkLines(field string, lines SpokenLines) {
	if len(lines) > maxLines {
		c.addFailure(field, "must have at most %d lines", maxLines)
	}
	for i, line := range lines {
		path := field
		if len(lines) > 1 {
			path = IndexPath(field, i)
		}
		if strings.TrimSpace(line.Text) == "" {
			c.addFailure(path, "must not be empty")
		}
		c.checkLength(path, line.Text, MaxText)
		c.checkTemplate(path, line.Text)
	}
}

// checkQuestions validates what people ask in between.
func (c *scenarioChecker) checkQuestions() {
	if len(c.s.Questions) > maxQuestions {
		c.addFailure("questions", "must have at most %d entries", maxQuestions)
	}
	for i, q := range c.s.Questions {
		path := IndexPath("questions", i)
		if len(q.Phrases) == 0 {
			c.addFailure(path+".phrases", "must not be empty")
		}
		if len(q.Say) == 0 {
			c.addFailure(path+".say", "must not be empty")
		}
		c.checkPhrases(path+".phrases", q.Phrases)
		c.checkLines(path+".say", q.Say)
	}
}

func (c *scenarioChecker) checkBranch(path string, step FlowStep) {
	if len(step.Cases) == 0 || len(step.Cases) > maxCases {
		c.addFailure(path+".cases", "must be 1 to %d", maxCases)
	}
	for i, k := range step.Cases {
		item := IndexPath(path+".cases", i)
		if !c.names[k.Slot] {
			c.addFailure(item+".slot", "is neither a variable nor a slot: %s", k.Slot)
		}
		if (k.Equals == nil) == (k.IsSet == nil) {
			c.addFailure(item, "must have either equals or is_set")
		}
		switch k.Equals.(type) {
		case nil, bool, string, float64, int:
		default:
			c.addFailure(item+".equals", "must be a text, a number, true or false")
		}
		if k.Next == "" {
			c.addFailure(item+".next", "must name a step")
		}
		c.checkNextStep(item+".next", k.Next)
	}
}

func (c *scenarioChecker) checkModelStep(path string, i int, step FlowStep, slots map[string]askedSlot) {
	if c.s.LLM == nil {
		c.addFailure(path+".type", "needs llm: the name of the endpoint that answers")
	}
	c.checkFilled(path+".slots", i, step, slots)
	if strings.TrimSpace(step.Prompt) == "" {
		c.addFailure(path+".prompt", "must not be empty")
	}
	c.checkLength(path+".prompt", step.Prompt, 4*MaxText)
	c.checkTemplate(path+".prompt", step.Prompt)
	c.checkRange(path+".max_turns", step.MaxTurns, 1, maxTurns)
	c.checkModelTools(path+".tools", step.Tools)
}

// checkModelTools checks the tools that a model may call.
func (c *scenarioChecker) checkModelTools(path string, tools []ModelTool) {
	if len(tools) > maxTools {
		c.addFailure(path, "must have at most %d entries", maxTools)
		return
	}
	names := map[string]bool{}
	for i, t := range tools {
		item := IndexPath(path, i)
		c.checkToolName(item+".tool", t.Tool)
		if names[t.FunctionName()] {
			c.addFailure(item+".tool", "is there twice: %s", t.Tool)
		}
		names[t.FunctionName()] = true
		if strings.TrimSpace(t.Description) == "" {
			c.addFailure(item+".description", "must tell the model what the tool knows and when to ask it")
		}
		c.checkLength(item+".description", t.Description, MaxText)
		c.checkSent(item+".send", t.Send)
	}
}

func (c *scenarioChecker) checkToolName(field, name string) {
	if name == "" {
		c.addFailure(field, "must be the name of a tool that the operator has set in tools")
	}
	c.checkLength(field, name, maxName)
}

// checkSent checks the names of values that a tool gets.
func (c *scenarioChecker) checkSent(path string, names []string) {
	if len(names) > maxFinds {
		c.addFailure(path, "must have at most %d entries", maxFinds)
	}
	for j, name := range names {
		if !c.names[name] {
			c.addFailure(IndexPath(path, j), "is neither a variable nor a slot: %s", name)
		}
	}
}

// checkFilled checks the slots that a step fills by itself.
func (c *scenarioChecker) checkFilled(path string, i int, step FlowStep, slots map[string]askedSlot) {
	if len(step.Slots) > maxFinds {
		c.addFailure(path, "must have at most %d entries", maxFinds)
		return
	}
	for j, slot := range step.Slots {
		c.checkAskedSlot(IndexPath(path, j), i, slot, slots)
	}
}

func (c *scenarioChecker) checkFetch(path string, i int, step FlowStep, slots map[string]askedSlot) {
	c.checkToolName(path+".tool", step.Tool)
	c.checkFilled(path+".slots", i, step, slots)
	if len(step.Slots) == 0 {
		c.addFailure(path+".slots", "must name at least one value of the answer")
	}
	c.checkSent(path+".send", step.Send)
}
