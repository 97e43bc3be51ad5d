package kit

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store/excerpt"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// FindDayFaults returns what is wrong with the days of a range, from and to: no dates, or turned round.
func FindDayFaults(l locale.Language, q url.Values) (faults []form.Violation) {
	for _, name := range []string{"from", "to"} {
		if typed := strings.TrimSpace(q.Get(name)); typed != "" && ValidDay(typed) == "" {
			faults = append(faults, form.Violation{Path: name, Message: fillTyped(l, locale.KitBadDay, typed)})
		}
	}
	from, to := ValidDay(strings.TrimSpace(q.Get("from"))), ValidDay(strings.TrimSpace(q.Get("to")))
	if from != "" && to != "" && to < from {
		faults = append(faults, form.Violation{Path: "to", Message: locale.KitTurnedRange.In(l)})
	}
	return faults
}

// FindFilterFaults returns the parts of the query of a list of calls that [ParseFilter] can't read: the list without
// them would be another one than the one that was asked for.
func FindFilterFaults(c echo.Context) []form.Violation {
	l, q := RequestVisitor(c).Lang, c.QueryParams()
	faults, filter := FindDayFaults(l, q), ParseFilter(q)
	read := CallsQuery(filter, "")
	for _, name := range []string{"status", "campaign", "number", "name", "answer", "order", "said", "direction"} {
		typed := strings.TrimSpace(q.Get(name))
		isName := name == "number" && filter.Name != ""
		if typed != "" && !read.Has(name) && !isName {
			faults = append(faults, form.Violation{Path: name, Message: fillTyped(l, locale.KitBadFilter, typed)})
		}
	}
	return faults
}

// maxTyped is the number of characters of a faulty value that a fault repeats.
const maxTyped = 60

func fillTyped(l locale.Language, sentence locale.Text, typed string) string {
	return locale.FillSentence(sentence.In(l), "typed", IsolateText(excerpt.TruncateText(typed, maxTyped)))
}

// RedirectToFaults leads from a file or an action to the page whose query it has, which names the query's faults.
func RedirectToFaults(c echo.Context, path string) error {
	return RedirectTo(c, path+"?"+c.Request().URL.RawQuery)
}
