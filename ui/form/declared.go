package form

import (
	"github.com/a-h/templ"

	"munadi/ui/locale"
)

// Declared is a field of records of type R, declared once.
type Declared[R any] struct {
	Name        string // of the value, below the path of its record
	Label, Help locale.Text
	Kind        FieldKind
	Dir, Usual  string           // "ltr" for what is not prose; what an empty input means, or an example
	Has         func(R) bool     // whether a record has the field; nil: each has it
	Value       func(R) any      // where the value is: a pointer for [Binder.bindValue]; nil for a File
	Options     func(R) []Option // of a list
	Missing     locale.Text      // says, with {id}, that a list has no such value
	Most        int              // characters; 0: no limit
	Required    bool
	Attributes  templ.Attributes // of the input, beyond those of its kind: autocomplete, min, pattern, placeholder
	Fault       locale.Text      // says what is wrong with a value that is refused; empty: the violation's own sentence
}

// BindDeclared binds the fields that a record has.
func BindDeclared[R any](b *Binder, at string, record R, declared []Declared[R]) (fields []Field) {
	for _, d := range declared {
		if d.Has != nil && !d.Has(record) {
			continue
		}
		name := d.Name
		if at != "" {
			name = at + "." + d.Name
		}
		fields = append(fields, d.bindField(b, name, record))
	}
	return fields
}

// bindField binds one field.
func (d Declared[R]) bindField(b *Binder, name string, record R) Field {
	var f Field
	var value any
	if d.Value != nil {
		value = d.Value(record)
	}
	switch list, isList := value.(*[]string); {
	case value == nil:
		f = b.NewField(name, d.Kind, "")
	case isList && d.Options != nil:
		f = b.bindChoices(name, list, d.Options(record))
	case d.Options != nil:
		f = b.bindValue(name, d.Kind, value)
		f = f.choose(d.Options(record), d.Missing.In(b.Lang))
	default:
		f = b.bindValue(name, d.Kind, value)
	}
	f.label, f.help = d.Label.In(b.Lang), d.Help.In(b.Lang)
	f.dir, f.usual, f.most, f.required, f.further = d.Dir, d.Usual, d.Most, d.Required, d.Attributes
	if f.Fault != "" && d.Fault != (locale.Text{}) {
		f.Fault = d.Fault.In(b.Lang)
	}
	return f
}

// ReadDeclared writes what was submitted of declared fields into a record. Its fields are shown later, by ShowDeclared.
func ReadDeclared[R any](b *Binder, at string, record R, declared []Declared[R]) {
	read := Binder{Lang: b.Lang, Given: b.Given, BadNumbers: b.BadNumbers}
	BindDeclared(&read, at, record, declared)
}

// ShowDeclared returns the fields of a record, which other values may have been submitted for.
func ShowDeclared[R any](b *Binder, at string, record R, declared []Declared[R]) []Field {
	given := b.Given
	b.Given = nil
	fields := BindDeclared(b, at, record, declared)
	b.Given = given
	return fields
}
