package system

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"munadi/appliance/cluster"
	"munadi/ui/locale"
	"munadi/ui/system"
)

// applianceRows returns the appliances that share the database, for the system page; none if there is only this one.
func applianceRows(all []cluster.Member, now time.Time, l locale.Language) (rows []system.ApplianceRow) {
	for _, a := range all {
		row := system.ApplianceRow{
			Name: cmp.Or(a.Name, a.Address, "?"), Address: a.Address, Here: a.Here, Version: a.Version,
			Role: system.AppliancesRoleName(l, a.Role), Model: cmp.Or(a.Installed, a.Model, system.AppliancesLoading.In(l)),
			Started: a.Started, Heard: now.Add(-a.Silent),
			Lines: fmt.Sprintf("%d / %d", a.Held, a.Lines), Queue: strconv.Itoa(a.Queue),
			State: "good", StateText: system.AppliancesWorks.In(l),
		}
		switch {
		case !a.Alive:
			row.State, row.StateText, row.Lines, row.Queue = "bad", system.AppliancesGone.In(l), "–", "–"
		case !a.Ready:
			row.State, row.StateText, row.Note = "warn", system.AppliancesHindered.In(l), a.Health
		}
		rows = append(rows, row)
	}
	return rows
}
