package scenarios

import (
	"strconv"
	"time"

	"munadi/ui/layout"
	"munadi/ui/locale"
)

// VersionsView lists the versions of a scenario, newest first.
type VersionsView struct {
	layout.ConsolePage
	ID, Name string
	May      bool // restore one
	Zone     *time.Location
	Rows     []VersionRow
}

// VersionRow is one version.
type VersionRow struct {
	Number  int
	At      time.Time
	Who     string // empty: unknown
	Current bool   // in force
	Draft   bool   // saved as a draft
	Latest  bool   // the newest one, which needs no restoring
}

// VersionView is the difference between a version of a scenario and an earlier one.
type VersionView struct {
	layout.ConsolePage
	ID, Name string
	May      bool
	Zone     *time.Location
	VersionRow
	Before     int  // number of the earlier one; 0: none is kept
	BuiltIn    bool // the earlier one is the built-in scenario
	Difference ScenarioDifference
}

// ScenarioDifference is what differs between two scenarios.
type ScenarioDifference struct {
	Parts  []PartChange
	Source []DiffLine // of their JSON; none: they are equal
}

// PartChange is a step, or the settings of the scenario, that was added, removed, moved or changed.
type PartChange struct {
	Title  string
	Change LineChange // [KeptLine]: it is in both
	Moved  bool
	Unseen bool // more than its place differs, which no line may show
	Lines  []DiffLine
}

// marks are the words for what happened to the part.
func (c PartChange) marks() (words []locale.Text) {
	switch {
	case c.Change == AddedLine:
		return []locale.Text{PartAdded}
	case c.Change == RemovedLine:
		return []locale.Text{PartRemoved}
	case c.Moved && !c.Unseen:
		return []locale.Text{PartMoved}
	case c.Moved:
		return []locale.Text{PartMoved, PartChanged}
	}
	return []locale.Text{PartChanged}
}

// DiffLine is a line of a difference; one with Skipped is a number of unchanged lines that are left out.
type DiffLine struct {
	Change  LineChange
	Text    string
	Words   []WordRun // of the text, where the words that changed are known
	Skipped int
}

// WordRun is a run of words of a line. The spaces around changed ones are in the others.
type WordRun struct {
	Text    string
	Changed bool
}

// wordRuns returns the text as it is shown.
func (l DiffLine) wordRuns() []WordRun {
	if len(l.Words) == 0 {
		return []WordRun{{Text: l.Text}}
	}
	return l.Words
}

// LineChange says whether a line was added, removed or kept.
type LineChange string

// The changes.
const (
	KeptLine    LineChange = ""
	AddedLine   LineChange = "added"
	RemovedLine LineChange = "removed"
)

func (c LineChange) changeSign() string {
	return map[LineChange]string{KeptLine: "\u00a0", AddedLine: "+", RemovedLine: "−"}[c]
}

func (c LineChange) changeWord(l locale.Language) string {
	return map[LineChange]locale.Text{
		KeptLine: VersionsKept, AddedLine: VersionsAdded, RemovedLine: VersionsRemoved,
	}[c].In(l)
}

func (p VersionView) differenceLead() string {
	switch {
	case p.BuiltIn:
		return VersionsBuiltInLead.In(p.Lang)
	case p.Before == 0:
		return VersionsFirstLead.In(p.Lang)
	}
	return locale.FillSentence(VersionsDifferenceLead.In(p.Lang), "n", p.Before)
}

func versionAddress(id string, number int) string {
	return scenarioAddress(id, "/versions/"+strconv.Itoa(number))
}
