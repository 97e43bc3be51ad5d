package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation/amd"
	"munadi/store/call"
	"munadi/store/jsontext"
	"munadi/store/scenario"
)

// settleOutcome returns the outcome of the conversation that ended with err.
func (s *conversationSession) settleOutcome(ctx context.Context, err error) (ConversationOutcome, error) {
	status, reason, err := s.outcomeStatus(err)
	o := ConversationOutcome{Suppress: s.suppress, Unrecognized: s.unrecognized}
	o.CallBack = s.callBack && !s.suppress
	o.Status, o.Errors, o.Machine = status, s.troubles, s.machineVerdict()
	if reason != "" {
		o.Failure = &call.CallFailure{Reason: reason}
	}
	duration := int((s.now + s.heldTime) / time.Second)
	o.Duration = &duration
	s.endHold()
	o.Holds = s.callHolds
	o.Messages, o.Decisions, o.Transfers = s.transcript(), s.decisions, s.transfers
	if status == call.Completed {
		o.Need = s.findNeed()
	}
	if status == call.Completed || status == "" {
		o.Report, o.Unasked = s.buildReport(ctx), s.unaskedProperties()
		o.ResponseBody = s.responseBody()
		o.Errors = s.troubles
	}
	return o, err
}

// findNeed returns why staff must follow the call up; empty if they need not. A call that was transferred
// needs none.
func (s *conversationSession) findNeed() call.NeedReason {
	has := func(codes ...string) bool {
		return slices.ContainsFunc(s.troubles, func(one call.CallError) bool { return slices.Contains(codes, one.Code) })
	}
	switch {
	case s.transferred || s.suppress:
		return ""
	case has("transfer_failed", "transfer_refused"):
		return call.NeedTransfer
	case has("agent_requested"):
		return call.NeedAsked
	case s.followUpAtEnd:
		return call.NeedScenario
	case s.answerMissed && !s.callBack:
		return call.NeedNotUnderstood
	}
	return ""
}

// outcomeStatus turns the reason for the end into an outcome. The caller handles the returned error.
func (s *conversationSession) outcomeStatus(err error) (call.CallStatus, call.FailureReason, error) {
	var broken *carrier.DialError
	switch {
	case err == nil, errors.Is(err, errMoved):
		return call.Completed, "", nil
	case errors.Is(err, errMachine):
		status, reason := machineEnd(s.detector.Decision().Verdict)
		return status, reason, nil
	case errors.Is(err, errRemoteHungUp):
		return s.judgeHangup()
	case errors.Is(err, errTooLong):
		s.addError("max_duration", "The call was ended at its longest duration.")
		return call.Completed, "", nil
	case errors.Is(err, errHeldTooLong):
		s.addError("hold_limit", "The call was ended because it was on hold for too long.")
		return call.Completed, "", nil
	case errors.Is(err, errOperator):
		return call.Failed, call.Operator, nil
	case errors.Is(err, errNoVoice):
		return call.Failed, call.NoVoice, nil
	case errors.Is(err, carrier.ErrHungUp):
		return "", "", err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return call.Failed, call.Interrupted, err
	case errors.As(err, &broken):
		return call.Failed, carrier.ClassifyBrokenLine(broken).Reason, err
	}
	return call.Failed, call.InternalFail, err
}

// judgeHangup classifies a hang-up of the other side. A word or a key makes it a conversation; in a scenario without
// questions, so does hearing the first step to its end.
func (s *conversationSession) judgeHangup() (call.CallStatus, call.FailureReason, error) {
	if s.isMachineToEnd() {
		status, reason := machineEnd(s.detector.Decision().Verdict)
		return status, reason, nil
	}
	if !s.personReacted && (s.hasQuestions() || !s.firstStepHeard) {
		return call.UserRejected, call.HungUpEarly, nil
	}
	s.addError("hung_up", "The person hung up before the conversation was over.")
	return call.Completed, "", nil
}

func (s *conversationSession) hasQuestions() bool {
	return slices.ContainsFunc(s.Scenario.Steps, func(step scenario.FlowStep) bool { return step.Type == scenario.Ask })
}

func machineEnd(v amd.AnswerVerdict) (call.CallStatus, call.FailureReason) {
	switch v {
	case amd.Announcement:
		return call.UserUnavailable, call.Announcement
	case amd.IVR:
		return call.Automation, call.IVR
	case amd.Fax:
		return call.Automation, call.Fax
	case amd.BusyTone:
		return call.Automation, call.BusyTone
	case amd.CongestionTone:
		return call.Automation, call.CongestionTone
	case amd.InformationTone:
		return call.Automation, call.InformationTone
	case amd.RingingTone:
		return call.Automation, call.RingingTone
	case amd.Music:
		return call.Automation, call.Music
	}
	return call.Automation, call.Voicemail
}

func (s *conversationSession) machineVerdict() *call.MachineVerdict {
	if s.detector == nil {
		return nil
	}
	d := s.detector.Decision()
	return &call.MachineVerdict{Verdict: string(d.Verdict), Cause: d.Cause, At: s.lineAt(d.At).Seconds()}
}

// unaskedProperties returns the properties of the report whose question was not asked and not answered by the way.
func (s *conversationSession) unaskedProperties() (names []string) {
	for _, property := range s.Scenario.ReportProperties() {
		filled, ok := s.Scenario.ReportSlot(property)
		if _, known := s.found[filled.Name]; ok && !known && !s.wasAsked[filled.Name] {
			names = append(names, property)
		}
	}
	return names
}

// buildReport builds the report. Properties that violate the scenario's schema are left unknown, with an error entry.
func (s *conversationSession) buildReport(ctx context.Context) json.RawMessage {
	report, err := s.Scenario.ReportOf(s.slotValue)
	schema, bad := scenario.CompileSchema(scenario.SchemaOf(s.Scenario))
	if err != nil || bad != nil {
		s.addError("report_invalid", "The scenario's report can't be made.")
		return json.RawMessage("{}")
	}
	properties, err := schema.ValidateReport(ctx, report)
	if err == nil {
		return report
	}
	s.addError("report_invalid", "The report does not follow its schema; left out: %v", properties)
	empty, err := s.Scenario.ReportOf(scenario.UnknownValues)
	if err != nil {
		return json.RawMessage("{}")
	}
	mended := resetProperties(report, empty, properties)
	if _, err := schema.ValidateReport(ctx, mended); err != nil {
		return empty
	}
	return mended
}

// resetProperties is a report with some properties as in an empty one.
func resetProperties(report, empty json.RawMessage, properties []string) json.RawMessage {
	var full, blank map[string]json.RawMessage
	if json.Unmarshal(report, &full) != nil || json.Unmarshal(empty, &blank) != nil {
		return empty
	}
	for _, name := range properties {
		full[name] = blank[name]
		if blank[name] == nil {
			delete(full, name)
		}
	}
	text, err := jsontext.MarshalUnescaped(full)
	if err != nil {
		return empty
	}
	return text
}

func (s *conversationSession) responseBody() json.RawMessage {
	if len(s.Scenario.ResponseBody) == 0 {
		return nil
	}
	body, err := scenario.FillTemplates(s.Scenario.ResponseBody, s.slotValue)
	if err != nil {
		s.addError("response_invalid", "The scenario's response_body can't be filled in.")
		return nil
	}
	return body
}
