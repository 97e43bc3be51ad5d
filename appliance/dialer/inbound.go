package dialer

import (
	"context"

	"munadi/appliance/carrier"
	"munadi/store/call"
	"munadi/store/scenario"
)

// readScenario reads the call's scenario, in the version that it was booked with. An inbound call that follows up an
// outbound one has the version of that.
func (a *dialAttempt) readScenario(ctx context.Context) (scenario.Scenario, error) {
	if a.given != nil {
		return *a.given, nil
	}
	if a.call.IsCallBack() {
		return callBackScenario(), nil
	}
	return a.Scenarios.ScenarioVersion(ctx, a.call.OrgID, a.call.ScenarioID, a.call.ScenarioVersion)
}

// spokenScenario is the scenario of the conversation. Whoever calls in is no answering machine; outside calling hours
// they hear one line, and are asked nothing.
func (a *dialAttempt) spokenScenario() scenario.Scenario {
	spoken := a.scenario
	if a.incoming == nil {
		return spoken
	}
	spoken.AnsweringMachine = scenario.MachineOff
	if a.closed == "" {
		return spoken
	}
	spoken.Start, spoken.LLM, spoken.ResponseBody, spoken.Report = "", nil, nil, scenario.ReportPlan{}
	spoken.Steps = []scenario.FlowStep{
		{ID: "closed", Type: scenario.Say, Say: scenario.SpokenLines{{Text: a.closed}}},
		{ID: "end", Type: scenario.End},
	}
	return spoken
}

// noteClosed completes the outcome of a call outside calling hours: the report of its scenario without any answer, and
// an error entry that says why.
func (a *dialAttempt) noteClosed(o *call.CallOutcome) {
	if a.closed == "" {
		return
	}
	o.Report, o.Unasked = nil, nil
	if report, err := a.scenario.ReportOf(scenario.UnknownValues); err == nil && o.Status == call.Completed {
		o.Report, o.Unasked = report, a.scenario.ReportProperties()
	}
	o.Errors = append(o.Errors, call.CallError{
		Code:    call.ClosedHours,
		Message: "The call came outside calling hours: the closed line was spoken, and nothing was asked.",
	})
}

// triedLine is the line of a trial: it rings at a browser that has it open already.
type triedLine struct{ carrier.Line }

// Caller implements [carrier.IncomingCall].
func (triedLine) Caller() string { return "" }

// Called implements [carrier.IncomingCall].
func (triedLine) Called() []string { return nil }

// Ring implements [carrier.IncomingCall].
func (triedLine) Ring() {}

// Answer implements [carrier.IncomingCall].
func (l triedLine) Answer(context.Context) (carrier.Line, error) { return l.Line, nil }

// Refuse implements [carrier.IncomingCall].
func (triedLine) Refuse(carrier.Refusal) {}
