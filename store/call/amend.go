package call

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store/jsontext"
)

// Limits of what staff add to a call. It is stored in the call's record, which every list reads.
const (
	MaxNotes       = 20
	MaxCorrections = 50
	MaxNoteLength  = 1000 // characters of a note, or of a corrected turn or answer
)

// CallNote is a remark of staff on a call.
type CallNote struct {
	At   time.Time `json:"at"`
	By   string    `json:"by"` // actor: user:ID, key:ID
	Text string    `json:"text"`
}

// NeedReason is why a person must follow a call up.
type NeedReason string

// Reasons. All but the last are found by the conversation itself.
const (
	NeedAsked         NeedReason = "asked_for_person" // the callee asked for one, without success
	NeedNotUnderstood NeedReason = "not_understood"   // an answer was not understood after all repetitions of the question
	NeedTransfer      NeedReason = "transfer_failed"
	NeedScenario      NeedReason = "scenario" // the scenario's last step requires it
	NeedStaff         NeedReason = "staff"    // staff marked it
)

// PersonNeed marks a call that a person must follow up.
type PersonNeed struct {
	Reason  NeedReason `json:"reason"`
	At      time.Time  `json:"at"`
	By      string     `json:"by"`                 // actor; "dialler" if the conversation set it
	TakenBy string     `json:"taken_by,omitempty"` // actor; empty: not taken
	TakenAt *time.Time `json:"taken_at,omitempty"`
	DoneBy  string     `json:"done_by,omitempty"`
	DoneAt  *time.Time `json:"done_at,omitempty"` // nil while it is open
}

// CallCorrection corrects an answer in the report (Slot, Value) or the words of a turn (Message, Content). Report and
// messages themselves stay as they were recognized.
type CallCorrection struct {
	At      time.Time       `json:"at"`
	By      string          `json:"by"`
	Slot    string          `json:"slot,omitempty"` // property of the report
	Value   json.RawMessage `json:"value,omitempty"`
	Message *int            `json:"message,omitempty"` // index in the call's messages
	Content string          `json:"content,omitempty"`
}

// AmendKind is a kind of amendment.
type AmendKind string

// Kinds of amendments; they are also the events of the timeline and, behind "call.", the actions of the audit trail.
const (
	AmendNote    AmendKind = "note"
	AmendMark    AmendKind = "needs_person"
	AmendTake    AmendKind = "taken"
	AmendLeave   AmendKind = "left" // the actor who took it releases it
	AmendDone    AmendKind = "done"
	AmendCorrect AmendKind = "corrected"
)

// Amendment is one change by staff to an ended call: note, follow-up mark, correction.
type Amendment struct {
	Kind        AmendKind
	Text        string           // a note; of a mark and of done it may be empty
	Corrections []CallCorrection // without At and By
}

// AmendmentError is an amendment that the call does not allow.
type AmendmentError struct{ Message string }

// Error returns the message.
func (e *AmendmentError) Error() string { return e.Message }

// refuseAmendment returns an AmendmentError.
func refuseAmendment(format string, args ...any) error {
	return &AmendmentError{fmt.Sprintf(format, args...)}
}

// byDialler is the actor of marks that a conversation set.
const byDialler = "dialler"

// IsOpen reports whether a person must still follow the call up.
func (n *PersonNeed) IsOpen() bool { return n != nil && n.DoneAt == nil }

// Amend applies an amendment. It returns false for one without effect: marking a marked call, completing a completed
// follow-up.
func (c Call) Amend(a Amendment, actor string, now time.Time) (Call, bool, error) {
	if c.ErasedAt != nil {
		return c, false, refuseAmendment("The person of this call was erased: nothing can be added to it")
	}
	changed, err := false, error(nil)
	switch a.Kind {
	case AmendNote:
		changed = a.Text != ""
	case AmendCorrect:
		changed = len(a.Corrections) > 0
		c, err = c.addCorrections(a.Corrections, actor, now)
	default:
		c, changed, err = c.changeNeed(a.Kind, actor, now)
	}
	if err != nil || !changed || a.Text == "" {
		return c, changed, err
	}
	if len(c.Notes) >= MaxNotes {
		return c, false, refuseNote(a.Kind)
	}
	c.Notes = append(slices.Clip(c.Notes), CallNote{At: now, By: actor, Text: a.Text})
	return c, true, nil
}

// refuseNote is the refusal of a text that would be one note too many.
func refuseNote(kind AmendKind) error {
	remedy := ""
	if kind != AmendNote {
		remedy = "; make the change without a text"
	}
	return refuseAmendment("The call has %d notes already, the maximum%s", MaxNotes, remedy)
}

// changeNeed marks the call for follow-up by a person, or sets who follows it up.
func (c Call) changeNeed(kind AmendKind, actor string, now time.Time) (Call, bool, error) {
	if kind == AmendMark {
		if c.Need.IsOpen() {
			return c, false, nil
		}
		c.Need = &PersonNeed{Reason: NeedStaff, At: now, By: actor}
		return c, true, nil
	}
	if c.Need == nil {
		return c, false, refuseAmendment("The call is not marked as needing staff")
	}
	need := *c.Need
	switch {
	case !need.IsOpen():
		return c, false, nil
	case kind == AmendTake:
		if need.TakenBy == actor {
			return c, false, nil
		}
		need.TakenBy, need.TakenAt = actor, &now
	case kind == AmendLeave:
		if need.TakenBy == "" {
			return c, false, nil
		}
		need.TakenBy, need.TakenAt = "", nil
	default:
		need.DoneBy, need.DoneAt = actor, &now
	}
	c.Need = &need
	return c, true, nil
}

// addCorrections adds corrections of answers and of words.
func (c Call) addCorrections(all []CallCorrection, actor string, now time.Time) (Call, error) {
	switch {
	case !c.Status.IsFinal():
		return c, refuseAmendment("The call has not ended: its report can be corrected afterwards")
	case len(c.Corrections)+len(all) > MaxCorrections:
		return c, refuseAmendment("The call has %d corrections, and holds at most %d", len(c.Corrections), MaxCorrections)
	}
	c.Corrections = slices.Clip(c.Corrections)
	for _, one := range all {
		if one.Slot != "" && len(c.Report) == 0 {
			return c, refuseAmendment("The call has no report that could be corrected")
		}
		one.At, one.By = now, actor
		c.Corrections = append(c.Corrections, one)
	}
	return c, nil
}

// CorrectedSlots names the slots that an amendment corrects, in the order of the request.
func (a Amendment) CorrectedSlots() string {
	var slots []string
	for _, one := range a.Corrections {
		if one.Slot != "" {
			slots = append(slots, one.Slot)
		}
	}
	return strings.Join(slots, ", ")
}

// HasCorrections reports whether an answer of the report was corrected.
func (c Call) HasCorrections() bool {
	return slices.ContainsFunc(c.Corrections, func(one CallCorrection) bool { return one.Slot != "" })
}

// CurrentReport returns the report with its corrections, as lists, counters and exports use it.
func (c Call) CurrentReport() json.RawMessage {
	var values map[string]json.RawMessage
	if len(c.Report) == 0 || !c.HasCorrections() || json.Unmarshal(c.Report, &values) != nil || values == nil {
		return c.Report
	}
	for _, one := range c.Corrections {
		if one.Slot != "" {
			values[one.Slot] = one.Value
		}
	}
	report, err := jsontext.MarshalUnescaped(values)
	if err != nil {
		return c.Report
	}
	return report
}

// CountedReport returns the current report without the unknown answers to questions that were not asked: counters and
// filters by answer count those who were asked.
func (c Call) CountedReport() json.RawMessage {
	report := c.CurrentReport()
	var values map[string]json.RawMessage
	if len(c.Unasked) == 0 || json.Unmarshal(report, &values) != nil || values == nil {
		return report
	}
	for _, property := range c.Unasked {
		corrected := slices.ContainsFunc(c.Corrections, func(one CallCorrection) bool { return one.Slot == property })
		if string(values[property]) == "null" && !corrected {
			delete(values, property)
		}
	}
	counted, err := jsontext.MarshalUnescaped(values)
	if err != nil {
		return report
	}
	return counted
}

// CurrentMessages returns the messages with the corrections of their words.
func (c Call) CurrentMessages() []Message {
	if len(c.Corrections) == 0 {
		return c.Messages
	}
	messages := slices.Clone(c.Messages)
	for _, one := range c.Corrections {
		if one.Message != nil && *one.Message >= 0 && *one.Message < len(messages) {
			messages[*one.Message].Content = one.Content
		}
	}
	return messages
}

// RemoveTexts removes transcript, answers, and the staff's notes.
func (c *Call) RemoveTexts() {
	c.Messages, c.Report, c.ResponseBody, c.Notes, c.Corrections, c.Unasked = nil, nil, nil, nil, nil, nil
	c.Decisions = nil
}

// IsValidNote reports whether a text may be a note, or the words of a turn: not empty, and bounded.
func IsValidNote(text string) bool {
	return utf8.ValidString(text) && strings.TrimSpace(text) != "" && !strings.ContainsRune(text, 0) &&
		utf8.RuneCountInString(text) <= MaxNoteLength
}
