package dashboard

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/ui/dashboard"
	"munadi/ui/locale"
)

// dashboardData is the data of the dashboard.
type dashboardData struct {
	begin, now time.Time // begin is midnight in the organization's time zone
	zone       *time.Location
	rules      callrules.CallRules
	tallies    []call.CallTally   // of the calls due on the day, without the ended ones that people made
	inbound    []call.CallTally   // of these
	sum        call.CallTally     // of all tallies
	past       [2]call.CallTally  // yesterday and a week ago, as they were at this time of day
	last       []call.Call        // recently ended calls of the day
	board      alert.AlertBoard   // the organization's alerts
	lastDue    time.Time          // latest due time of the day's waiting calls; zero without one
	overdue    int                // waiting calls of earlier days, up to maxOverdue
	waiting    store.WaitingCalls // that are due by the end of the day
	labels     kit.ScenarioLabels
	first      bool // there are no calls at all
	vitals     kit.ApplianceVitals
	noTrunk    bool // calls wait: no SIP trunk is set
	lang       locale.Language
}

// showDashboard shows the dashboard of the current day.
func (s handlers) showDashboard(c echo.Context) error {
	v := kit.RequestVisitor(c)
	d, err := s.loadToday(c)
	if err != nil {
		return err
	}
	needs, err := s.collectUrgentNeeds(c.Request().Context(), v, d)
	if err != nil {
		return err
	}
	p := dashboard.View{
		ConsolePage: s.ConsoleFrame(c, dashboard.Title.In(d.lang)), Date: d.now.Format(time.DateOnly),
		Zone: d.zone.String(), First: d.first, MayCall: v.User.Role.Allows(account.Operator), Needs: needs,
		Figures: d.keyFigures(), ByHour: d.hourlyBars(), NewCallHref: kit.Root + "/calls/new",
	}
	return kit.RenderPage(c, http.StatusOK, dashboard.Page(p))
}

// loadToday loads the data of the current day in the organization's time zone.
func (s handlers) loadToday(c echo.Context) (dashboardData, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	d := dashboardData{vitals: s.Vitals(), lang: v.Lang}
	d.noTrunk = !s.Simulated && len(d.vitals.Trunks) == 0
	var err error
	if d.rules, err = s.RequestRules(c); err != nil {
		return d, err
	}
	d.zone = kit.RulesZone(d.rules)
	d.now = s.Now().In(d.zone)
	d.begin = kit.StartOfDay(d.now.Year(), d.now.Month(), d.now.Day(), d.zone)
	if d.labels.Scenarios, err = s.ListScenariosFor(ctx, v); err != nil {
		return d, err
	}
	d.labels.Lang = v.Lang
	if d.board, err = s.FindAlerts(ctx, v.Org.ID); err != nil {
		return d, err
	}
	err = s.loadCalls(ctx, v.Org.ID, &d)
	return d, err
}

const (
	// maxOverdue is the limit up to which overdue calls are counted.
	maxOverdue = 10_000
	// recentCalls is the number of ended calls for the mean duration.
	recentCalls = 10
)

// pastDays are how many days before today the days are that today is compared with.
var pastDays = [2]int{1, 7}

// loadCalls reads the day's counters, and the few calls for figures without a counter.
func (s handlers) loadCalls(ctx context.Context, orgID string, d *dashboardData) (err error) {
	end := kit.DayAfter(d.begin, 1)
	if d.tallies, err = s.Store.TallyCalls(ctx, orgID, d.begin, end); err != nil {
		return err
	}
	d.inbound = make([]call.CallTally, len(d.tallies))
	for i, t := range d.tallies {
		d.tallies[i], d.inbound[i] = t.SplitInbound()
		d.sum.MergeTally(d.tallies[i])
	}
	for i, days := range pastDays {
		from, to := kit.DayAfter(d.begin, -days), d.now.AddDate(0, 0, -days)
		earlier, err := s.Store.TallyCalls(ctx, orgID, from, to)
		if err != nil {
			return err
		}
		for _, t := range earlier {
			outbound, _ := t.SplitInbound()
			then, _ := outbound.StateAt(to)
			d.past[i].MergeTally(then)
		}
	}
	if len(d.tallies) == 0 {
		all, err := s.Store.TallyCalls(ctx, orgID, time.Time{}, time.Time{})
		if d.first = len(all) == 0; err != nil || d.first {
			return err
		}
	}
	due := store.CallFilter{Statuses: []call.CallStatus{call.Scheduled}, Sort: store.SortByDueTime, DueTo: d.begin}
	if d.overdue, err = s.Store.CountCalls(ctx, orgID, due, maxOverdue); err != nil {
		return err
	}
	if d.waiting, err = s.Store.WaitingCalls(ctx, orgID, end); err != nil {
		return err
	}
	due.DueFrom, due.DueTo, due.Limit = d.begin, end, 1
	found, err := s.Store.CallsPage(ctx, orgID, due)
	if err != nil {
		return err
	}
	for _, c := range found.Items {
		d.lastDue = c.ScheduledAt
	}
	ended := store.CallFilter{
		Statuses: []call.CallStatus{call.Completed, call.NoAnswer, call.Failed}, Sort: store.SortByDueTime,
		DueFrom: d.begin, DueTo: end, Limit: recentCalls,
	}
	found, err = s.Store.CallsPage(ctx, orgID, ended)
	d.last = found.Items
	return err
}
