package console

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// newFlash returns a success message for the current page.
func newFlash(text string) *layout.FlashMessage { return &layout.FlashMessage{Text: text} }

// flashSaved sets the message that a scenario was saved, with the first line that no voice can speak.
func flashSaved(c echo.Context, warnings service.FieldViolations, w locale.ScenariosWords) {
	if len(warnings) == 0 {
		flashMessage(c, w.SaidSaved)
		return
	}
	flashProblem(c, w.SaidSaved+" "+strings.ReplaceAll(w.Unspoken, "{line}", quotedLine(warnings[0].Message)))
}

// describeSyntaxError says why a text is not a scenario, and where.
func describeSyntaxError(source string, err error, w locale.ScenariosWords) (fault string, faults []page.ScenarioFault) {
	if len(source) > scenario.MaxBytes {
		return w.TooLong, nil
	}
	line := 0
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line = 1 + strings.Count(source[:min(int(syntax.Offset), len(source))], "\n")
	}
	at := faultAt(strings.Split(source, "\n"), line)
	at.Message = w.NotJSONDo
	return w.NotJSON, []page.ScenarioFault{at}
}
