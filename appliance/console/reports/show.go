package reports

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/errgroup"

	"munadi/appliance/console/kit"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/reports"
)

// maxPeriods is the largest number of rows of a report; the oldest ones are left out.
const maxPeriods = 62

// reportQuery is the range of a report: whole periods from that of from through that of to.
type reportQuery struct {
	period   reportPeriod
	from, to time.Time // midnights in the organization's zone; to is the last day
	scenario string
	isCut    bool // from was earlier than the oldest row of a report
	faults   []form.Violation
}

// defaultPeriods returns the default number of periods of a report.
func (p reportPeriod) defaultPeriods() int {
	return map[reportPeriod]int{dailyReport: 14, weeklyReport: 8, monthlyReport: 6}[p]
}

// readReportQuery parses the query, with what can't be read.
func (s handlers) readReportQuery(c echo.Context, zone *time.Location) reportQuery {
	q := reportQuery{period: weeklyReport, scenario: c.QueryParam("scenario")}
	l := kit.RequestVisitor(c).Lang
	q.faults = kit.FindDayFaults(l, c.QueryParams())
	if asked := reportPeriod(c.QueryParam("by")); asked.defaultPeriods() > 0 {
		q.period = asked
	} else if asked != "" {
		q.faults = append(q.faults, form.Violation{Path: "by", Message: reports.BadPeriod.In(l)})
	}
	today := s.Now().In(zone)
	q.to = dailyReport.periodStart(today)
	if at := kit.DayStart(kit.ValidDay(c.QueryParam("to")), zone, 0); !at.IsZero() {
		q.to = at
	}
	q.from = q.period.addPeriods(q.period.periodStart(q.to), 1-q.period.defaultPeriods())
	if at := kit.DayStart(kit.ValidDay(c.QueryParam("from")), zone, 0); !at.IsZero() && !at.After(q.to) {
		q.from = at
	}
	earliest := q.period.addPeriods(q.period.periodStart(q.to), 1-maxPeriods)
	if q.isCut = q.from.Before(earliest); q.isCut {
		q.from = earliest
	}
	return q
}

// periodStarts returns the beginnings of the report's periods. The first one begins with from.
func (q reportQuery) periodStarts() []time.Time {
	var starts []time.Time
	for at := q.period.periodStart(q.from); !at.After(q.to); at = q.period.addPeriods(at, 1) {
		starts = append(starts, at)
	}
	if starts[0].Before(q.from) {
		starts[0] = q.from
	}
	return starts
}

// readReport counts the calls of a report from the store's counters.
func (s handlers) readReport(
	ctx context.Context, orgID string, q reportQuery, plans []scenario.Scenario,
) (callReport, error) {
	starts := q.periodStarts()
	tallies, err := s.readTallies(ctx, orgID, q.scenario, starts[0], kit.DayAfter(q.to, 1), plans)
	if err != nil {
		return callReport{}, err
	}
	return buildReport(tallies, starts, plans), nil
}

// tallyReaders is the number of parts of a report's time that are read at once: there is a counter for each quarter of
// an hour and scenario.
const tallyReaders = 4

// readTallies reads the counters of calls of a scenario, or of all without one, that are due between two times, with
// the answers to the scenarios' questions of confirmation.
func (s handlers) readTallies(
	ctx context.Context, orgID, scenarioID string, from, to time.Time, plans []scenario.Scenario,
) ([]call.CallTally, error) {
	slots := []string{scenario.UsualConfirmation}
	for _, plan := range plans {
		slots = append(slots, plan.ConfirmationProperty())
	}
	slices.Sort(slots)
	slots = slices.Compact(slots)
	var parts [tallyReaders][]call.CallTally
	g, ctx := errgroup.WithContext(ctx)
	step := (to.Sub(from) / tallyReaders).Truncate(time.Second)
	for i := range parts {
		begin, end := from.Add(time.Duration(i)*step), from.Add(time.Duration(i+1)*step)
		if i == len(parts)-1 {
			end = to
		}
		g.Go(func() (err error) {
			parts[i], err = s.Store.TallyCalls(ctx, orgID, begin.UTC(), end.UTC(), slots...)
			return err
		})
	}
	err := g.Wait()
	return slices.DeleteFunc(slices.Concat(parts[:]...), func(t call.CallTally) bool {
		return scenarioID != "" && t.ScenarioID != scenarioID
	}), err
}

// showReports shows the outcomes of calls by day, week or month, by scenario and by hour of the day.
func (s handlers) showReports(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	plans, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	zone := s.OrganizationZone(c)
	q := s.readReportQuery(c, zone)
	if len(q.faults) > 0 {
		return kit.RenderPage(c, http.StatusUnprocessableEntity, reports.Page(reports.View{
			ConsolePage: s.ConsoleFrame(c, reports.Title.In(v.Lang)), By: string(q.period), Scenario: q.scenario,
			From: kit.ValidDay(c.QueryParam("from")), To: kit.ValidDay(c.QueryParam("to")), Zone: zone, Faults: q.faults,
			Scenarios: kit.ScenarioChoices(plans, q.scenario), Made: s.Now(),
		}.WithReportStyle()))
	}
	var r callReport
	var before earlierPeriod
	var replies replyReport
	g, reading := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		r, err = s.readReport(reading, v.Org.ID, q, plans)
		return err
	})
	g.Go(func() (err error) {
		before, err = s.readEarlier(reading, v.Org.ID, q, plans)
		return err
	})
	g.Go(func() (err error) {
		replies, err = s.readReplies(reading, v.Org.ID, q)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	p := reports.View{
		ConsolePage: s.ConsoleFrame(c, reports.Title.In(v.Lang)), By: string(q.period), Scenario: q.scenario, Zone: zone,
		From: q.from.Format(kit.DayLayout), To: q.to.Format(kit.DayLayout), Scenarios: kit.ScenarioChoices(plans, q.scenario),
		CSV:        reports.Path + ".csv?" + q.urlValues().Encode(),
		CallersCSV: reports.Path + "/caller-numbers.csv?" + q.urlValues().Encode(),
		Figures:    reportFigures(r, before, replies, v.Lang),
		Chart:      periodChart(r, q.period, v.Lang), Hours: hourChart(r, v.Lang), Made: s.Now(),
	}
	if q.isCut {
		p.Cut = maxPeriods
	}
	if before.isComparable() {
		p.BeforeFrom, p.BeforeTo = before.from.Format(kit.DayLayout), kit.DayAfter(before.to, -1).Format(kit.DayLayout)
	}
	for i, count := range r.periods {
		if len(count.Counts)+count.CalledIn > 0 {
			p.Periods = append(p.Periods, reportRow(periodName(r, i, q), count))
		}
	}
	p.ByScenario = scenarioRows(r, plans, v.Lang)
	p.ByCaller = callerRows(r)
	if p.ByCampaign, err = s.campaignReport(ctx, v.Org.ID, q, plans); err != nil {
		return err
	}
	return kit.RenderPage(c, http.StatusOK, reports.Page(p.WithReportStyle()))
}

// scenarioRows returns the rows of the scenarios, and of call-backs by staff.
func scenarioRows(r callReport, plans []scenario.Scenario, l locale.Language) (rows []reports.Row) {
	for _, one := range r.scenarios {
		row := reportRow(kit.CallScenarioName(plans, one.id, l), one.ReportCount)
		if row.Ended+row.Waiting+row.Cancelled+row.CalledIn > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// callerRows returns the rows of the caller numbers.
func callerRows(r callReport) (rows []reports.CallerRow) {
	for _, c := range r.callers {
		ended, answered := c.count()
		row := reports.CallerRow{Number: c.number, Ended: ended, Answered: answered, Reached: c.counts[call.Completed]}
		if ended > 0 {
			row.Percent = strconv.Itoa((100*answered+ended/2)/ended) + "%"
		}
		rows = append(rows, row)
	}
	return rows
}

// reportPage is the number of campaigns that a report reads at once.
const reportPage = 100

// campaignReport returns the rows of the campaigns that began in the range of a report, newest first.
func (s handlers) campaignReport(
	ctx context.Context, orgID string, q reportQuery, plans []scenario.Scenario,
) ([]reports.Row, error) {
	all, err := s.campaignsSince(ctx, orgID, q.from.Add(-call.MaxAhead))
	if err != nil {
		return nil, err
	}
	var rows []reports.Row
	confirmation := kit.ConfirmationProperties(plans)
	for _, one := range all {
		began := one.CreatedAt
		if one.StartsAt != nil {
			began = *one.StartsAt
		}
		inTime := !began.Before(q.from) && began.Before(kit.DayAfter(q.to, 1))
		if !inTime || (q.scenario != "" && one.ScenarioID != q.scenario) {
			continue
		}
		var count kit.ReportCount
		people := kit.PeopleTally(one)
		count.AddTally(call.CallTally{Counts: people.Counts, Answers: people.Answers}, confirmation(one.ScenarioID))
		row := reportRow(one.Name, count)
		row.URL = campaigns.CampaignsPath + "/" + one.ID
		rows = append(rows, row)
	}
	return rows, nil
}

// campaignsSince returns the campaigns that were created from a time on, newest first.
func (s handlers) campaignsSince(
	ctx context.Context, orgID string, from time.Time,
) (all []campaign.Campaign, err error) {
	for cursor := ""; ; {
		found, err := s.Store.CampaignsPage(ctx, orgID, reportPage, cursor)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Items...)
		last := len(found.Items) - 1
		if cursor = found.Next; cursor == "" || last >= 0 && found.Items[last].CreatedAt.Before(from) {
			return all, nil
		}
	}
}

// urlValues returns the query of the same report.
func (q reportQuery) urlValues() url.Values {
	values := url.Values{
		"by": {string(q.period)}, "from": {q.from.Format(kit.DayLayout)}, "to": {q.to.Format(kit.DayLayout)},
	}
	if q.scenario != "" {
		values.Set("scenario", q.scenario)
	}
	return values
}

// periodName returns the name of a period: a day, a month, or the first and the last day of a week.
func periodName(r callReport, i int, q reportQuery) string {
	start := r.starts[i]
	switch q.period {
	case dailyReport:
		return start.Format(kit.DayLayout)
	case monthlyReport:
		return start.Format("2006-01")
	}
	last := q.to
	if i+1 < len(r.starts) {
		last = kit.DayAfter(r.starts[i+1], -1)
	}
	return start.Format(kit.DayLayout) + " – " + last.Format("01-02")
}

func reportRow(name string, count kit.ReportCount) reports.Row {
	row := reports.Row{
		Name: name, Ended: count.CountEnded(), Reached: count.CountReached(), Confirmed: count.Confirmed,
		Waiting:   count.Counts[call.Scheduled] + count.Counts[call.Dialing] + count.Counts[call.InProgress],
		Cancelled: count.Counts[call.Cancelled], Failed: count.Counts[call.Failed],
		CalledIn: count.CalledIn, CalledInConfirmed: count.CalledInConfirmed,
	}
	row.Unreached = row.Ended - row.Reached - row.Failed
	if percent := count.ReachedPercent(); percent >= 0 {
		row.Percent = strconv.Itoa(percent) + "%"
	}
	return row
}

// exportReports exports the rows of a report as CSV.
func (s handlers) exportReports(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	plans, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	q := s.readReportQuery(c, s.OrganizationZone(c))
	if len(q.faults) > 0 {
		return kit.RedirectToFaults(c, reports.Path)
	}
	r, err := s.readReport(ctx, v.Org.ID, q, plans)
	if err != nil {
		return err
	}
	var rows []reports.Row
	for i, count := range r.periods {
		rows = append(rows, reportRow(periodName(r, i, q), count))
	}
	rows = append(rows, scenarioRows(r, plans, v.Lang)...)
	table := reports.DeclareTable(v.Lang, reports.Period)
	return kit.SendCSV(c, "reports", table.ExportKeys(), rows, table.ExportRow)
}

// exportCallers exports the rows of the caller numbers as CSV.
func (s handlers) exportCallers(c echo.Context) error {
	v, q := kit.RequestVisitor(c), s.readReportQuery(c, s.OrganizationZone(c))
	if len(q.faults) > 0 {
		return kit.RedirectToFaults(c, reports.Path)
	}
	r, err := s.readReport(c.Request().Context(), v.Org.ID, q, nil)
	if err != nil {
		return err
	}
	table := reports.DeclareCallers(v.Lang)
	return kit.SendCSV(c, "caller-numbers", table.ExportKeys(), callerRows(r), table.ExportRow)
}
