package dashboard

import (
	"context"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/delivery"
	"munadi/ui/calls"
	"munadi/ui/dashboard"
	"munadi/ui/locale"
	"munadi/ui/system"
)

// lostDeliveryAge is how long a failed webhook delivery is shown.
const lostDeliveryAge = 24 * time.Hour

// collectUrgentNeeds returns what needs the operator's attention now, most urgent first.
func (s handlers) collectUrgentNeeds(
	ctx context.Context, v kit.Visitor, d dashboardData,
) ([]dashboard.UrgentNeed, error) {
	var out []dashboard.UrgentNeed
	if v.User.IsGovernor() {
		out = append(out, d.applianceNeeds()...)
	}
	out = append(out, d.dispatchNeeds(v.User.IsGovernor())...)
	if n := s.CountNeeds(ctx, v.Org.ID); n > 0 {
		why := calls.AfterToday.In(d.lang).Fill(n)
		out = append(out, d.newNeed("warn", locale.ConsoleQueue, why, calls.QueuePath, calls.AfterTodayDo))
	}
	if need, found := d.failureNeed(); found {
		out = append(out, need)
	}
	if !v.User.Role.Allows(account.Owner) {
		return out, nil
	}
	lost, err := s.countLostDeliveries(ctx, v.Org.ID, d.now)
	if lost > 0 {
		why := dashboard.WebhooksWhy.In(d.lang).Fill(lost)
		if lost == kit.MaxStorePage { // there may be more than were counted
			why = locale.FillSentence(dashboard.WebhooksMany.In(d.lang), "n", lost)
		}
		out = append(out, d.newNeed("bad", dashboard.Webhooks, why, kit.Root+"/webhook", dashboard.WebhooksDo))
	}
	return out, err
}

// newNeed returns a need in the page's language; without do and href it has no button.
func (d dashboardData) newNeed(state string, title locale.Text, why, href string, do locale.Text) dashboard.UrgentNeed {
	return dashboard.UrgentNeed{State: state, Title: title.In(d.lang), Text: why, Href: href, Do: do.In(d.lang)}
}

// dispatchNeeds returns why calls are not dialled: the kill switch, trunks that are down; and overdue calls. Who
// governs the appliance is led to the page where trunks are set.
func (d dashboardData) dispatchNeeds(governor bool) (out []dashboard.UrgentNeed) {
	trunks, open := kit.Root+"/system", dashboard.TrunkDo
	if governor {
		trunks, open = kit.Root+"/trunks", dashboard.TrunksDo
	}
	if d.rules.KillSwitch {
		why := dashboard.KillWhy.In(d.lang)
		out = append(out, d.newNeed("warn", dashboard.Kill, why, kit.Root+"/rules", dashboard.KillDo))
	}
	if d.noTrunk {
		why := dashboard.NoTrunkWhy.In(d.lang)
		out = append(out, d.newNeed("bad", dashboard.NoTrunk, why, trunks, open))
	}
	if since := trunksDownSince(d.vitals.Trunks); !since.IsZero() {
		at := since.In(d.zone).Format("\u20662006-01-02 15:04\u2069")
		why := locale.FillSentence(dashboard.TrunkWhy.In(d.lang), "since", at)
		out = append(out, d.newNeed("bad", dashboard.Trunk, why, trunks, open))
	}
	if d.overdue > 0 && !d.rules.KillSwitch {
		href := kit.Root + "/calls?status=scheduled&to=" + kit.DayAfter(d.begin, -1).Format(kit.DayLayout)
		why := dashboard.OverdueWhy.In(d.lang).Fill(d.overdue)
		if d.overdue == maxOverdue { // no more were counted
			why = locale.FillSentence(dashboard.OverdueMany.In(d.lang), "n", locale.FormatCount(d.overdue))
		}
		out = append(out, d.newNeed("warn", dashboard.Overdue, why, href, dashboard.OverdueDo))
	}
	return out
}

// applianceNeeds returns the faults of the appliance itself.
func (d dashboardData) applianceNeeds() (out []dashboard.UrgentNeed) {
	for _, w := range d.vitals.Workers {
		if w.Fault != "" {
			why := locale.FillSentence(dashboard.WorkerWhy.In(d.lang), "name", system.WorkerName(d.lang, w.Name))
			out = append(out, d.newNeed("bad", dashboard.Worker, why, "", locale.Text{}))
		}
	}
	if d.vitals.IsDiskLow() {
		why := locale.FillSentence(dashboard.DiskWhy.In(d.lang), "free", kit.FormatSize(d.vitals.Free))
		out = append(out, d.newNeed("bad", dashboard.Disk, why, kit.Root+"/system", dashboard.DiskDo))
	}
	if d.vitals.Backups.Fault != "" {
		why := dashboard.BackupWhy.In(d.lang)
		out = append(out, d.newNeed("bad", dashboard.Backup, why, kit.Root+"/system#backups", dashboard.DiskDo))
	}
	return out
}

// failureNeed returns the open alert about many failing calls; false without one.
func (d dashboardData) failureNeed() (dashboard.UrgentNeed, bool) {
	a := d.board.FindOpen(alert.FailureSpike, "", "")
	if a == nil {
		return dashboard.UrgentNeed{}, false
	}
	said := locale.DescribeAlert(d.lang, string(a.Kind), a.Subject, a.Facts)
	return dashboard.UrgentNeed{
		State: "bad", Title: said.Title, Text: said.What, Href: said.Href, Do: dashboard.FailedDo.In(d.lang),
	}, true
}

// countLostDeliveries counts the failed webhook deliveries of the last day, on one page of them.
func (s handlers) countLostDeliveries(ctx context.Context, orgID string, now time.Time) (n int, err error) {
	some, err := s.Store.ListDeliveries(ctx, orgID, delivery.Failed, kit.MaxStorePage, "")
	for _, d := range some.Items {
		if now.Sub(d.CreatedAt) < lostDeliveryAge {
			n++
		}
	}
	return n, err
}

// trunksDownSince returns since when all trunks are down; zero if one is up.
func trunksDownSince(trunks []kit.TrunkVitals) (since time.Time) {
	for _, t := range trunks {
		if t.Up {
			return time.Time{}
		}
		if t.Since.After(since) {
			since = t.Since
		}
	}
	return since
}
