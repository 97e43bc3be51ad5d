package console

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"munadi/appliance/cluster"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// applianceRows returns the appliances that share the database, for the system page; none if there is only this one.
func applianceRows(all []cluster.Member, now time.Time, w locale.AppliancesWords) (rows []page.ApplianceRow) {
	for _, a := range all {
		row := page.ApplianceRow{
			Name: cmp.Or(a.Name, a.Address, "?"), Address: a.Address, Here: a.Here, Version: a.Version,
			Role: w.RoleName(a.Role), Model: cmp.Or(a.Installed, a.Model, w.Loading),
			Started: a.Started, Heard: now.Add(-a.Silent),
			Lines: fmt.Sprintf("%d / %d", a.Held, a.Lines), Queue: strconv.Itoa(a.Queue),
			State: "good", StateText: w.Works,
		}
		switch {
		case !a.Alive:
			row.State, row.StateText, row.Lines, row.Queue = "bad", w.Gone, "–", "–"
		case !a.Ready:
			row.State, row.StateText, row.Note = "warn", w.Hindered, a.Health
		}
		rows = append(rows, row)
	}
	return rows
}
