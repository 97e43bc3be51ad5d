package calls

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/call"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// AnswerColumn is the column of a file with the answers to a question, the property of the reports.
func AnswerColumn(key, property string) list.Column[CallRow] {
	return list.Column[CallRow]{Key: key, Text: func(r CallRow) string { return r.answerTo(property) }}
}

// DeclareTable declares the calls in a language: the page, and as files, which have columns of answers.
func DeclareTable(l locale.Language, sort list.Sort, answers ...list.Column[CallRow]) list.Table[CallRow] {
	t := list.Table[CallRow]{
		{Key: "person_name", Text: func(r CallRow) string { return r.Name }},
		{
			Title: Person, Key: "phone_number", Text: func(r CallRow) string { return r.Number },
			Cell: func(at list.At, r CallRow) templ.Component { return calleeLink(at.Lang, r) },
		},
		{
			Title: Status, Key: "status",
			Text: func(r CallRow) string { return locale.CallStatuses.NameOf(l, string(r.Call.Status)) },
			Cell: func(at list.At, r CallRow) templ.Component { return rowState(at.Lang, r) },
		},
		{Key: "reason", Text: func(r CallRow) string { return Reasons.NameOf(l, string(call.ReasonOf(r.Failure))) }},
		{
			Title: Result, Class: "results",
			Cell: func(_ list.At, r CallRow) templ.Component { return rowAnswers(r) },
		},
	}
	return append(append(t, answers...),
		list.Column[CallRow]{Title: Scenario, Key: "scenario_id", Text: func(r CallRow) string { return r.Scenario }},
		list.Column[CallRow]{
			Title: Time, Key: "scheduled_at", Time: func(r CallRow) time.Time { return r.ScheduledAt }, Sort: sort,
			Cell: func(at list.At, r CallRow) templ.Component { return rowTime(at, r) },
		},
		list.Column[CallRow]{Key: "created_at", Time: func(r CallRow) time.Time { return r.CreatedAt }},
		list.Column[CallRow]{Key: "started_at", Time: func(r CallRow) time.Time { return list.MomentOf(r.StartedAt) }},
		list.Column[CallRow]{Key: "ended_at", Time: func(r CallRow) time.Time { return list.MomentOf(r.EndedAt) }},
		list.Column[CallRow]{
			Title: Length, Key: "total_duration", Number: true,
			Text: func(r CallRow) string { return optionalNumber(r.Duration) },
			Cell: func(_ list.At, r CallRow) templ.Component { return clockOf(r.Duration) },
		},
		list.Column[CallRow]{
			Title: Attempt, Key: "attempt_number", Number: true,
			Text: func(r CallRow) string { return strconv.Itoa(r.Attempt) },
			Cell: func(at list.At, r CallRow) templ.Component { return attemptOf(at.Lang, r) },
		},
		list.Column[CallRow]{Key: "max_attempts", Number: true, Text: func(r CallRow) string { return strconv.Itoa(r.Max) }},
		list.Column[CallRow]{Key: "caller_number", Text: func(r CallRow) string { return r.ShownNumber }},
		list.Column[CallRow]{Key: "id", Text: func(r CallRow) string { return r.ID }},
		list.Column[CallRow]{Key: "retry_chain_id", Text: func(r CallRow) string { return r.Call.Attempt.ChainID }},
		list.Column[CallRow]{Key: "report", Text: func(r CallRow) string { return string(r.CurrentReport()) }},
	)
}

// table is the list's own: whoever may cancel calls selects them.
func (p CallsView) table() list.Table[CallRow] {
	t := DeclareTable(p.Lang, p.Sort)
	if p.May {
		t = slices.Insert(t, 0, list.Column[CallRow]{
			Title: SelectAll, Box: true,
			Cell: func(at list.At, r CallRow) templ.Component { return selectCall(at.Lang, r) },
		})
	}
	return t
}

// answerTo returns the answer to a question as people call it; empty without one.
func (r CallRow) answerTo(property string) string {
	for _, slot := range r.Slots {
		if slot.Name == property && slot.Known {
			return slot.Value
		}
	}
	return ""
}

func optionalNumber(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func markCall(r CallRow) templ.Attributes { return templ.Attributes{"data-id": r.ID} }

// saidBelow is the turn in which a search found its words; nil without one.
func (p CallsView) saidBelow(r CallRow) templ.Component {
	if len(r.Found) == 0 {
		return nil
	}
	return saidIn(p.Lang, r)
}

// filterInputs are the fields of the form that narrows the list; the chips' parts go with it.
// What is wrong with a part that has no input is the second result.
func (p CallsView) filterInputs() ([]form.Field, []form.Violation) {
	f := p.Filter
	isListed := func(s component.ListChoice) bool { return s.Value == f.Scenario }
	if !slices.ContainsFunc(p.Scenarios, isListed) {
		f.Scenario = "" // of nobody, or of another organization
	}
	value := func(of *string) func(*CallsFilter) any { return func(*CallsFilter) any { return of } }
	given := func(value string) func(*CallsFilter) bool { return func(*CallsFilter) bool { return value != "" } }
	scenarios := []form.Option{{Name: Every.In(p.Lang)}}
	for _, s := range p.Scenarios {
		scenarios = append(scenarios, form.Option{Value: s.Value, Name: s.Name})
	}
	directions := []form.Option{
		{Name: BothDirections.In(p.Lang)},
		{Value: string(call.Outbound), Name: Outbound.In(p.Lang)},
		{Value: string(call.Inbound), Name: Inbound.In(p.Lang)},
		{Value: Trials, Name: TrialCalls.In(p.Lang)},
	}
	b := form.NewBinder(p.Lang, nil, p.Faults)
	fields := form.BindDeclared(b, "", &f, []form.Declared[*CallsFilter]{
		{Name: "status", Kind: form.Hidden, Value: value(&f.Status), Has: given(f.Status)},
		{Name: "campaign", Kind: form.Hidden, Value: value(&f.Campaign), Has: given(f.Campaign)},
		{Name: "slot", Kind: form.Hidden, Value: value(&f.Slot), Has: given(f.Slot)},
		{Name: "answer", Kind: form.Hidden, Value: value(&f.Answer), Has: given(f.Slot)},
		{
			Name: "number", Label: NameOrNumber, Usual: NameOrNumberHint.In(p.Lang), Most: 100,
			Value:      func(*CallsFilter) any { either := cmp.Or(f.Name, f.Number); return &either },
			Attributes: templ.Attributes{"type": "search"},
		},
		{
			Name: "said", Label: SearchSaid, Usual: SearchHint.In(p.Lang), Most: 100, Value: value(&f.Said),
			Attributes: templ.Attributes{"type": "search"},
		},
		{
			Name: "scenario", Label: Scenario, Kind: form.List, Value: value(&f.Scenario),
			Options: func(*CallsFilter) []form.Option { return scenarios },
		},
		{
			Name: "direction", Label: Direction, Kind: form.List, Value: value(&f.Direction),
			Options: func(*CallsFilter) []form.Option { return directions },
		},
		{Name: "from", Label: FromDay, Kind: form.Date, Value: value(&f.From)},
		{Name: "to", Label: ToDay, Kind: form.Date, Value: value(&f.To)},
	})
	return fields, b.TakeRest("")
}

// answerFilter are the parts of the filter that go with an answer to a question which is typed.
func (p CallsView) answerFilter(slot string) []form.Field {
	f := p.Filter
	f.Slot = slot
	var declared []form.Declared[*CallsFilter]
	for name, value := range map[string]*string{
		"status": &f.Status, "campaign": &f.Campaign, "scenario": &f.Scenario, "slot": &f.Slot, "name": &f.Name,
		"number": &f.Number, "from": &f.From, "to": &f.To, "said": &f.Said, "direction": &f.Direction, "order": &f.Order,
	} {
		if *value != "" {
			declared = append(declared, form.Declared[*CallsFilter]{
				Name: name, Kind: form.Hidden, Value: func(*CallsFilter) any { return value },
			})
		}
	}
	slices.SortFunc(declared, func(a, b form.Declared[*CallsFilter]) int { return cmp.Compare(a.Name, b.Name) })
	return form.BindDeclared(form.NewBinder(p.Lang, nil, nil), "", &f, declared)
}

// answerInput is the input of an answer to a question, with suggestions.
func (p CallsView) answerInput(slot string) form.Field {
	return form.BindDeclared(form.NewBinder(p.Lang, nil, nil), "", new(string), []form.Declared[*string]{{
		Name: "answer", Usual: OtherAnswer.In(p.Lang), Most: 100, Required: true,
		Value:      func(typed *string) any { return typed },
		Attributes: templ.Attributes{"type": "search", "list": form.SuggestionsID("answer-" + slot)},
	}})[0]
}
