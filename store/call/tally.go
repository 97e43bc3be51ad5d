package call

import (
	"encoding/json"
	"maps"
	"strings"
	"time"
)

// TallyStep is the range of dial times that one [CallTally] covers: midnight begins one in every time zone.
const TallyStep = 15 * time.Minute

// Bounds of the answers that are counted and that lists can be filtered by.
const (
	maxAnswerSize   = 64 // bytes of a value
	MaxTallyAnswers = 50 // different values of a slot in one tally; any others are counted together as [OtherAnswers]

	// OtherAnswers stands for values of a slot that are counted together.
	OtherAnswers = "…"
)

// CallTally counts an organization's calls of one scenario whose dial time lies in [At, At+TallyStep).
type CallTally struct {
	At         time.Time                 `json:"-"` // zero: of all time
	ScenarioID string                    `json:"-"`
	Counts     map[CallStatus]int        `json:"counts"`
	ByOperator map[CallStatus]int        `json:"by_operator,omitempty"` // of Counts, those that a user ended
	Answers    map[string]map[string]int `json:"answers,omitempty"`     // by slot and value, see [ReportAnswers]
	// Dialled counts those of Counts that were dialled, by the step in which they were, in Unix seconds. It is empty in
	// tallies of all time, and lacks calls that an older version counted.
	Dialled map[int64]map[CallStatus]int `json:"dialled,omitempty"`
	// Callers counts those of Counts that ended, by the number that they showed, and once more as [Answered] those that
	// were answered. It is empty in tallies of all time, and lacks calls that an older version ended.
	Callers map[string]map[CallStatus]int `json:"callers,omitempty"`
	// Inbound counts those of Counts that people made to the organization and that ended, by status like one step of
	// Dialled. It lacks calls that an older version ended.
	Inbound map[CallStatus]int `json:"inbound,omitempty"`
	// InboundAnswers counts those of Answers that the calls of Inbound gave, yes and no alone. It lacks calls that an
	// older version ended.
	InboundAnswers map[string]map[string]int `json:"inbound_answers,omitempty"`
}

// Answered counts the calls of a caller number that somebody or a machine answered, in [CallTally.Callers].
const Answered CallStatus = "answered"

// CallerStatuses returns the number that an ended call showed to the person, and under what it counts there; empty
// without one.
func CallerStatuses(c Call) (number string, statuses []CallStatus) {
	if c.ShownNumber == "" || !c.Status.IsFinal() || c.Way() == Inbound {
		return "", nil
	}
	statuses = []CallStatus{c.Status}
	if c.StartedAt != nil {
		statuses = append(statuses, Answered)
	}
	return c.ShownNumber, statuses
}

// CountCaller adds n calls of a status to those that showed a number.
func (t *CallTally) CountCaller(number string, status CallStatus, n int) {
	counts := t.Callers[number]
	addCount(&counts, status, n)
	switch {
	case len(counts) == 0:
		delete(t.Callers, number)
	case t.Callers == nil:
		t.Callers = map[string]map[CallStatus]int{number: counts}
	default:
		t.Callers[number] = counts
	}
}

// CountStatus adds n calls of a status.
func (t *CallTally) CountStatus(status CallStatus, n int) { addCount(&t.Counts, status, n) }

// operatorMark is before the status of a dialled call that a user ended, in [CallTally.Dialled].
const operatorMark = "operator:"

// DialledStep returns the step in which a call was dialled, in Unix seconds, and the statuses under which it counts
// there: none if it was not dialled, or came in.
func DialledStep(c Call) (step int64, statuses []CallStatus) {
	if c.ReleasedAt == nil || c.Status == Scheduled || c.Way() == Inbound {
		return 0, nil
	}
	return c.ReleasedAt.Truncate(TallyStep).Unix(), markedStatuses(c)
}

// InboundStatuses returns the statuses under which an ended call counts in [CallTally.Inbound]; none if it was dialled.
func InboundStatuses(c Call) []CallStatus {
	if c.Way() != Inbound || !c.Status.IsFinal() {
		return nil
	}
	return markedStatuses(c)
}

// YesNoOfInbound returns by slot what an ended call that came in counts in [CallTally.InboundAnswers]:
// "true" or "false".
func YesNoOfInbound(c Call) map[string]string {
	if c.Way() != Inbound || !c.Status.IsFinal() {
		return nil
	}
	answers := ReportAnswers(c.CountedReport())
	maps.DeleteFunc(answers, func(_, value string) bool { return value != "true" && value != "false" })
	return answers
}

// markedStatuses returns a call's status, and once more with the mark where a user ended it.
func markedStatuses(c Call) []CallStatus {
	if c.EndedBy == ByOperator {
		return []CallStatus{c.Status, operatorMark + c.Status}
	}
	return []CallStatus{c.Status}
}

// visitMarked calls visit with counts by marked status.
func visitMarked(counts map[CallStatus]int, visit func(status CallStatus, n, byOperator int)) {
	for status, n := range counts {
		if ended, is := strings.CutPrefix(string(status), operatorMark); is {
			visit(CallStatus(ended), 0, n)
		} else {
			visit(status, n, 0)
		}
	}
}

// VisitHours calls visit with counts of the tally's calls by the hour of the day in which they were dialled. Calls that
// wait, were cancelled, or were counted by a version that did not note it are in the hour that they were booked for. An
// hour's counts come in several parts, of which later ones may be negative.
func (t *CallTally) VisitHours(zone *time.Location, visit func(hour int, status CallStatus, n, byOperator int)) {
	booked := t.At.In(zone).Hour()
	for status, n := range t.Counts {
		visit(booked, status, n, t.ByOperator[status])
	}
	for step := range t.Dialled {
		hour := time.Unix(step, 0).In(zone).Hour()
		if hour == booked {
			continue
		}
		visitMarked(t.Dialled[step], func(status CallStatus, n, byOperator int) {
			visit(hour, status, n, byOperator)
			visit(booked, status, -n, -byOperator)
		})
	}
}

// StateAt returns the counts of the tally's calls as they were at a time: those that were dialled later still waited.
// whole is false if there are any, so that the tally's answers are later ones, too.
func (t *CallTally) StateAt(at time.Time) (then CallTally, whole bool) {
	then.MergeTally(CallTally{Counts: t.Counts, ByOperator: t.ByOperator})
	whole = true
	for step := range t.Dialled {
		if time.Unix(step, 0).Before(at) {
			continue
		}
		whole = false
		visitMarked(t.Dialled[step], func(status CallStatus, n, byOperator int) {
			addCount(&then.Counts, status, -n)
			addCount(&then.Counts, Scheduled, n)
			addCount(&then.ByOperator, status, -byOperator)
		})
	}
	return then, whole
}

// SplitInbound returns the tally without the ended calls that people made to the organization, and these: their Counts,
// and of their Answers yes and no. Dialled stays as it is.
func (t *CallTally) SplitInbound() (outbound, inbound CallTally) {
	outbound, inbound = *t, CallTally{At: t.At, ScenarioID: t.ScenarioID}
	if len(t.Inbound) == 0 {
		return outbound, inbound
	}
	outbound.Inbound, outbound.InboundAnswers, outbound.Answers = nil, nil, map[string]map[string]int{}
	outbound.Counts, outbound.ByOperator = maps.Clone(t.Counts), maps.Clone(t.ByOperator)
	visitMarked(t.Inbound, func(status CallStatus, n, byOperator int) {
		inbound.CountStatus(status, n)
		addCount(&outbound.Counts, status, -n)
		addCount(&outbound.ByOperator, status, -byOperator)
	})
	inbound.Answers = t.InboundAnswers
	for slot, values := range t.Answers {
		rest := maps.Clone(values)
		for value, n := range t.InboundAnswers[slot] {
			addCount(&rest, value, -n)
		}
		outbound.Answers[slot] = rest
	}
	return outbound, inbound
}

// AddDialled adds n calls of a status to those dialled in a step.
func (t *CallTally) AddDialled(step int64, status CallStatus, n int) {
	counts := t.Dialled[step]
	addCount(&counts, status, n)
	switch {
	case len(counts) == 0:
		delete(t.Dialled, step)
	case t.Dialled == nil:
		t.Dialled = map[int64]map[CallStatus]int{step: counts}
	default:
		t.Dialled[step] = counts
	}
}

// CountOperator adds n calls of a status that a user ended.
func (t *CallTally) CountOperator(status CallStatus, n int) { addCount(&t.ByOperator, status, n) }

// CountInbound adds n calls of a status, perhaps marked, that came in.
func (t *CallTally) CountInbound(status CallStatus, n int) { addCount(&t.Inbound, status, n) }

// CountAnswer adds n calls with an answer. Of a slot with most values or more, further ones are counted together.
func (t *CallTally) CountAnswer(slot, value string, n, most int) {
	values := t.Answers[slot]
	if _, known := values[value]; !known && (len(values) >= most || n < 0) {
		value = OtherAnswers
	}
	addAnswer(&t.Answers, slot, value, n)
}

// CountInboundAnswer adds n calls that came in with an answer; see [YesNoOfInbound].
func (t *CallTally) CountInboundAnswer(slot, value string, n int) {
	addAnswer(&t.InboundAnswers, slot, value, n)
}

// addAnswer adds n to the count of a slot's value.
func addAnswer(answers *map[string]map[string]int, slot, value string, n int) {
	values := (*answers)[slot]
	addCount(&values, value, n)
	switch {
	case len(values) == 0:
		delete(*answers, slot)
	case *answers == nil:
		*answers = map[string]map[string]int{slot: values}
	default:
		(*answers)[slot] = values
	}
}

// MergeTally adds another tally's counts.
func (t *CallTally) MergeTally(o CallTally) {
	for status, n := range o.Counts {
		addCount(&t.Counts, status, n)
	}
	for status, n := range o.ByOperator {
		addCount(&t.ByOperator, status, n)
	}
	for status, n := range o.Inbound {
		addCount(&t.Inbound, status, n)
	}
	for step, counts := range o.Dialled {
		for status, n := range counts {
			t.AddDialled(step, status, n)
		}
	}
	for number, counts := range o.Callers {
		for status, n := range counts {
			t.CountCaller(number, status, n)
		}
	}
	for slot, values := range o.Answers {
		for value, n := range values {
			addAnswer(&t.Answers, slot, value, n)
		}
	}
	for slot, values := range o.InboundAnswers {
		for value, n := range values {
			t.CountInboundAnswer(slot, value, n)
		}
	}
}

// addCount adds n to a count; counts of zero are removed.
func addCount[K comparable](counts *map[K]int, key K, n int) {
	if *counts == nil {
		*counts = map[K]int{}
	}
	if (*counts)[key] += n; (*counts)[key] <= 0 {
		delete(*counts, key)
	}
}

// ReportAnswers returns the values of a report by slot, in the form that list filters compare: texts as they are,
// booleans, numbers and null as JSON. Objects, arrays, empty and long values are left out.
func ReportAnswers(report json.RawMessage) map[string]string {
	var values map[string]json.RawMessage
	if len(report) == 0 || json.Unmarshal(report, &values) != nil {
		return nil
	}
	answers := map[string]string{}
	for slot, raw := range values {
		if value := answerText(raw); value != "" && len(value) <= maxAnswerSize {
			answers[slot] = value
		}
	}
	return answers
}

// IsListedAnswer reports whether [ReportAnswers] certainly includes a value of a report, given as text or JSON. False
// for a text that begins with '[' or '{', since it may be an array or an object.
func IsListedAnswer(value string) bool {
	return value != "" && len(value) <= maxAnswerSize && value[0] != '{' && value[0] != '['
}

// answerText returns one value of a report; empty unless it is a scalar.
func answerText(raw json.RawMessage) string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return ""
	}
	switch value := value.(type) {
	case string:
		return value
	case map[string]any, []any:
		return ""
	default:
		return string(raw)
	}
}
