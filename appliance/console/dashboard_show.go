package console

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

const (
	// drawn is how many calls the dashboard reads at most; of a day with more it shows the newest.
	drawn = 10_000
	// pageOf is the store's largest page of calls.
	pageOf = 200
)

// dashboardData is the data of the dashboard.
type dashboardData struct {
	begin, now time.Time // begin: midnight in the organization's time zone
	zone       *time.Location
	rules      callrules.CallRules
	calls      []call.Call // dialled or scheduled on the day; the latest first
	capped     bool
	first      bool // there has never been a call
	vitals     ApplianceVitals
	words      locale.DashboardWords
	lang       locale.Language
}

// showDashboard shows the dashboard of the current day.
func (s *ConsoleService) showDashboard(c echo.Context) error {
	v := requestVisitor(c)
	d, err := s.loadToday(c.Request().Context(), v)
	if err != nil {
		return err
	}
	needs, err := s.collectNeeds(c.Request().Context(), v, d)
	if err != nil {
		return err
	}
	p := page.DashboardView{
		ConsolePage: s.consoleFrame(c, layout.Dashboard, d.words.Title),
		Date: d.now.Format(
			time.DateOnly,
		),
		Zone:        d.zone.String(),
		First:       d.first,
		MayCall:     v.User.Role.Allows("operator"),
		Day:         d.dayTimeline(),
		Figures:     d.keyFigures(),
		Needs:       needs,
		ByHour:      d.byHour(),
		Load:        d.loadSeries(),
		Factor:      d.realTimeFactorSeries(),
		Capped:      d.capped,
		NewCallHref: Root + "/calls/new",
	}
	return renderPage(c, http.StatusOK, page.DashboardPage(p))
}

// loadToday loads the data of the current day in the organization's time zone.
func (s *ConsoleService) loadToday(ctx context.Context, v visitor) (dashboardData, error) {
	d := dashboardData{vitals: s.Vitals(), words: locale.DashboardIn(v.Lang), lang: v.Lang, zone: time.UTC}
	var err error
	if d.rules, err = s.Store.FindRules(ctx, v.Org.ID); err != nil {
		return d, err
	}
	if zone, err := time.LoadLocation(d.rules.TimeZone); err == nil {
		d.zone = zone
	}
	d.now = s.Now().In(d.zone)
	d.begin = time.Date(d.now.Year(), d.now.Month(), d.now.Day(), 0, 0, 0, 0, d.zone)
	err = s.gatherCalls(ctx, v.Org.ID, &d)
	return d, err
}

// gatherCalls reads the newest calls as far back as one of the day can have been booked, and the scheduled ones.
func (s *ConsoleService) gatherCalls(ctx context.Context, orgID string, d *dashboardData) error {
	cursor, seen := "", map[string]bool{}
	yesterday, oldest := d.begin.AddDate(0, 0, -1), d.begin.Add(-call.MaxAhead)
	d.first = true
	for read := 0; ; {
		some, err := s.Store.CallsPage(ctx, orgID, store.CallFilter{Limit: pageOf, Cursor: cursor})
		if err != nil {
			return err
		}
		var made time.Time
		for _, c := range some.Items {
			d.first, made = false, c.CreatedAt
			d.keepCall(c, seen)
		}
		read += len(some.Items)
		if cursor = some.Next; cursor == "" || made.Before(oldest) || read >= drawn {
			d.capped = cursor != "" && !made.Before(yesterday)
			break
		}
	}
	booked, err := s.Store.CallsPage(
		ctx,
		orgID,
		store.CallFilter{Limit: pageOf, Statuses: []call.CallStatus{call.Scheduled}},
	)
	for _, c := range booked.Items {
		d.keepCall(c, seen)
	}
	slices.SortStableFunc(d.calls, func(a, b call.Call) int { return dialTimeOf(b).Compare(dialTimeOf(a)) })
	return err
}

// keepCall adds a call that belongs to the day.
func (d *dashboardData) keepCall(c call.Call, seen map[string]bool) {
	at := dialTimeOf(c)
	if seen[c.ID] || at.Before(d.begin) || !at.Before(d.begin.AddDate(0, 0, 1)) {
		return
	}
	seen[c.ID] = true
	d.calls = append(d.calls, c)
}

// dialTimeOf returns when a call was dialled, or is scheduled.
func dialTimeOf(c call.Call) time.Time {
	if c.ReleasedAt != nil {
		return *c.ReleasedAt
	}
	return c.ScheduledAt
}
