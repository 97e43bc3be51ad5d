package form

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// kind is what a field holds; pointers are kinds of their element that may be nil.
type kind int

const (
	isString kind = iota
	isBool
	isInt
	isFloat
	isList
	isUpload
)

// field is one tagged field of a struct, its tags understood.
type field struct {
	name     string
	place    string // where it is: body, header or query
	kind     kind
	nullable bool
	dst      reflect.Value

	preset   string
	required bool
	literal  []string
	enum     []string
	limits   map[string]float64 // ge, gt, le, lt
	min, max int                // characters; max 0 = any
	pattern  *regexp.Regexp
}

func fieldsOf(dst any) []field {
	v := reflect.ValueOf(dst).Elem()
	fields := make([]field, 0, v.NumField())
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		f := field{dst: v.Field(i)}
		for _, at := range []struct{ tag, place string }{{"form", inBody}, {"header", inHeader}, {"query", inQuery}} {
			if name := tag.Get(at.tag); name != "" {
				f.name, f.place = name, at.place
			}
		}
		if f.name == "" {
			continue
		}
		f.kind, f.nullable = kindOf(v.Type().Field(i).Type)
		f.read(tag)
		fields = append(fields, f)
	}
	return fields
}

func kindOf(t reflect.Type) (kind, bool) {
	if t == reflect.TypeFor[*Upload]() {
		return isUpload, true
	}
	if t == reflect.TypeFor[[]string]() {
		return isList, true
	}
	nullable := t.Kind() == reflect.Pointer
	if nullable {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return isBool, nullable
	case reflect.Int:
		return isInt, nullable
	case reflect.Float64:
		return isFloat, nullable
	default:
		return isString, nullable
	}
}

func (f *field) read(tag reflect.StructTag) {
	f.preset, f.required = tag.Get("default"), tag.Get("required") == "true"
	f.literal, f.enum = split(tag.Get("literal")), split(tag.Get("enum"))
	f.min, f.max = int(number(tag.Get("minlen"))), int(number(tag.Get("maxlen")))
	if p := tag.Get("pattern"); p != "" {
		f.pattern = regexp.MustCompile(p)
	}
	f.limits = map[string]float64{}
	for _, b := range bounds {
		if text, ok := tag.Lookup(b.tag); ok {
			f.limits[b.tag] = number(text)
		}
	}
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

// number reads a tag's number. Tags are ours: the tests of each form compare them with the published schema.
func number(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return n
}

// find returns the body field of that name, or nil.
func find(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name && fields[i].place == inBody {
			return &fields[i]
		}
	}
	return nil
}

func (f *field) loc(index ...any) []any { return append([]any{f.place, f.name}, index...) }

// The places of fields, as violations name them.
const (
	inBody   = "body"
	inHeader = "header"
	inQuery  = "query"
)
