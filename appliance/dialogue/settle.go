package dialogue

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialogue/amd"
	"munadi/store/call"
	"munadi/store/scenario"
)

// settle says what came of the conversation that ended with err.
func (s *session) settle(ctx context.Context, err error) (Outcome, error) {
	status, reason, err := s.status(err)
	o := Outcome{Suppress: s.suppress}
	o.Status, o.Errors, o.Machine = status, s.troubles, s.machine()
	if reason != "" {
		o.Failure = &call.Failure{Reason: reason}
	}
	duration := int(s.now / time.Second)
	o.Duration = &duration
	slices.SortStableFunc(s.messages, func(a, b call.Message) int { return cmp.Compare(a.Start, b.Start) })
	o.Messages = s.messages
	if status == call.Completed || status == "" {
		o.Report = s.report(ctx)
		o.ResponseBody = s.responseBody()
		o.Errors = s.troubles
	}
	return o, err
}

// status turns the reason for the end into an outcome. What it returns as an error is the caller's to judge.
func (s *session) status(err error) (call.Status, call.Reason, error) {
	var broken *carrier.Refusal
	switch {
	case err == nil, errors.Is(err, errMoved):
		return call.Completed, "", nil
	case errors.Is(err, errMachine):
		status, reason := machineEnd(s.detector.Decision().Verdict)
		return status, reason, nil
	case errors.Is(err, errGone):
		return s.gone()
	case errors.Is(err, errTooLong):
		s.trouble("max_duration", "The call was ended at its longest duration.")
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
		return call.Failed, call.CarrierFailure, err
	}
	return call.Failed, call.InternalFail, err
}

// gone judges a hang-up of the other side. A word or a key makes it a conversation; where nothing is asked, so does
// having heard the first step to its end.
func (s *session) gone() (call.Status, call.Reason, error) {
	policy := s.Scenario.Machine()
	if s.detector != nil && policy == scenario.MachineHangUp && s.detector.Decision().Verdict.Machine() {
		status, reason := machineEnd(s.detector.Decision().Verdict)
		return status, reason, nil
	}
	if !s.spoke && (s.asks() || !s.turnOne) {
		return call.UserRejected, call.HungUpEarly, nil
	}
	s.trouble("hung_up", "The person hung up before the conversation was over.")
	return call.Completed, "", nil
}

func (s *session) asks() bool {
	return slices.ContainsFunc(s.Scenario.Steps, func(step scenario.Step) bool { return step.Type == scenario.Ask })
}

func machineEnd(v amd.Verdict) (call.Status, call.Reason) {
	switch v {
	case amd.Announcement:
		return call.UserUnavailable, call.Announcement
	case amd.IVR:
		return call.Automation, call.IVR
	case amd.Fax:
		return call.Automation, call.Fax
	}
	return call.Automation, call.Voicemail
}

func (s *session) machine() *call.Machine {
	if s.detector == nil {
		return nil
	}
	d := s.detector.Decision()
	return &call.Machine{Verdict: string(d.Verdict), Cause: d.Cause, At: d.At.Seconds()}
}

// report is what was found out. It follows the scenario's schema: what breaks it is left unknown, and said.
func (s *session) report(ctx context.Context) json.RawMessage {
	report, err := s.Scenario.ReportOf(s.value)
	schema, bad := scenario.CompileSchema(scenario.SchemaOf(s.Scenario))
	if err != nil || bad != nil {
		s.trouble("report_invalid", "The scenario's report can't be made.")
		return json.RawMessage("{}")
	}
	properties, err := schema.Validate(ctx, report)
	if err == nil {
		return report
	}
	s.trouble("report_invalid", "The report does not follow its schema; left out: %v", properties)
	empty, err := s.Scenario.ReportOf(scenario.Unknown)
	if err != nil {
		return json.RawMessage("{}")
	}
	mended := without(report, empty, properties)
	if _, err := schema.Validate(ctx, mended); err != nil {
		return empty
	}
	return mended
}

// without is a report with some properties as in an empty one.
func without(report, empty json.RawMessage, properties []string) json.RawMessage {
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(full) != nil {
		return empty
	}
	return bytes.TrimSpace(b.Bytes())
}

func (s *session) responseBody() json.RawMessage {
	if len(s.Scenario.ResponseBody) == 0 {
		return nil
	}
	body, err := scenario.Fill(s.Scenario.ResponseBody, s.value)
	if err != nil {
		s.trouble("response_invalid", "The scenario's response_body can't be filled in.")
		return nil
	}
	return body
}
