package console

import (
	"strconv"
	"strings"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/page"
	"munadi/ui/scenarios"
)

// bindScenario binds the whole form.
func (b *formBinder) bindScenario() page.ScenarioForm {
	s := b.plan
	f := page.ScenarioForm{
		Name: bindText(b, "name", &s.Name), About: bindText(b, "description", &s.Description),
		Start:   bindChoice(b, "start", &s.Start, b.stepOptions(scenarios.EditorFirst.In(b.lang))),
		Longest: b.bindCount("max_duration_seconds", &s.MaxDurationSeconds),
		Ring:    b.bindCount("ring_seconds", &s.RingSeconds),
		Machine: bindChoice(b, "answering_machine", &s.AnsweringMachine, b.machineOptions()),
		OptOut:  bindList(b, "opt_out_phrases", &s.OptOutPhrases),
	}
	f.Attempts, f.Delays = b.bindRetry()
	f.Endpoint = b.bindEndpoint()
	f.Variables = b.bindVariables()
	for i := range s.Steps {
		step := b.bindStep(i)
		f.HasModel = f.HasModel || s.Steps[i].Type == scenario.LLMStep
		f.Steps = append(f.Steps, step)
	}
	f.Identify, f.Voicemail = b.bindLines("identify", &s.Identify), b.bindLines("voicemail", &s.Voicemail)
	b.renameSteps()
	f.Faults = b.faults.takeRest("")
	return f
}

// bindRetry binds the attempts and the minutes between them; without attempts there is no retry plan.
func (b *formBinder) bindRetry() (attempts, delays page.FormField) {
	plan := call.RetryPlan{}
	if b.plan.Retry != nil {
		plan = *b.plan.Retry
	}
	attempts = b.bindCount("retry.max_attempts", &plan.MaxAttempts)
	shown := formatDelays(plan.DelayMinutes)
	if typed, ok := b.typedValue("retry.delay_minutes"); ok && typed != shown {
		if minutes, ok := parseDelays(typed); ok {
			plan.DelayMinutes = minutes
		} else {
			b.badNumbers["retry.delay_minutes"] = true
		}
	}
	if b.given != nil && (b.plan.Retry != nil || plan.MaxAttempts != 0 || len(plan.DelayMinutes) > 0) {
		b.plan.Retry = &plan
	}
	delays = b.newField("retry.delay_minutes", formatDelays(plan.DelayMinutes))
	for i := range plan.DelayMinutes {
		delays.Fault = strings.TrimSpace(delays.Fault + " " + b.faults.takeAt(scenario.IndexPath("retry.delay_minutes", i)))
	}
	return attempts, delays
}

// bindEndpoint binds the name of the language model's endpoint.
func (b *formBinder) bindEndpoint() page.FormField {
	model := scenario.ModelEndpoint{}
	if b.plan.LLM != nil {
		model = *b.plan.LLM
	}
	f := bindText(b, "llm.endpoint", &model.Endpoint)
	if b.given != nil && (b.plan.LLM != nil || model.Endpoint != "") {
		b.plan.LLM = &model
	}
	return f
}

// bindVariables binds the variables of bookings, and an empty one to be added. Variables without a name are removed.
func (b *formBinder) bindVariables() (out []page.FormVariable) {
	all := append(b.plan.Variables[:len(b.plan.Variables):len(b.plan.Variables)], scenario.ScenarioVariable{})
	var kept []scenario.ScenarioVariable
	for i := range all {
		v, at := &all[i], scenario.IndexPath("variables", i)
		_, shown := b.typedValue(at + ".name")
		one := page.FormVariable{
			Name: bindText(b, at+".name", &v.Name), Label: b.bindLabel(at+".label", &v.Label),
			Type:     bindChoice(b, at+".type", &v.Type, b.variableTypes()),
			Required: b.bindCheck(at+".required", &v.Required, shown), Default: bindText(b, at+".default", &v.Default),
			Choices: bindList(b, at+".choices", &v.Choices), About: bindText(b, at+".description", &v.Description),
		}
		if v.Name != "" || i < len(all)-1 && !shown {
			kept = append(kept, *v)
		}
		out = append(out, one)
	}
	if b.given != nil {
		b.plan.Variables = kept
	}
	return out
}

func (b *formBinder) variableTypes() []page.ListChoice {
	return []page.ListChoice{
		{Value: "", Name: scenarios.EditorAnyType.In(b.lang)},
		{Value: string(scenario.TextVariable), Name: scenarios.EditorVariableText.In(b.lang)},
		{Value: string(scenario.DateVariable), Name: scenarios.Date.In(b.lang)},
		{Value: string(scenario.TimeVariable), Name: scenarios.Time.In(b.lang)},
		{Value: string(scenario.NumberVariable), Name: scenarios.Number.In(b.lang)},
		{Value: string(scenario.PhoneVariable), Name: scenarios.EditorPhone.In(b.lang)},
		{Value: string(scenario.ChoiceVariable), Name: scenarios.Choice.In(b.lang)},
	}
}

func (b *formBinder) machineOptions() []page.ListChoice {
	options := []page.ListChoice{{Value: "", Name: scenarios.MachineHangUp.In(b.lang)}}
	for _, policy := range []scenario.MachinePolicy{scenario.MachineHangUp, scenario.MachineDetect, scenario.MachineOff} {
		if policy != scenario.MachineHangUp || b.plan.AnsweringMachine == policy {
			options = append(
				options, page.ListChoice{Value: string(policy), Name: scenarios.MachineName(b.lang, string(policy))},
			)
		}
	}
	return options
}

// stepOptions returns the steps as a list, after the empty choice.
func (b *formBinder) stepOptions(empty string) []page.ListChoice {
	options := []page.ListChoice{{Value: "", Name: empty}}
	for i, step := range b.plan.Steps {
		options = append(options, page.ListChoice{
			Value: step.ID, Name: strconv.Itoa(i+1) + ". " + labelText(b.lang, step.Label, step.ID),
		})
	}
	return options
}
