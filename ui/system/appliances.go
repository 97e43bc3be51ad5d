package system

import (
	"time"

	"github.com/a-h/templ"

	"munadi/ui/list"
	"munadi/ui/locale"
)

// ApplianceRow is one of several appliances that share a database.
type ApplianceRow struct {
	Name, Address  string
	Here           bool // it is the one that shows the page
	State          string
	StateText      string
	Note           string // the fault; empty: none
	Role, Version  string
	Model          string
	Lines          string // in use, of how many
	Queue          string
	Started, Heard time.Time
}

var applianceTable = list.Table[ApplianceRow]{
	{Title: AppliancesName, Cell: func(at list.At, a ApplianceRow) templ.Component { return applianceName(at.Lang, a) }},
	{Title: locale.KitState, Cell: func(_ list.At, a ApplianceRow) templ.Component { return applianceState(a) }},
	{Title: AppliancesLines, Mono: true, Text: func(a ApplianceRow) string { return a.Lines }},
	{Title: AppliancesQueue, Mono: true, Text: func(a ApplianceRow) string { return a.Queue }},
	{Title: AppliancesRole, Text: func(a ApplianceRow) string { return a.Role }},
	{Title: AppliancesVersion, Mono: true, Text: func(a ApplianceRow) string { return a.Version }},
	{Title: AppliancesModel, Mono: true, Text: func(a ApplianceRow) string { return a.Model }},
	{Title: AppliancesStarted, Time: func(a ApplianceRow) time.Time { return a.Started }},
	{Title: AppliancesHeard, Cell: func(at list.At, a ApplianceRow) templ.Component { return applianceHeard(at, a) }},
}
