package calls

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

// QueuePath is the URL path of the queue of calls that need staff.
const QueuePath = "/console/queue"

// AfterCall are the staff's additions to a call.
type AfterCall struct {
	May         bool                        // add to it
	MaySuppress bool                        // forbid further calls to the number
	Suppressed  *suppressions.SuppressedRow // the number may not be called; nil: it may
	Notes       []call.CallNote             // By is a name
	Need        *CallNeed                   // nil: never marked
	Corrections []CorrectedAnswer
	Fields      []form.Field // of the form that corrects the report; none: it cannot be corrected
}

// CallNeed is the mark that a call needs staff.
type CallNeed struct {
	Open    bool
	Mine    bool   // the user has taken it
	Reason  string // as people read it
	At      time.Time
	TakenBy string
	DoneBy  string
	DoneAt  time.Time
}

// CorrectedAnswer is one correction of the report.
type CorrectedAnswer struct {
	Label, Before, After, By string
	At                       time.Time
}

// AnswerInput is the field that corrects an answer of a type in the report; what was known is sent along.
func AnswerInput(
	slot scenario.AnswerSlot, l locale.Language, name, label, value string, options []form.Option,
) []form.Field {
	d := form.Declared[*string]{
		Name: "answer." + name, Label: locale.Text{label, label}, Most: 500, Value: func(typed *string) any { return typed },
	}
	switch slot.Type {
	case scenario.YesNo, scenario.Choice:
		d.Kind, d.Most, d.Missing = form.List, 0, locale.Text{"{id}", "{id}"}
		d.Options = func(*string) []form.Option {
			return append([]form.Option{{Name: AfterUnknown.In(l)}}, options...)
		}
	case scenario.Number:
		d.Kind, d.Most, d.Attributes = form.Number, 0, templ.Attributes{}
		for bound, at := range map[string]*float64{"min": slot.Min, "max": slot.Max} {
			if at != nil {
				d.Attributes[bound] = strconv.FormatFloat(*at, 'f', -1, 64)
			}
		}
	case scenario.Date:
		d.Kind, d.Most = form.Date, 0
	case scenario.Time:
		d.Dir, d.Most, d.Attributes = "ltr", 0, templ.Attributes{"type": "time"}
	}
	was := form.Declared[*string]{Name: "was." + name, Kind: form.Hidden, Value: d.Value}
	return form.BindDeclared(form.NewBinder(l, nil, nil), "", &value, []form.Declared[*string]{was, d})
}

// turnID returns the id of a turn's form.
func (m CallTurn) turnID() string { return "turn-" + strconv.Itoa(m.Index) }
