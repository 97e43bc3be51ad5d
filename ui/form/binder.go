package form

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"munadi/ui/locale"
)

// Violation is a fault of a value: its path, and a sentence in the page's language.
type Violation struct{ Path, Message string }

// Binder writes what was submitted into a record, and returns the fields to be shown. A value that was not submitted,
// or submitted as it was shown, is left as it is.
type Binder struct {
	Lang       locale.Language
	Given      url.Values      // what was submitted; nil: the form is only shown
	BadNumbers map[string]bool // names of fields whose number can't be read
	Count      int             // of fields

	violations []Violation
	placed     map[int]bool // violations that a field shows
}

// NewBinder returns a binder; given is nil for a form that is only shown.
func NewBinder(l locale.Language, given url.Values, violations []Violation) *Binder {
	return &Binder{Lang: l, Given: given, BadNumbers: map[string]bool{}, violations: violations, placed: map[int]bool{}}
}

// TypedValue returns the submitted value of a field; false if the form didn't have it.
func (b *Binder) TypedValue(name string) (string, bool) {
	if !b.Given.Has(name) {
		return "", false
	}
	return UnixLines(b.Given.Get(name)), true
}

// TakeFault returns the violations at some paths that no field shows yet.
func (b *Binder) TakeFault(paths ...string) string {
	var all []string
	for i, v := range b.violations {
		if slices.Contains(paths, v.Path) && !b.placed[i] {
			b.placed[i] = true
			all = append(all, v.Message)
		}
	}
	return strings.Join(all, " ")
}

// TakeRest returns the violations within a path that no field shows yet; all of them for an empty path.
func (b *Binder) TakeRest(within string) (rest []Violation) {
	for i, v := range b.violations {
		inside := within == "" || v.Path == within || strings.HasPrefix(v.Path, within+".")
		if inside && !b.placed[i] {
			b.placed[i] = true
			rest = append(rest, v)
		}
	}
	return rest
}

// NewField returns a field of a value, with the faults at its path and at further ones.
func (b *Binder) NewField(name string, kind FieldKind, value string, further ...string) Field {
	b.Count++
	f := Field{name: name, kind: kind, Value: value, Fault: b.TakeFault(append(further, name)...)}
	if b.BadNumbers[name] {
		f.Fault = locale.KitBadNumber.In(b.Lang)
	}
	return f
}

// bindValue binds a value by the type that to points to: a string, an int (0 is empty), a *int or *float64 (nil is
// empty), a bool, a list of numbers with commas between, or a list of strings, one on each line.
func (b *Binder) bindValue(name string, kind FieldKind, to any) Field {
	switch to := to.(type) {
	case *bool:
		return b.bindCheck(name, to)
	case *int:
		return b.bindNumber(name, formatCount(*to), func(typed string) (err error) {
			n := 0
			if typed != "" {
				n, err = strconv.Atoi(typed)
			}
			if err == nil {
				*to = n
			}
			return err
		}, func() string { return formatCount(*to) })
	case **int:
		format := func(n int) string { return strconv.Itoa(n) }
		return bindOptional(b, name, to, strconv.Atoi, format)
	case **float64:
		parse := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
		return bindOptional(b, name, to, parse, func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) })
	case *[]string:
		return b.bindLines(name, to)
	case *[]int:
		return b.bindNumbers(name, to)
	}
	text := reflect.ValueOf(to).Elem() // a string, or a type of strings
	typed, ok := b.TypedValue(name)
	switch {
	case ok && kind == Password:
		text.SetString(b.Given.Get(name)) // as it was typed
	case ok && typed != UnixLines(text.String()):
		text.SetString(strings.TrimSpace(typed))
	}
	return b.NewField(name, kind, text.String())
}

// formatCount writes a number; 0, which means the usual, is empty.
func formatCount(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (b *Binder) bindCheck(name string, to *bool) Field {
	if ticked, isSent := isTicked(b.Given[name]); isSent {
		*to = ticked
	}
	f := b.NewField(name, Check, "")
	f.Checked = *to
	return f
}

// bindNumber applies a submitted number that differs from the shown one, and marks one that can't be read.
func (b *Binder) bindNumber(name, shown string, set func(typed string) error, format func() string) Field {
	typed, ok := b.TypedValue(name)
	if typed = locale.LatinDigits(strings.TrimSpace(typed)); ok && typed != shown && set(typed) != nil {
		b.BadNumbers[name] = true
		return b.NewField(name, Number, typed)
	}
	return b.NewField(name, Number, format())
}

func bindOptional[N int | float64](
	b *Binder, name string, to **N, parse func(string) (N, error), format func(N) string,
) Field {
	show := func() string {
		if *to == nil {
			return ""
		}
		return format(**to)
	}
	return b.bindNumber(name, show(), func(typed string) error {
		if typed == "" {
			*to = nil
			return nil
		}
		n, err := parse(typed)
		if err == nil {
			*to = &n
		}
		return err
	}, show)
}

func (b *Binder) bindLines(name string, to *[]string) Field {
	joined := strings.Join(*to, "\n")
	if typed, ok := b.TypedValue(name); ok && typed != UnixLines(joined) {
		*to = nil
		for line := range strings.SplitSeq(typed, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				*to = append(*to, line)
			}
		}
		joined = strings.Join(*to, "\n")
	}
	f := b.NewField(name, Area, joined)
	f.Fault = strings.TrimSpace(f.Fault + " " + b.takeElements(name, len(*to)))
	return f
}

func (b *Binder) bindNumbers(name string, to *[]int) Field {
	if typed, ok := b.TypedValue(name); ok && typed != FormatNumbers(*to) {
		if numbers, ok := ParseNumbers(typed); ok {
			*to = numbers
		} else {
			b.BadNumbers[name] = true
		}
	}
	f := b.NewField(name, Line, FormatNumbers(*to))
	f.Fault = strings.TrimSpace(f.Fault + " " + b.takeElements(name, len(*to)))
	return f
}

// takeElements returns the faults of a list's elements.
func (b *Binder) takeElements(name string, n int) string {
	var all []string
	for i := range n {
		if fault := b.TakeFault(name + "." + strconv.Itoa(i)); fault != "" {
			all = append(all, fault)
		}
	}
	return strings.Join(all, " ")
}

// bindChoices binds which of some values are in a list, as boxes of one name.
func (b *Binder) bindChoices(name string, to *[]string, options []Option) Field {
	if b.Given.Has(name) {
		*to = nil
		for _, o := range options {
			if slices.Contains(b.Given[name], o.Value) {
				*to = append(*to, o.Value)
			}
		}
	}
	f := b.NewField(name, Choices, "")
	for i, o := range options {
		options[i].Chosen = slices.Contains(*to, o.Value)
	}
	f.Fault = strings.TrimSpace(f.Fault + " " + b.takeElements(name, len(*to)))
	f.Options = options
	return f
}

// choose marks the option that is the field's value; a value outside of the list is shown as missing, with the text
// that has {id}.
func (f Field) choose(options []Option, missing string) Field {
	known := false
	for i := range options {
		options[i].Chosen = options[i].Value == f.Value
		known = known || options[i].Chosen
	}
	if !known {
		name := locale.FillSentence(missing, "id", f.Value)
		options = append(options, Option{Value: f.Value, Name: name, Chosen: true})
	}
	f.Options = options
	return f
}
