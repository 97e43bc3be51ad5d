package strictjson

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/store/jsontext"
)

// BindValue assigns a parsed value to the Go value that into points to and returns all violations. Valid parts are
// assigned even if others are not.
func BindValue(parsed, into any) Violations {
	var b ValueBinder
	b.bindValue("", parsed, reflect.ValueOf(into).Elem())
	return b.Violations
}

// ValueBinder collects the violations of a value while its parts are assigned.
type ValueBinder struct{ Violations }

// BindStruct assigns a parsed object to the fields of the struct that into points to.
func (b *ValueBinder) BindStruct(path string, from, into any) {
	b.bindObject(path, from, reflect.ValueOf(into).Elem())
}

// FormBinder is implemented by a type with alternative JSON forms, such as a bare text instead of an object. BindForm
// assigns a parsed value other than null.
type FormBinder interface {
	BindForm(b *ValueBinder, path string, from any)
}

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

func (b *ValueBinder) bindValue(path string, from any, to reflect.Value) {
	kind := to.Kind()
	form, hasForm := to.Addr().Interface().(FormBinder)
	switch {
	case from == nil && (hasForm || allowsNull(to)):
		to.SetZero()
	case hasForm:
		form.BindForm(b, path, from)
	case to.Type() == rawType:
		b.bindRaw(path, from, to)
	case kind == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		b.bindValue(path, from, to.Elem())
	case to.Type() == timeType:
		b.bindTime(path, from, to)
	case kind == reflect.Interface:
		to.Set(reflect.ValueOf(b.bindAny(path, from)))
	case kind == reflect.Struct:
		b.bindObject(path, from, to)
	case kind == reflect.Map:
		b.bindMap(path, from, to)
	case kind == reflect.Slice:
		b.bindList(path, from, to)
	default:
		b.bindScalar(path, from, to)
	}
}

// allowsNull reports whether null sets v to its empty value. In other fields null counts as absent.
func allowsNull(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	default:
		return v.Type() == timeType
	}
}

// bindRaw stores a value as JSON, with its names sorted.
func (b *ValueBinder) bindRaw(path string, from any, to reflect.Value) {
	text, err := jsontext.MarshalUnescaped(from)
	if err != nil {
		b.AddViolation(path, "cannot be encoded as JSON")
	}
	to.SetBytes(text)
}

func (b *ValueBinder) bindTime(path string, from any, to reflect.Value) {
	text, isText := from.(string)
	at, ok := ParseTime(text)
	if !isText || !ok {
		b.AddViolation(path, "must be an RFC 3339 date-time with a time zone offset, as 2026-11-21T09:30:00+03:00")
		return
	}
	to.Set(reflect.ValueOf(at))
}

// ParseTime parses an RFC 3339 date-time with an offset and truncates it to milliseconds.
func ParseTime(text string) (time.Time, bool) {
	var at time.Time
	err := at.UnmarshalText([]byte(strings.ToUpper(text))) // RFC 3339 §5.6: t and z too
	if err != nil || !isStrictTime(text) {
		return time.Time{}, false
	}
	at = at.UTC().Truncate(time.Millisecond)
	return at, at.Year() > 0 && at.Year() < 10000
}

// isStrictTime refuses what package time parses beyond RFC 3339: a comma as decimal sign, an offset of 24 hours.
func isStrictTime(text string) bool {
	return !strings.Contains(text, ",") && !strings.HasSuffix(text, "+24:00") && !strings.HasSuffix(text, "-24:00")
}

// bindAny converts a value to plain Go values; numbers that a float64 would round are violations.
func (b *ValueBinder) bindAny(path string, from any) any {
	switch v := from.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil || math.Abs(f) >= 1<<53 && f == math.Trunc(f) {
			b.AddViolation(path, "is a number too large to be stored exactly; send it as a string")
		}
		return f
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = b.bindAny(JoinPath(path, i), v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for name := range v {
			all[name] = b.bindAny(JoinPath(path, name), v[name])
		}
		return all
	default:
		return v
	}
}

func (b *ValueBinder) bindObject(path string, from any, to reflect.Value) {
	all, ok := from.(map[string]any)
	if !ok {
		b.AddViolation(path, "must be an object")
		return
	}
	known := map[string]reflect.Value{}
	collectFields(to, known)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		field, ok := known[name]
		if !ok {
			b.AddViolation(JoinPath(path, name), "is not a known field")
			continue
		}
		if all[name] != nil || allowsNull(field) {
			b.bindValue(JoinPath(path, name), all[name], field)
		}
	}
}

// collectFields collects a struct's fields by their JSON names, those of embedded structs included.
func collectFields(of reflect.Value, into map[string]reflect.Value) {
	for i := range of.NumField() {
		f := of.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			collectFields(of.Field(i), into)
		case name != "" && name != "-":
			into[name] = of.Field(i)
		}
	}
}

func (b *ValueBinder) bindMap(path string, from any, to reflect.Value) {
	all, ok := from.(map[string]any)
	if !ok {
		b.AddViolation(path, "must be an object")
		return
	}
	to.Set(reflect.MakeMapWithSize(to.Type(), len(all)))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v := reflect.New(to.Type().Elem()).Elem()
		b.bindElement(JoinPath(path, name), all[name], v)
		to.SetMapIndex(reflect.ValueOf(name).Convert(to.Type().Key()), v)
	}
}

func (b *ValueBinder) bindList(path string, from any, to reflect.Value) {
	all, ok := from.([]any)
	if !ok {
		b.AddViolation(path, "must be an array")
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), len(all), len(all)))
	for i := range all {
		b.bindElement(JoinPath(path, i), all[i], to.Index(i))
	}
}

// bindElement binds an element of a map or a list, where null is not allowed for a list or an object.
func (b *ValueBinder) bindElement(path string, from any, to reflect.Value) {
	switch kind := to.Kind(); {
	case to.Type() == rawType:
		b.bindRaw(path, from, to)
	case from == nil && kind == reflect.Slice:
		b.AddViolation(path, "must be an array")
	case from == nil && kind == reflect.Map:
		b.AddViolation(path, "must be an object")
	default:
		b.bindValue(path, from, to)
	}
}

func (b *ValueBinder) bindScalar(path string, from any, to reflect.Value) {
	if err := assignScalar(from, to); err != nil {
		b.AddViolation(path, "%v", err)
	}
}

func assignScalar(from any, to reflect.Value) error {
	switch to.Kind() {
	case reflect.String:
		if text, ok := from.(string); ok {
			to.SetString(text)
			return nil
		}
		return errors.New("must be a string")
	case reflect.Bool:
		if yes, ok := from.(bool); ok {
			to.SetBool(yes)
			return nil
		}
		return errors.New("must be true or false")
	case reflect.Int, reflect.Int64:
		return assignInteger(from, to)
	case reflect.Float64:
		number, _ := from.(json.Number)
		n, err := number.Float64()
		if err != nil {
			return errors.New("must be a number")
		}
		to.SetFloat(n)
		return nil
	default:
		return errors.New("cannot be set")
	}
}

var errNoInteger = errors.New("must be an integer")

// assignInteger accepts 3, and 3.0 as JSON Schema does.
func assignInteger(from any, to reflect.Value) error {
	text, ok := from.(json.Number)
	if !ok {
		return errNoInteger
	}
	n, err := strconv.ParseInt(text.String(), 10, 64)
	if err != nil {
		f, bad := text.Float64()
		if bad != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return errNoInteger
		}
		n = int64(f)
	}
	if to.OverflowInt(n) {
		return errors.New("must be a smaller integer")
	}
	to.SetInt(n)
	return nil
}
