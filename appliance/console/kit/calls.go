package kit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

// OpenBooked leads to the page of a call that was booked, and says if it waits for calling hours.
func OpenBooked(c echo.Context, booked call.Call) error {
	if booked.Booking == call.Moved {
		FlashMessage(c, calls.Moved.In(RequestVisitor(c).Lang))
	}
	return RedirectTo(c, calls.CallsPath+"/"+booked.ID)
}

// CallsURL returns the URL of a list of calls with a filter, at a cursor.
func CallsURL(path string, f calls.CallsFilter, cursor string) string {
	q := CallsQuery(f, cursor)
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// CallsQuery returns the query of a list.
func CallsQuery(f calls.CallsFilter, cursor string) url.Values {
	q := url.Values{}
	for name, value := range map[string]string{
		"status": f.Status, "scenario": f.Scenario, "campaign": f.Campaign, "number": f.Number, "from": f.From, "to": f.To,
		"slot": f.Slot, "answer": f.Answer, "order": f.Order, "said": f.Said, "cursor": cursor,
		"direction": f.Direction, "name": f.Name,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// RefuseTextSearch redirects to a text search, which has no bulk changes, since a page of it is not its whole result.
func RefuseTextSearch(c echo.Context, f calls.CallsFilter) error {
	FlashProblem(c, calls.SearchNoBulk.In(RequestVisitor(c).Lang))
	return RedirectTo(c, CallsURL(calls.CallsPath, f, ""))
}

// StoreFilter converts a list's filter to the store's. Calls that staff ended form their own group and are neither
// completed nor failed.
func StoreFilter(f calls.CallsFilter, zone *time.Location) store.CallFilter {
	filter := store.CallFilter{
		ScenarioID: f.Scenario, CampaignID: f.Campaign, Sort: store.SortByDueTime, Ascending: IsAscending(f),
		DueFrom: DayStart(f.From, zone, 0), DueTo: DayStart(f.To, zone, 1),
	}
	filter.AnswerSlot, filter.AnswerValue = f.Slot, f.Answer
	if filter.Trials = f.Direction == calls.Trials; !filter.Trials {
		filter.Direction = call.CallDirection(f.Direction)
	}
	switch f.Status {
	case "":
	case calls.RunningCalls:
		filter.Statuses = RunningStatuses()
	case calls.StoppedCalls:
		filter.EndedBy, filter.Statuses = call.ByOperator, []call.CallStatus{call.Completed, call.Failed}
	default:
		status := call.CallStatus(f.Status)
		filter.Statuses = []call.CallStatus{status}
		if status == call.Completed || status == call.Failed {
			filter.NotEndedBy = call.ByOperator
		}
	}
	if filter.Name = f.Name; f.Name != "" && f.Slot == "" { // an answer has an index in the order by dial time only
		filter.Sort = store.SortByCreation
	}
	if phonenumber.IsE164(f.Number) {
		filter.PhoneNumber = f.Number
	} else {
		filter.NumberEnds = strings.TrimLeft(f.Number, "0")
	}
	return filter
}

// CallRow returns a call for lists.
func CallRow(c call.Call, labels ScenarioLabels) calls.CallRow {
	plan, _ := FindScenario(labels.Scenarios, c.ScenarioID)
	slots := labels.ReportSlots(c)
	name := CallScenarioName(labels.Scenarios, c.ScenarioID, labels.Lang)
	return calls.CallRow{
		Call: c, Number: c.PhoneNumber, Name: cmp.Or(plan.PersonName(c.Variables), c.PersonName()), At: c.ScheduledAt,
		Scenario: name, Status: calls.ShownStatus(c), Reason: displayReason(c),
		Slots: slots, Answers: rowAnswers(c, slots), Attempt: max(c.Attempt.Number, 1), Max: max(c.Attempt.Max, 1),
	}
}

// OpenDays returns the calling hours of the next days in the organization's time zone. They are sampled every quarter
// of an hour.
func OpenDays(
	rules callrules.CallRules, plan scenario.Scenario, zone *time.Location, now time.Time, l locale.Language,
) []calls.OpenDay {
	year, month, day := now.In(zone).Date()
	days := make([]calls.OpenDay, openDaysShown)
	for i := range days {
		begin, end := StartOfDay(year, month, day+i, zone), StartOfDay(year, month, day+i+1, zone)
		days[i] = calls.OpenDay{Name: calls.Weekdays[begin.Weekday()].In(l), Date: begin.Format("01-02")}
		for at := begin; at.Before(end); {
			open, ok := callrules.NextOpen(rules, plan.CallingHours, plan.TimeZone, at)
			if !ok || !open.Before(end) {
				break
			}
			shut := open
			for shut.Before(end) && callrules.IsOpen(rules, plan.CallingHours, plan.TimeZone, shut) {
				shut = shut.Add(15 * time.Minute)
			}
			at = LaterTime(shut, open.Add(15*time.Minute))
			span := calls.MinuteSpan{From: minuteOfDay(open.In(zone), end), To: minuteOfDay(shut.In(zone), end)}
			days[i].Open = append(days[i].Open, span)
		}
	}
	return days
}

// CallsFilter parses the query of a list of calls. [FindFilterFaults] names what it can't read.
func CallsFilter(c echo.Context) calls.CallsFilter { return ParseFilter(c.QueryParams()) }

// SearchedName returns what is typed to find a person if it is a part of a name, not of a number; else empty.
func SearchedName(typed string) string {
	typed = strings.TrimSpace(typed)
	if len(call.NameWords(typed)) == 0 || !strings.ContainsFunc(typed, unicode.IsLetter) {
		return ""
	}
	return typed
}

// ParseFilter is CallsFilter of a parsed query. A name may be typed where a number is expected.
func ParseFilter(q url.Values) calls.CallsFilter {
	number, whole := PhoneNumber(q.Get("number")) // the last digits of a number are accepted too
	if !whole {
		number = strings.TrimPrefix(number, "0") // 05… is +9665…
	}
	f := calls.CallsFilter{
		Scenario: q.Get("scenario"), Number: number, From: ValidDay(q.Get("from")), To: ValidDay(q.Get("to")),
	}
	if f.Name = SearchedName(cmp.Or(q.Get("name"), q.Get("number"))); f.Name != "" && q.Get("name") == "" {
		f.Number = ""
	}
	if id := q.Get("campaign"); campaign.ValidID(id) {
		f.Campaign = id
	}
	if slot, answer := q.Get("slot"), q.Get("answer"); slot != "" && answer != "" {
		f.Slot, f.Answer = slot, answer
	}
	if said := strings.TrimSpace(q.Get("said")); service.IsSearchable(said) {
		f.Said = said
	}
	if way := q.Get("direction"); way == string(call.Inbound) || way == string(call.Outbound) || way == calls.Trials {
		f.Direction = way
	}
	if order := q.Get("order"); order == "asc" || order == "desc" {
		f.Order = order
	}
	if status := q.Get("status"); slices.Contains(FilterStatuses(), status) || IsStatus(status) {
		f.Status = status
	}
	return f
}

// IsStatus reports whether a name is one of a call's statuses.
func IsStatus(name string) bool { return slices.Contains(call.AllStatuses(), call.CallStatus(name)) }

// FilterStatuses returns the status groups by which the list can be filtered, in display order.
func FilterStatuses() []string {
	groups := []string{calls.RunningCalls}
	for _, status := range call.AllStatuses() {
		switch {
		case status.IsRunning():
		case status == call.Cancelled:
			groups = append(groups, calls.StoppedCalls, string(status))
		default:
			groups = append(groups, string(status))
		}
	}
	return groups
}

// ReportText returns a report for people: indented JSON.
func ReportText(raw json.RawMessage) string {
	var out bytes.Buffer
	if len(raw) == 0 || json.Indent(&out, raw, "", "  ") != nil {
		return ""
	}
	return out.String()
}

// NoAnswer is the value under which campaigns count calls without an answer.
const NoAnswer = "null"

// RunningStatuses are the statuses of calls that occupy a line.
func RunningStatuses() []call.CallStatus { return []call.CallStatus{call.Dialing, call.InProgress} }

// IsAscending reports whether a list begins with the earliest call: by default the list of scheduled calls.
func IsAscending(f calls.CallsFilter) bool {
	if f.Order == "" {
		return f.Status == string(call.Scheduled)
	}
	return f.Order == "asc"
}

// displayReason returns why a call failed; empty if staff ended it, which the status says.
func displayReason(c call.Call) string {
	if calls.ShownStatus(c) == calls.StoppedCalls {
		return ""
	}
	return string(call.ReasonOf(c.Failure))
}

// openDaysShown is the number of days whose calling hours are shown beside the form.
const openDaysShown = 7

// minuteOfDay returns a clock time in minutes since 00:00; 24:00 from the end of the day on.
func minuteOfDay(at, end time.Time) int {
	if !at.Before(end) {
		return 24 * 60
	}
	return at.Hour()*60 + at.Minute()
}

// FindActiveSuppression returns the active suppression of a number; nil without one.
func (s *Console) FindActiveSuppression(ctx context.Context, orgID, number string) (
	*suppressions.SuppressedRow, error,
) {
	entry, err := s.Store.FindSuppression(ctx, orgID, number, s.Now())
	if err != nil || entry == nil {
		return nil, err
	}
	return &suppressions.SuppressedRow{
		Number: entry.PhoneNumber, Reason: entry.Reason, Source: entry.Source, Added: entry.CreatedAt, Until: entry.Until,
	}, nil
}

// RingsVisitor reports whether the visitor may call people back by an extension of their own.
func RingsVisitor(v Visitor) bool {
	return v.User.Extension != "" && v.User.Role.Allows(account.Operator)
}
