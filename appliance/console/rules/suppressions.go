package rules

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/csvcell"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

const (
	suppressionsPath    = kit.Root + "/rules/suppressions"
	suppressionPageSize = 50 // entries on a page; a page of a search ends with the part of the list that fills it
)

// listSuppressions shows a page of the suppression list, or the entries whose number contains the search digits.
func (s handlers) listSuppressions(c echo.Context) error {
	return s.suppressionsPage(c, http.StatusOK, suppressions.View{})
}

func (s handlers) suppressionsPage(c echo.Context, status int, p suppressions.View) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, locale.SuppressionList.In(v.Lang))
	p.Path = suppressionsPath
	p.Styles = append(p.Styles, "css/console-flows.css")
	p.May = v.User.Role.Allows(account.Operator)
	if p.Form == nil {
		p.Form = suppressions.BindEntry(form.NewBinder(v.Lang, nil, nil), &suppressions.NewEntry{})
	}
	p.Zone = s.OrganizationZone(c)
	p.Search = kit.WesternDigits(c.QueryParam("number"))
	found, err := s.findSuppressions(ctx, v.Org.ID, p.Search, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	p.Entries, p.Now = found.Items, s.Now()
	if found.Next != "" {
		p.Next = kit.BuildURL(suppressionsPath, "number", p.Search, "cursor", found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.First = suppressionsPath
	}
	return kit.RenderPage(c, status, suppressions.Page(p))
}

// findSuppressions returns a page of the list, or of the entries that match the search digits.
func (s handlers) findSuppressions(
	ctx context.Context, orgID, search, cursor string,
) (store.ListPage[callrules.SuppressionEntry], error) {
	if search == "" {
		return s.Store.ListSuppressions(ctx, orgID, suppressionPageSize, cursor)
	}
	var found store.ListPage[callrules.SuppressionEntry]
	digits := strings.Map(digitsOnly, search)
	for digits != "" {
		part, err := s.Store.ListSuppressions(ctx, orgID, kit.MaxStorePage, cursor)
		if err != nil {
			return found, err
		}
		for _, e := range part.Items {
			if strings.Contains(e.PhoneNumber, digits) {
				found.Items = append(found.Items, e)
			}
		}
		found.Next, cursor = part.Next, part.Next
		if cursor == "" || len(found.Items) >= suppressionPageSize {
			break
		}
	}
	return found, nil
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

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

const (
	maxSuppressionFile = 16 << 20 // bytes
	maxRefusedShown    = 200
)

// exportSuppressions exports the whole list as CSV, in the format of the import.
func (s handlers) exportSuppressions(c echo.Context) error {
	kit.SetCSVHeaders(c, "suppressions.csv", "")
	v := kit.RequestVisitor(c)
	return s.UseCases.WriteSuppressions(c.Request().Context(), c.Response(), v.Org.ID, func(key string) string {
		if key == service.SuppressionColumns[0] {
			return kit.ByteOrderMark + locale.ColumnName(v.Lang, key)
		}
		return locale.ColumnName(v.Lang, key)
	})
}

// importSuppressions adds the valid entries of a CSV file and reports the others line by line.
func (s handlers) importSuppressions(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	entries, fault := readSuppressions(c, rules, s.NumberRegion(c), v.Lang)
	added, refused, err := s.UseCases.AddSuppressions(ctx, kit.RequestCaller(c), "csv", entries, true)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(added) == 0 {
		status = http.StatusUnprocessableEntity
	}
	report := suppressions.ImportReport{
		Fault: fault, Added: len(added), Refused: len(refused), More: len(refused) > maxRefusedShown,
	}
	for _, r := range refused[:min(len(refused), maxRefusedShown)] {
		line, _ := strconv.Atoi(strings.TrimPrefix(r.Path, "lines."))
		report.Lines = append(report.Lines, suppressions.RefusedLine{
			Line: line, Text: r.PhoneNumber, Problem: firstFault(suppressionFaults(r, v.Lang)),
		})
	}
	return s.suppressionsPage(c, status, suppressions.View{Report: &report})
}

// readSuppressions parses the uploaded file; fault is a sentence if it is missing or unreadable.
func readSuppressions(
	c echo.Context, rules callrules.CallRules, region string, l locale.Language,
) (entries []service.SuppressionRequest, fault string) {
	data, fault := readUpload(c, "file", l)
	if fault != "" {
		return nil, fault
	}
	aliases := columnAliases(service.SuppressionColumns)
	entries, err := service.ReadSuppressions(data, aliases, func(text string) *time.Time {
		return parseUntil(kit.WesternDigits(text), rules)
	})
	switch {
	case errors.Is(err, csvcell.ErrNotUTF8):
		return nil, suppressions.NotUTF8.In(l)
	case err != nil:
		return nil, suppressions.NotCSV.In(l)
	case len(entries) == 0:
		return nil, suppressions.Nothing.In(l)
	}
	for i, r := range entries {
		if number, ok := kit.LocalNumber(r.PhoneNumber, region); ok {
			entries[i].PhoneNumber = number
		}
	}
	return entries, ""
}

// columnAliases returns the names of columns in all languages, by which an import recognizes an exported File.
func columnAliases(keys []string) map[string]string {
	aliases := map[string]string{}
	for _, l := range locale.AllLanguages() {
		for _, key := range keys {
			aliases[locale.ColumnName(l, key)] = key
		}
	}
	return aliases
}

// readUpload returns the content of a form's file; fault is a sentence if it is missing or unreadable.
func readUpload(c echo.Context, field string, l locale.Language) (data []byte, fault string) {
	head, err := c.FormFile(field)
	if err != nil || head.Size == 0 {
		return nil, locale.KitNoFile.In(l)
	}
	if head.Size > maxSuppressionFile {
		return nil, suppressions.TooBig.In(l)
	}
	file, err := head.Open()
	if err != nil {
		return nil, locale.KitNoFile.In(l)
	}
	defer file.Close()
	if data, err = io.ReadAll(file); err != nil {
		return nil, locale.KitNoFile.In(l)
	}
	return data, ""
}

// firstFault returns the first of an entry's violations.
func firstFault(found []form.Violation) string {
	if len(found) == 0 {
		return ""
	}
	return found[0].Message
}
