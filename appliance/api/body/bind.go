package body

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
)

// Bind puts a parsed value into the Go value that into points to and returns all that does not fit. What fits is
// there even if other parts do not.
func Bind(parsed, into any) Violations {
	var b binder
	b.bind("", parsed, reflect.ValueOf(into).Elem())
	return b.found
}

type binder struct{ found Violations }

var timeType = reflect.TypeFor[time.Time]()

func (b *binder) bind(path string, from any, to reflect.Value) {
	kind := to.Kind()
	switch {
	case from == nil && nothing(to):
		to.SetZero()
	case kind == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		b.bind(path, from, to.Elem())
	case to.Type() == timeType:
		b.time(path, from, to)
	case kind == reflect.Interface:
		to.Set(reflect.ValueOf(b.plain(path, from)))
	case kind == reflect.Struct:
		b.object(path, from, to)
	case kind == reflect.Map:
		b.dictionary(path, from, to)
	case kind == reflect.Slice:
		b.list(path, from, to)
	default:
		b.scalar(path, from, to)
	}
}

// nothing says whether null empties v. Where it does not, in a field, null is as if the field were left out.
func nothing(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	default:
		return v.Type() == timeType
	}
}

func (b *binder) time(path string, from any, to reflect.Value) {
	text, isText := from.(string)
	at, ok := Time(text)
	if !isText || !ok {
		b.found.Add(path, "must be an RFC 3339 date-time with a time zone offset, as 2026-11-21T09:30:00+03:00")
		return
	}
	to.Set(reflect.ValueOf(at))
}

// Time reads an RFC 3339 date-time with an offset; what is finer than a millisecond is cut off.
func Time(text string) (time.Time, bool) {
	var at time.Time
	err := at.UnmarshalText([]byte(strings.ToUpper(text))) // RFC 3339 §5.6: t and z too
	if err != nil || strings.Contains(text, ",") {         // a comma for the point is ISO 8601's alone
		return time.Time{}, false
	}
	at = at.UTC().Truncate(time.Millisecond)
	return at, at.Year() > 0 && at.Year() < 10000
}

// plain turns a value into what JSON means by it; numbers that a float64 would round are violations.
func (b *binder) plain(path string, from any) any {
	switch v := from.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil || math.Abs(f) >= 1<<53 && f == math.Trunc(f) {
			b.found.Add(path, "is a number too large to be kept exactly; send it as a string")
		}
		return f
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = b.plain(Join(path, i), v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for name := range v {
			all[name] = b.plain(Join(path, name), v[name])
		}
		return all
	default:
		return v
	}
}

func (b *binder) object(path string, from any, to reflect.Value) {
	all, ok := from.(map[string]any)
	if !ok {
		b.found.Add(path, "must be an object")
		return
	}
	known := map[string]reflect.Value{}
	fields(to, known)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		field, ok := known[name]
		if !ok {
			b.found.Add(Join(path, name), "is not a field that is known here")
			continue
		}
		if all[name] != nil || nothing(field) {
			b.bind(Join(path, name), all[name], field)
		}
	}
}

// fields collects a struct's fields by their JSON names; those of an embedded struct count as its own.
func fields(of reflect.Value, into map[string]reflect.Value) {
	for i := range of.NumField() {
		f := of.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			fields(of.Field(i), into)
		case name != "" && name != "-":
			into[name] = of.Field(i)
		}
	}
}

func (b *binder) dictionary(path string, from any, to reflect.Value) {
	all, ok := from.(map[string]any)
	if !ok {
		b.found.Add(path, "must be an object")
		return
	}
	to.Set(reflect.MakeMapWithSize(to.Type(), len(all)))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v := reflect.New(to.Type().Elem()).Elem()
		b.element(Join(path, name), all[name], v)
		to.SetMapIndex(reflect.ValueOf(name).Convert(to.Type().Key()), v)
	}
}

func (b *binder) list(path string, from any, to reflect.Value) {
	all, ok := from.([]any)
	if !ok {
		b.found.Add(path, "must be an array")
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), len(all), len(all)))
	for i := range all {
		b.element(Join(path, i), all[i], to.Index(i))
	}
}

// element binds what a map or a list holds: a list or an object there is not left out by null.
func (b *binder) element(path string, from any, to reflect.Value) {
	switch kind := to.Kind(); {
	case from == nil && kind == reflect.Slice:
		b.found.Add(path, "must be an array")
	case from == nil && kind == reflect.Map:
		b.found.Add(path, "must be an object")
	default:
		b.bind(path, from, to)
	}
}

func (b *binder) scalar(path string, from any, to reflect.Value) {
	if err := assign(from, to); err != nil {
		b.found.Add(path, "%v", err)
	}
}

func assign(from any, to reflect.Value) error {
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
		return integer(from, to)
	default:
		return errors.New("cannot be given")
	}
}

var errNoInteger = errors.New("must be a whole number")

// integer takes 3, and 3.0 as JSON Schema does.
func integer(from any, to reflect.Value) error {
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
		return errors.New("must be a smaller number")
	}
	to.SetInt(n)
	return nil
}
