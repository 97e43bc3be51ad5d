package replays

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/a-h/templ"

	"munadi/store/replay"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// Path is the section's path.
const Path = "/console/replays"

// View is the page of an organization's replays.
type View struct {
	layout.ConsolePage
	Zone    *time.Location
	Replays []NamedReplay
	Form    []form.Field // of a new one; none for who may not start one
}

// NamedReplay is a replay with the name of its scenario.
type NamedReplay struct {
	replay.Replay
	Scenario string
}

// days returns the first and the last day of the replayed calls.
func (p OneView) days() string {
	return p.From.In(p.Zone).Format(time.DateOnly) + " – " + p.To.In(p.Zone).Format(time.DateOnly)
}

// progress returns how many calls have a result.
func (r NamedReplay) progress() string { return fmt.Sprintf("%d / %d", r.Counts.Replayed(), r.Total) }

func (p View) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone} }

// Table are the replays.
var Table = list.Table[NamedReplay]{
	{Title: Scenario, Cell: func(_ list.At, r NamedReplay) templ.Component { return replayLink(r) }},
	{Title: Version, Cell: func(at list.At, r NamedReplay) templ.Component { return version(at.Lang, r) }},
	{Title: Model, Cell: func(at list.At, r NamedReplay) templ.Component { return model(at.Lang, r) }},
	{Title: locale.KitCreated, Time: func(r NamedReplay) time.Time { return r.CreatedAt }},
	{
		Title: locale.KitState,
		Cell:  func(at list.At, r NamedReplay) templ.Component { return stateBadge(at.Lang, r.State) },
	},
	{Title: Progress, Number: true, Text: NamedReplay.progress},
	{Title: Changed, Number: true, Text: func(r NamedReplay) string { return fmt.Sprint(r.Counts.Changed) }},
}

// NewReplay is what the form asks for.
type NewReplay struct{ Scenario, Version, Model, Days string }

// boundReplay is a new replay with what there is to choose from.
type boundReplay struct {
	*NewReplay
	scenarios []scenario.Scenario
	models    []string
	lang      locale.Language
}

var newFields = []form.Declared[boundReplay]{
	{
		Name: "scenario_id", Label: Scenario, Kind: form.List, Fault: BadChoice, Missing: BadChoice,
		Value: func(r boundReplay) any { return &r.Scenario },
		Options: func(r boundReplay) (all []form.Option) {
			for _, s := range r.scenarios {
				all = append(all, form.Option{Value: s.ID, Name: s.Name})
			}
			return all
		},
	},
	{
		Name: "version", Label: Version, Kind: form.List, Fault: BadChoice, Missing: BadChoice,
		Value: func(r boundReplay) any { return &r.Version },
		Options: func(r boundReplay) []form.Option {
			return []form.Option{
				{Value: "draft", Name: VersionDraft.In(r.lang)}, {Value: "published", Name: VersionPublished.In(r.lang)},
			}
		},
	},
	{
		Name: "model", Label: Model, Kind: form.List, Fault: BadChoice, Missing: BadChoice,
		Value: func(r boundReplay) any { return &r.Model },
		Options: func(r boundReplay) []form.Option {
			all := []form.Option{{Value: "", Name: ModelServing.In(r.lang)}}
			for _, name := range r.models {
				all = append(all, form.Option{Value: name, Name: name})
			}
			return all
		},
	},
	{
		Name: "from", Label: Period, Kind: form.List, Fault: TooMany, Missing: BadChoice,
		Value: func(r boundReplay) any { return &r.Days },
		Options: func(r boundReplay) []form.Option {
			return []form.Option{
				{Value: "1", Name: PeriodDay.In(r.lang)},
				{Value: "7", Name: PeriodWeek.In(r.lang)},
				{Value: "30", Name: PeriodMonth.In(r.lang)},
				{Value: "90", Name: PeriodQuarter.In(r.lang)},
			}
		},
	},
}

// BindNewReplay binds the form of a new replay.
func BindNewReplay(b *form.Binder, r *NewReplay, scenarios []scenario.Scenario, models []string) []form.Field {
	return form.BindDeclared(b, "", boundReplay{r, scenarios, models, b.Lang}, newFields)
}

// OneView is the page of one replay.
type OneView struct {
	layout.ConsolePage
	NamedReplay
	Zone        *time.Location
	Results     []ResultRow
	First, Next string
	May         bool   // the visitor may pause, resume and delete
	Live        string // URL of the events while it runs
}

// ResultRow is a result with its differences as texts.
type ResultRow struct {
	replay.Result
	Name, Number string // of the person; no name: it is not known
	Lines        []string
}

func (p OneView) at() list.At { return list.At{Lang: p.Lang} }

// path returns the replay's page, or one of its actions.
func (p OneView) path(action string) templ.SafeURL { return templ.URL(Path + "/" + p.ID + action) }

// ResultTable are the results of a replay.
var ResultTable = list.Table[ResultRow]{
	{Title: Call, Cell: func(_ list.At, r ResultRow) templ.Component { return callLink(r) }},
	{Title: Difference, Cell: func(_ list.At, r ResultRow) templ.Component { return differences(r.Lines) }},
	{Title: Listen, Acts: true, Cell: func(at list.At, r ResultRow) templ.Component { return listenAt(at.Lang, r) }},
}

// ReportWords names a report's properties, and their values as people read them.
type ReportWords interface {
	PropertyName(property string) string
	ValueName(property, value string) string
}

// ListDifferences returns the differences of a result as sentences.
func ListDifferences(l locale.Language, r replay.Result, words ReportWords) (lines []string) {
	if r.Problem != "" {
		return []string{ProblemText(l, r.Problem)}
	}
	add := func(name, old, now string) {
		lines = append(lines, locale.FillSentence(ChangedTo.In(l), "name", name, "old", isolate(old), "new", isolate(now)))
	}
	value := func(property, source string) string {
		var text string
		switch {
		case source == "" || source == "null":
			return NoValue.In(l)
		case json.Unmarshal([]byte(source), &text) == nil:
			return words.ValueName(property, text)
		case source == "true" || source == "false":
			return words.ValueName(property, source)
		}
		return source // a number, a list or an object
	}
	for _, d := range r.Report {
		add(words.PropertyName(d.Name), value(d.Name, d.Old), value(d.Name, d.New))
	}
	if r.OldStatus != r.NewStatus {
		add(Status.In(l), locale.CallStatuses.NameOf(l, r.OldStatus), locale.CallStatuses.NameOf(l, r.NewStatus))
	}
	if r.OldTurns != r.NewTurns {
		add(Turns.In(l), fmt.Sprint(r.OldTurns), fmt.Sprint(r.NewTurns))
	}
	if r.Parted != nil {
		add(Parted.In(l), cmp.Or(r.Parted.Old, NoValue.In(l)), cmp.Or(r.Parted.New, NoValue.In(l)))
	}
	return lines
}

// isolate keeps a value's direction from that of the sentence around it.
func isolate(value string) string { return "\u2068" + value + "\u2069" }

// soundURL is the recording of a result's call, from the first difference on.
func (r ResultRow) soundURL() string {
	return fmt.Sprintf("/console/calls/%s/recording#t=%.2f", r.CallID, r.At)
}

// problems returns the reasons why calls were not replayed, in order.
func (p OneView) problems() []replay.Problem { return slices.Sorted(maps.Keys(p.Counts.Problems)) }
