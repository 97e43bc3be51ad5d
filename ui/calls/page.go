package calls

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/ui/accounts"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// CallsPath is the URL path of the list of calls.
const CallsPath = "/console/calls"

// CallsView is the list of calls.
type CallsView struct {
	layout.ConsolePage
	Filter    CallsFilter
	Faults    []form.Violation // parts of the query that can't be read; the list has no rows then
	Scenarios []component.ListChoice
	Rows      []CallRow
	Zone      *time.Location
	May       bool   // book and cancel
	Older     string // address of the page behind this one; empty on the last
	Newer     string // of the first page; empty on it
	Campaign  string // address of a new campaign: of the people of a filtered list
	CSV, XLSX string // addresses of the same list as a file
	Statuses  []component.ListChoice
	Answers   []AnswerChoices
	Views     []component.ListChoice // saved by the user
	Query     string                 // the filter as a query, to be saved
	Sort      list.Sort
	Bulk      string    // address of the page that acts on all calls of the list
	Examined  int       // of a search in words: calls that this page looked at
	Until     time.Time // and the due time of the last of them
	// Planned counts the scheduled calls, which come last in the usual order; 0 in others. PlannedOnly is their address.
	Planned     int
	PlannedOnly string
}

// searchedUntil writes how far a search in words has come.
func (p CallsView) searchedUntil() string {
	return "\u2066" + p.Until.In(p.Zone).Format("2006-01-02 15:04") + "\u2069"
}

// Groups of calls that lists show in addition to statuses.
const (
	RunningCalls = "running" // dialing or in progress
	StoppedCalls = "stopped" // completed or failed because a user ended them
)

// AnswerChoices are the answers to one question, as filters.
type AnswerChoices struct {
	Slot     string // the property of the reports
	Name     string
	Choices  []component.ListChoice
	Others   []string // further answers, to be typed
	Together int      // calls with answers that are counted together
	Decision bool     // a question of yes and no: shown unasked
}

// CallAnswer is one answer of a call's report.
type CallAnswer struct{ Slot, Value, State string }

// activeFilters counts the filters in use.
func (f CallsFilter) activeFilters() (n int) {
	for _, value := range []string{f.Scenario, f.Campaign, f.Name + f.Number, f.From + f.To, f.Said, f.Direction} {
		if value != "" {
			n++
		}
	}
	return n
}

// hasOtherAnswers reports whether there are answers to filter by that are not yes or no.
func (p CallsView) hasOtherAnswers() bool {
	return slices.ContainsFunc(p.Answers, func(a AnswerChoices) bool { return !a.Decision })
}

// Trials is the direction of trials in the filter.
const Trials = "trial"

// TrialsAddress returns the address of the list of a scenario's trials.
func TrialsAddress(scenarioID string) string {
	return CallsPath + "?" + url.Values{"direction": {Trials}, "scenario": {scenarioID}}.Encode()
}

// CallsFilter holds the list's filters; empty fields are unused.
type CallsFilter struct {
	Status                               string // a status, or a group of them
	Scenario, Campaign, Number, From, To string
	Name                                 string // a part of the person's name
	Slot, Answer                         string // an answer of the report; both or none
	Said                                 string // words of the transcript
	Direction                            string // outbound, inbound or trial; empty: both of calls
	Order                                string // asc or desc; empty: the usual one
}

// IsActive reports whether anything is filtered.
func (f CallsFilter) IsActive() bool {
	f.Order = ""
	return f != CallsFilter{}
}

// CallRow is one call in a list, with what is said of it in the page's language.
type CallRow struct {
	call.Call
	Number       string // the person's; empty once erased, or if it is withheld
	Name         string // of the called person; empty: not known
	Scenario     string // its name
	Status       string // as lists show it, see [ShownStatus]
	Reason       string // of a failure, unless the status says it
	At           time.Time
	Slots        []ReportSlot // of the report
	Answers      []CallAnswer // the first of them
	Attempt, Max int
	Found        []FoundWord // the turn that a search found
	ByPlatform   bool        // who said it
}

// chainWords says what a call is among those that follow one another: a call-back, or an attempt of the retry plan.
func (r CallRow) chainWords(l locale.Language) string {
	switch follows := r.Call.Attempt.PreviousID != nil && r.Call.Attempt.Number <= 1; {
	case follows && r.Way() == call.Inbound:
		return ChainCalledBack.In(l)
	case follows:
		return ChainStaff.In(l)
	}
	return locale.FillSentence(Attempts.In(l), "n", strconv.Itoa(r.Attempt), "of", strconv.Itoa(r.Max))
}

// ShownStatus is the status that lists show: the call's, or that staff ended it.
func ShownStatus(c call.Call) string {
	if c.EndedBy == call.ByOperator && (c.Status == call.Completed || c.Status == call.Failed) {
		return StoppedCalls
	}
	return string(c.Status)
}

// isWithheld reports whether the caller showed no number.
func (r CallRow) isWithheld() bool {
	return r.Way() == call.Inbound && r.PhoneNumber == "" && r.ErasedAt == nil
}

// dialledLate returns when the call was dialled if that was a minute or more after its time; else nil.
func (r CallRow) dialledLate() *time.Time {
	if r.ReleasedAt != nil && r.ReleasedAt.Sub(r.ScheduledAt) >= time.Minute {
		return r.ReleasedAt
	}
	return nil
}

// FoundWord is a word of a turn that a search found; Hit marks those that were searched for.
type FoundWord struct {
	Text string
	Hit  bool
}

// CallPath returns where the call's page lies.
func (r CallRow) CallPath() string { return CallsPath + "/" + r.ID }

// NewCall is the form that books a call.
type NewCall struct {
	layout.ConsolePage
	Scenarios []component.ListChoice
	Scenario  string
	Number    string
	Later     bool   // at a time, not now
	At        string // as a datetime-local field has it
	Earliest  string
	Latest    string
	Zone      string
	Tries     int
	Delays    string
	Once      string // keeps a second press from booking a second call
	Variables []CallVariable
	Days      []OpenDay
	Faults    map[string]string // by the field's name
	Confirm   BookingConfirmation
}

// BookingConfirmation asks whether a call with doubtful values is booked.
type BookingConfirmation struct {
	Value     string // of the checkbox; empty: nothing is asked
	Sentences []string
}

// CallVariable is a variable of the scenario.
type CallVariable struct {
	Name, Label, Description string
	Field                    VariableField
}

// OpenDay is one day's open hours.
type OpenDay struct {
	Name string // of the weekday
	Date string
	Open []MinuteSpan
}

// IsWholeDay reports whether the whole day is open.
func (d OpenDay) IsWholeDay() bool { return len(d.Open) == 1 && d.Open[0] == MinuteSpan{0, 24 * 60} }

// HoursText writes the open hours.
func (d OpenDay) HoursText() string {
	var all []string
	for _, s := range d.Open {
		all = append(all, minuteOf(s.From)+"–"+minuteOf(s.To))
	}
	return strings.Join(all, " ")
}

// MinuteSpan is a stretch of a day, in minutes since midnight.
type MinuteSpan struct{ From, To int }

func minuteOf(m int) string {
	hour := strconv.Itoa(m / 60)
	if m/60 < 10 {
		hour = "0" + hour
	}
	return hour + component.FormatClock(m % 60)[1:]
}

// AskView is a page that asks before something is done.
type AskView struct {
	layout.ConsolePage
	Lead    string
	Items   []string // telephone numbers
	Action  string   // where the answer is posted
	Fields  []HiddenField
	Do      string // the button
	Back    string // where "no" leads
	BackSay string // empty: the usual word
	// Confirm is how the user confirms; nil: not at all.
	Confirm *accounts.Confirmation
	Fault   string // of the answer before
}

// HiddenField is a hidden one.
type HiddenField struct{ Name, Value string }

// PersonPath returns where a person's page lies.
func PersonPath(number string) string { return "/console/people/" + url.PathEscape(number) }
