package rules

import (
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
	"munadi/store/callrules"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/suppressions"
)

const (
	maxSuppressionFile = 16 << 20 // bytes
	maxRefusedShown    = 200
)

// exportSuppressions exports the whole list as CSV, in the format of the import.
func (s handlers) exportSuppressions(c echo.Context) error {
	kit.SetCSVHeaders(c, "suppressions.csv")
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
