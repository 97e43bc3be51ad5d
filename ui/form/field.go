// Package form is a form that is declared once: from the declaration of its fields (name, label, help, kind, value)
// come the HTML, the reading of what was submitted, and the faults beside the fields.
//
// Only a [Binder] makes a [Field], and the name of an input is the field's: an input that nobody reads can't be built.
package form

import (
	"maps"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// FieldKind is a kind of input.
type FieldKind int

// Kinds of inputs.
const (
	Line     FieldKind = iota // a line of text
	Area                      // several lines
	Number                    // a number
	List                      // one of some values
	Check                     // a box to tick
	Choices                   // boxes of one name: any of some values
	Radios                    // one of a few values, all in sight
	Password                  // a secret, never shown again
	Phone                     // a telephone number
	Link                      // a URL
	Date                      // a day, YYYY-MM-DD
	Moment                    // a local time, YYYY-MM-DDTHH:MM
	File                      // a file: the handler reads it
	Hidden                    // a value that goes with the form
)

// inputTypes are the types of the kinds that are a single input.
var inputTypes = map[FieldKind]string{
	Line: "text", Number: "number", Password: "password", Phone: "tel", Link: "url", Date: "date",
	Moment: "datetime-local", File: "file",
}

// Field is an input as it is shown.
type Field struct {
	name        string
	kind        FieldKind
	label, help string
	dir, usual  string // direction of what is typed; what an empty input means, or an example
	most        int    // characters; 0: no limit
	required    bool
	further     templ.Attributes
	Value       string
	Fault       string // a sentence; empty: none
	Checked     bool
	Options     []Option // of a list
}

// Option is one of a list's values.
type Option struct {
	Value, Name string
	Note        string // beside the name, left to right
	Chosen      bool
}

// FieldID returns the id of the input.
func (f Field) FieldID() string { return "f-" + f.name }

// FieldName returns the name of the input, which is the path of the value.
func (f Field) FieldName() string { return f.name }

// Label returns what the input is called on the page.
func (f Field) Label() string { return f.label }

// attributes returns the attributes that every input has.
func (f Field) attributes() templ.Attributes {
	all := templ.Attributes{"id": f.FieldID(), "name": f.name, "aria-invalid": strconv.FormatBool(f.Fault != "")}
	if kind, isInput := inputTypes[f.kind]; isInput {
		all["type"], all["autocomplete"], all["dir"] = kind, "off", f.direction()
	}
	if f.kind == Number {
		all["step"] = "any"
	}
	if f.usual != "" {
		all["placeholder"] = f.usual
	}
	if f.kind != Password && f.kind != File && f.kind != Area && f.kind != List {
		all["value"] = f.Value
	}
	var described []string
	if f.help != "" {
		described = append(described, f.FieldID()+"-hint")
	}
	if f.Fault != "" {
		described = append(described, f.FieldID()+"-error")
	}
	if len(described) > 0 {
		all["aria-describedby"] = strings.Join(described, " ")
	}
	if f.most > 0 {
		all["maxlength"] = strconv.Itoa(f.most)
	}
	if f.required {
		all["required"] = true
	}
	maps.Copy(all, f.further)
	return all
}

// bareAttributes returns the attributes of an input that stands once in each row of a table, without help and fault.
func (f Field) bareAttributes(label string) templ.Attributes {
	all := f.attributes()
	delete(all, "id")
	delete(all, "aria-describedby")
	all["aria-label"] = label
	return all
}

// SuggestionsID returns the id of the suggestions of an input, for its attribute "list".
func SuggestionsID(name string) string { return name + "-suggestions" }

// direction returns the value of the dir attribute.
func (f Field) direction() string {
	switch {
	case f.dir != "":
		return f.dir
	case f.kind == Number, f.kind == Phone, f.kind == Link, f.kind == Date, f.kind == Moment:
		return "ltr"
	}
	return "auto"
}

// isTicked reports whether a box was submitted with its tick; isSent, whether the form had it at all.
func isTicked(values []string) (ticked, isSent bool) {
	for _, v := range values {
		ticked = ticked || v != "" && v != untickedValue
	}
	return ticked, len(values) > 0
}

// The values of a box. Browsers don't submit one without a tick, so that a hidden input of the same name stands for it.
const (
	tickedValue   = "1"
	untickedValue = "0"
)

// AnyFault reports whether one of the fields has a fault, so that what folds them opens.
func AnyFault(fields ...Field) bool {
	for _, f := range fields {
		if f.Fault != "" {
			return true
		}
	}
	return false
}

// UnixLines converts the CR LF of browsers to LF.
func UnixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// spokenRows is the height of a field for a line.
func spokenRows(text string) string {
	return strconv.Itoa(min(6, 1+len([]rune(text))/60))
}
