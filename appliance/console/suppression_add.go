package console

import (
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/store/callrules"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// maxReason is the longest reason, in characters, as in the API.
const maxReason = 500

// addSuppression adds a number to the suppression list; an entry of the same number is replaced.
func (s *ConsoleService) addSuppression(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	w := locale.SuppressionsIn(v.Lang)
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	typed := page.SuppressedRow{Number: c.FormValue("number"), Reason: typedText(c.FormValue("reason"))}
	entry, faults := s.suppressionOf(typed.Number, typed.Reason, c.FormValue("until"), rules, w)
	if len(faults) > 0 {
		return s.suppressionsPage(c, http.StatusUnprocessableEntity, page.SuppressionsView{
			Typed: typed, Until: c.FormValue("until"), Faults: faults,
		})
	}
	entry.OrgID, entry.Source = v.Org.ID, "console"
	if err := s.Store.AddSuppressions(
		ctx,
		[]callrules.SuppressionEntry{entry},
		v.auditActor(),
		s.Now().UTC(),
	); err != nil {
		return err
	}
	flashMessage(c, w.SaidAdded)
	return redirectTo(c, suppressionReturn(c, entry.PhoneNumber))
}

// suppressionOf parses and validates an entry; faults are sentences by field.
func (s *ConsoleService) suppressionOf(
	number, reason, until string, rules callrules.CallRules, w locale.SuppressionsWords,
) (callrules.SuppressionEntry, map[string]string) {
	now, faults := s.Now().UTC(), map[string]string{}
	entry := callrules.SuppressionEntry{Reason: reason, CreatedAt: now}
	var ok bool
	if entry.PhoneNumber, ok = phoneNumber(number); !ok {
		faults["number"] = w.BadNumber
	}
	if utf8.RuneCountInString(reason) > maxReason || !utf8.ValidString(reason) {
		faults["reason"] = w.BadReason
	}
	if until = westernDigits(until); until != "" {
		end, ok := endOf(until, rules)
		switch {
		case !ok:
			faults["until"] = w.BadUntil
		case !end.After(now):
			faults["until"] = w.BadPast
		}
		entry.Until = &end
	}
	return entry, faults
}

// endOf parses a day as its end in the organization's time zone, or a full RFC 3339 time.
func endOf(typed string, rules callrules.CallRules) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, typed); err == nil {
		return at.UTC(), true
	}
	zone, err := time.LoadLocation(rules.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	day, err := time.ParseInLocation(time.DateOnly, typed, zone)
	return day.AddDate(0, 0, 1).UTC(), err == nil
}

// askUnsuppress asks for confirmation before a number is removed from the suppression list.
func (s *ConsoleService) askUnsuppress(c echo.Context) error {
	number, ok := phoneNumber(c.QueryParam("number"))
	if !ok {
		return echo.NewHTTPError(http.StatusNotFound, "this is no number")
	}
	w := locale.SuppressionsIn(requestVisitor(c).Lang)
	return renderPage(c, http.StatusOK, page.UnsuppressPage(page.UnsuppressView{
		ConsolePage: s.consoleFrame(c, layout.Rules, w.RemoveTitle), Number: number,
	}))
}

// removeSuppression removes a number from the suppression list.
func (s *ConsoleService) removeSuppression(c echo.Context) error {
	v := requestVisitor(c)
	number, _ := phoneNumber(c.FormValue("number"))
	if err := s.Store.RemoveSuppression(
		c.Request().Context(),
		v.Org.ID,
		number,
		v.auditActor(),
		s.Now().UTC(),
	); err != nil {
		return err
	}
	flashMessage(c, locale.SuppressionsIn(v.Lang).SaidRemoved)
	return redirectTo(c, suppressionsPath)
}

// suppressionReturn returns the page to go to after a number was suppressed: the person's page if the form was there.
func suppressionReturn(c echo.Context, number string) string {
	if c.FormValue("from") == "person" {
		return page.PersonPath(number)
	}
	return suppressionsPath
}
