package campaign

import (
	"encoding/json"
	"unicode/utf8"

	"munadi/store/call"
)

// CampaignTally counts a campaign's calls by status, the answers in their reports, and its people.
type CampaignTally struct {
	Counts  map[call.CallStatus]int   `json:"counts"`
	Answers map[string]map[string]int `json:"answers"`
	// People counts each person once, regardless of the number of calls. Nil: not counted yet.
	People *PeopleTally `json:"people,omitempty"`
}

// PeopleTally counts the people of a campaign by the status of the call that decides for each, and the answers that
// these calls have now; the answers of erased people and expired reports are no longer counted.
type PeopleTally struct {
	Counts    map[call.CallStatus]int   `json:"counts"`
	Answers   map[string]map[string]int `json:"answers"`
	Unreached int                       `json:"unreached"` // see [IsUnreached]
}

// NewPeopleTally returns an empty tally.
func NewPeopleTally() *PeopleTally {
	return &PeopleTally{Counts: map[call.CallStatus]int{}, Answers: map[string]map[string]int{}}
}

// Total returns the number of people.
func (t PeopleTally) Total() (n int) {
	for _, count := range t.Counts {
		n += count
	}
	return n
}

// CountPerson adds n (1 or -1) people with the deciding call c.
func (t *PeopleTally) CountPerson(c call.Call, n int) {
	if t.Counts[c.Status] += n; t.Counts[c.Status] <= 0 {
		delete(t.Counts, c.Status)
	}
	if IsUnreached(c) {
		t.Unreached += n
	}
	countAnswers(t.Answers, c.CountedReport(), n)
}

// Limits of the counts by answer.
const (
	maxAnswers    = 200 // different values of a slot; any others are counted together as [call.OtherAnswers]
	maxAnswerSize = 200 // bytes of a value; a longer one is counted by its beginning, followed by [call.OtherAnswers]
)

// HasLiveCalls reports whether a call of the campaign is scheduled or running.
func (t CampaignTally) HasLiveCalls() bool {
	return t.Counts[call.Scheduled]+t.Counts[call.Dialing]+t.Counts[call.InProgress] > 0
}

// MoveCall counts a call that changed its status; from is empty for a new call.
func (t *CampaignTally) MoveCall(from, to call.CallStatus) {
	if t.Counts == nil {
		t.Counts = map[call.CallStatus]int{}
	}
	if from != "" {
		if t.Counts[from]--; t.Counts[from] <= 0 {
			delete(t.Counts, from)
		}
	}
	t.Counts[to]++
}

// AddReport counts the values of a call's report: texts as they are, other values as JSON.
func (t *CampaignTally) AddReport(report json.RawMessage) {
	if t.Answers == nil {
		t.Answers = map[string]map[string]int{}
	}
	countAnswers(t.Answers, report, 1)
}

// ReplaceReport updates the counts after a correction of a call's report.
func (t *CampaignTally) ReplaceReport(before, after json.RawMessage) {
	countAnswers(t.Answers, before, -1)
	t.AddReport(after)
}

// countAnswers adds n (1 or -1) reports to the counts of answers by slot and value. A value is counted either
// separately or among the others, never both: it gets no separate count while others are counted.
func countAnswers(counts map[string]map[string]int, report json.RawMessage, n int) {
	for slot, value := range reportAnswers(report) {
		values := counts[slot]
		if _, known := values[value]; !known && (len(values) >= maxAnswers || values[call.OtherAnswers] > 0) {
			value = call.OtherAnswers
		}
		if values == nil {
			if n < 0 {
				continue // the counts were lost
			}
			values = map[string]int{}
			counts[slot] = values
		}
		if values[value] += n; values[value] <= 0 {
			delete(values, value)
		}
		if len(values) == 0 {
			delete(counts, slot)
		}
	}
}

// HasAnswer reports whether a report has a value in a slot, in the form that [CampaignTally] counts.
func HasAnswer(report json.RawMessage, slot, value string) bool {
	found, given := reportAnswers(report)[slot]
	return given && found == value
}

// reportAnswers returns the values of a report by slot, as they are counted: a text as it is, any other value as JSON.
func reportAnswers(report json.RawMessage) map[string]string {
	var values map[string]json.RawMessage
	if len(report) == 0 || json.Unmarshal(report, &values) != nil {
		return nil
	}
	answers := make(map[string]string, len(values))
	for slot, raw := range values {
		answers[slot] = answerText(raw)
	}
	return answers
}

// answerText returns a value of a report as it is counted, truncated to [maxAnswerSize] bytes.
func answerText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil || string(raw) == "null" {
		text = string(raw)
	}
	if len(text) <= maxAnswerSize {
		return text
	}
	end := maxAnswerSize - len(call.OtherAnswers)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + call.OtherAnswers
}
