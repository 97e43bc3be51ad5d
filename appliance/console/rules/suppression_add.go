package rules

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

// addSuppression adds a number to the suppression list; an entry of the same number is replaced.
func (s handlers) addSuppression(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	typed := suppressions.NewEntry{}
	suppressions.BindEntry(kit.BindSent(c), &typed)
	r := service.SuppressionRequest{Reason: typed.Reason}
	r.PhoneNumber, _ = kit.LocalNumber(typed.Number, s.NumberRegion(c))
	if until := kit.WesternDigits(typed.Until); until != "" {
		if r.Until = parseUntil(until, rules); r.Until == nil {
			r.Violations.AddViolation("until", "is neither a day nor a time")
		}
	}
	asked := []service.SuppressionRequest{r}
	_, refused, err := s.UseCases.AddSuppressions(ctx, kit.RequestCaller(c), "console", asked, true)
	if err != nil {
		return err
	}
	if len(refused) > 0 {
		b := form.NewBinder(v.Lang, nil, suppressionFaults(refused[0], v.Lang))
		p := suppressions.View{Form: suppressions.BindEntry(b, &typed)}
		return s.suppressionsPage(c, http.StatusUnprocessableEntity, p)
	}
	return kit.RedirectSaying(c, suppressionReturn(c, r.PhoneNumber), suppressions.SaidAdded.In(v.Lang))
}

// suppressionFaults returns the violations of an entry by the form's fields.
func suppressionFaults(r service.SuppressionRequest, l locale.Language) (found []form.Violation) {
	for _, v := range r.Violations {
		switch strings.TrimPrefix(v.Field, r.Path+".") {
		case "phone_number":
			found = append(found, form.Violation{Path: "number", Message: suppressions.BadNumber.In(l)})
		case "reason":
			found = append(found, form.Violation{Path: "reason", Message: suppressions.BadReason.In(l)})
		case "until":
			fault := suppressions.BadUntil
			if r.Until != nil {
				fault = suppressions.BadPast
			}
			found = append(found, form.Violation{Path: "until", Message: fault.In(l)})
		}
	}
	return found
}

// parseUntil parses a day as its end in the organization's time zone, or an RFC 3339 time; nil for anything else.
func parseUntil(typed string, rules callrules.CallRules) *time.Time {
	at, err := time.Parse(time.RFC3339, typed)
	if err != nil {
		at, err = time.Parse(time.DateOnly, typed)
		at = kit.StartOfDay(at.Year(), at.Month(), at.Day()+1, kit.RulesZone(rules))
	}
	if at = at.UTC(); err != nil {
		return nil
	}
	return &at
}

// askRemoveSuppression asks for confirmation before a number is removed from the suppression list.
func (s handlers) askRemoveSuppression(c echo.Context) error {
	number, ok := kit.PhoneNumber(c.QueryParam("number"))
	if !ok {
		return echo.NewHTTPError(http.StatusNotFound, "this is not an international telephone number")
	}
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: suppressions.RemoveTitle.In(l), Text: "\u2066" + number + "\u2069 · " + suppressions.RemoveText.In(l),
		Action: suppressionsPath + "/remove", Name: "number", Value: number,
		Do: suppressions.Remove.In(l), Danger: true, Back: suppressionsPath,
	})
}

// removeSuppression removes a number from the suppression list.
func (s handlers) removeSuppression(c echo.Context) error {
	v := kit.RequestVisitor(c)
	number, _ := kit.PhoneNumber(c.FormValue("number"))
	err := s.UseCases.RemoveSuppression(c.Request().Context(), kit.RequestCaller(c), number)
	return kit.RedirectAfter(c, err, suppressionsPath, suppressions.SaidRemoved.In(v.Lang))
}

// suppressionReturn returns the page to return to after a number was suppressed: the person's or the call's page if the
// form was there.
func suppressionReturn(c echo.Context, number string) string {
	switch id := c.FormValue("call"); {
	case c.FormValue("from") == "person":
		return calls.PersonPath(number)
	case c.FormValue("from") == "call" && call.ValidID(id):
		return kit.Root + "/calls/" + id + "#after"
	}
	return suppressionsPath
}
