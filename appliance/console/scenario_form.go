package console

import (
	"net/url"
	"strconv"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
	"munadi/ui/scenarios"
)

// formBinder binds the fields of a scenario's form. It writes submitted changes into the scenario, so that parts that
// the form does not show are kept, and returns the fields for display.
type formBinder struct {
	plan   *scenario.Scenario
	given  url.Values // submitted values; nil: none
	faults *faultTracker
	lang   locale.Language

	badNumbers map[string]bool   // fields whose number cannot be parsed
	renamed    map[string]string // step ids, old to new
	count      int               // number of fields
}

func newBinder(
	plan *scenario.Scenario, given url.Values, found service.FieldViolations, l locale.Language,
) *formBinder {
	return &formBinder{
		plan: plan, given: given, faults: &faultTracker{found: found, lang: l, used: map[int]bool{}}, lang: l,
		badNumbers: map[string]bool{}, renamed: map[string]string{},
	}
}

// typedValue returns the submitted value of a field.
func (b *formBinder) typedValue(path string) (string, bool) {
	if b.given == nil || !b.given.Has(path) {
		return "", false
	}
	return unixLines(b.given.Get(path)), true
}

// unixLines converts the CR LF of forms to LF, as in JSON.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// newField returns a field for display, with the faults at its path and further ones.
func (b *formBinder) newField(path, value string, further ...string) page.FormField {
	b.count++
	f := page.FormField{Path: path, Value: value, Fault: b.faults.takeAt(append(further, path)...)}
	if b.badNumbers[path] {
		f.Fault = scenarios.EditorBadNumber.In(b.lang)
	}
	return f
}

// bindText binds a text.
func bindText[T ~string](b *formBinder, path string, value *T) page.FormField {
	if typed, ok := b.typedValue(path); ok && typed != unixLines(string(*value)) {
		*value = T(strings.TrimSpace(typed))
	}
	return b.newField(path, string(*value))
}

// bindLabel binds a label in the page's language; the other language keeps its text.
func (b *formBinder) bindLabel(path string, label *scenario.Label) page.FormField {
	text := &label.English
	if b.lang == locale.Arabic {
		text = &label.Arabic
	}
	return bindText(b, path, text)
}

// bindList binds texts, one on each line.
func bindList(b *formBinder, path string, list *[]string) page.FormField {
	joined := strings.Join(*list, "\n")
	if typed, ok := b.typedValue(path); ok && typed != unixLines(joined) {
		*list = nil
		for line := range strings.SplitSeq(typed, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				*list = append(*list, line)
			}
		}
		joined = strings.Join(*list, "\n")
	}
	f := b.newField(path, joined)
	for i := range *list {
		f.Fault = strings.TrimSpace(f.Fault + " " + b.faults.takeAt(scenario.IndexPath(path, i)))
	}
	return f
}

// bindCheck binds a checkbox. Browsers do not submit an unticked one, so shown says whether the form has it.
func (b *formBinder) bindCheck(path string, value *bool, shown bool) page.FormField {
	if shown {
		*value = b.given.Has(path)
	}
	f := b.newField(path, "")
	f.Checked = *value
	return f
}

// bindChoice binds a value of a list. A value outside the list is shown unchanged.
func bindChoice[T ~string](b *formBinder, path string, value *T, options []page.ListChoice) page.FormField {
	f := bindText(b, path, value)
	known := false
	for i := range options {
		options[i].Chosen = options[i].Value == string(*value)
		known = known || options[i].Chosen
	}
	if !known {
		name := locale.FillSentence(scenarios.EditorMissing.In(b.lang), "id", string(*value))
		options = append(options, page.ListChoice{Value: string(*value), Name: name, Chosen: true})
	}
	f.Options = options
	return f
}

// bindCount binds a whole number; empty is 0, which means the default.
func (b *formBinder) bindCount(path string, value *int) page.FormField {
	shown := ""
	if *value != 0 {
		shown = strconv.Itoa(*value)
	}
	b.bindNumber(path, shown, func(typed string) (err error) {
		n := 0
		if typed != "" {
			n, err = strconv.Atoi(typed)
		}
		if err == nil {
			*value = n
		}
		return err
	})
	if shown = ""; *value != 0 {
		shown = strconv.Itoa(*value)
	}
	return b.newField(path, shown)
}

// bindOptionalCount binds a whole number that may be absent.
func (b *formBinder) bindOptionalCount(path string, value **int) page.FormField {
	text := func() string {
		if *value == nil {
			return ""
		}
		return strconv.Itoa(**value)
	}
	b.bindNumber(path, text(), func(typed string) error {
		if typed == "" {
			*value = nil
			return nil
		}
		n, err := strconv.Atoi(typed)
		if err == nil {
			*value = &n
		}
		return err
	})
	return b.newField(path, text())
}

// bindBound binds a bound of a number, which may be absent.
func (b *formBinder) bindBound(path string, value **float64) page.FormField {
	text := func() string {
		if *value == nil {
			return ""
		}
		return strconv.FormatFloat(**value, 'f', -1, 64)
	}
	b.bindNumber(path, text(), func(typed string) error {
		if typed == "" {
			*value = nil
			return nil
		}
		n, err := strconv.ParseFloat(typed, 64)
		if err == nil {
			*value = &n
		}
		return err
	})
	return b.newField(path, text())
}

// bindNumber applies a submitted number if it differs from the shown one, and marks an invalid one.
func (b *formBinder) bindNumber(path, shown string, set func(typed string) error) {
	typed, ok := b.typedValue(path)
	if typed = kit.WesternDigits(strings.TrimSpace(typed)); ok && typed != shown && set(typed) != nil {
		b.badNumbers[path] = true
	}
}
