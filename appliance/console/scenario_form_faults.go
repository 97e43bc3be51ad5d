package console

import (
	"strings"

	"munadi/appliance/service"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// faultTracker holds the faults of a draft and marks those that are shown.
type faultTracker struct {
	found service.FieldViolations
	used  map[int]bool
	lang  locale.Language
}

// takeAt returns the unshown violations at some paths as sentences in the page's language.
func (f *faultTracker) takeAt(paths ...string) string {
	var all []string
	for i, v := range f.found {
		for _, path := range paths {
			if v.Field == path && !f.used[i] {
				f.used[i] = true
				all = append(all, locale.ScenarioFault(f.lang, v.Message))
			}
		}
	}
	return strings.Join(all, " ")
}

// takeRest returns the violations within a path that are not shown yet; all of them for an empty path.
func (f *faultTracker) takeRest(within string) (rest []page.FormFault) {
	for i, v := range f.found {
		inside := within == "" || v.Field == within || strings.HasPrefix(v.Field, within+".")
		if inside && !f.used[i] {
			f.used[i] = true
			rest = append(rest, page.FormFault{Path: v.Field, Message: locale.ScenarioFault(f.lang, v.Message)})
		}
	}
	return rest
}
