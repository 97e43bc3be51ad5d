package multipartform

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// fieldKind is the type of a field's value; a pointer has the kind of its element and may be nil.
type fieldKind int

const (
	isString fieldKind = iota
	isBool
	isInt
	isFloat
	isList
	isUpload
)

// formField is one tagged field of a struct with its parsed tags.
type formField struct {
	name     string
	place    string // where it is: body, header or query
	kind     fieldKind
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

func fieldsOf(dst any) []formField {
	v := reflect.ValueOf(dst).Elem()
	var fields []formField
	for _, declared := range reflect.VisibleFields(v.Type()) {
		tag := declared.Tag
		f := formField{dst: v.FieldByIndex(declared.Index)}
		if len(declared.Index) > 1 {
			name, _, _ := strings.Cut(tag.Get("json"), ",")
			f.name, f.place = name, inBody
		}
		for _, at := range []struct{ tag, place string }{{"form", inBody}, {"header", inHeader}, {"query", inQuery}} {
			if name := tag.Get(at.tag); name != "" {
				f.name, f.place = name, at.place
			}
		}
		if f.name == "" {
			continue
		}
		f.kind, f.nullable = kindOf(declared.Type)
		f.readTag(tag)
		fields = append(fields, f)
	}
	return fields
}

func kindOf(t reflect.Type) (fieldKind, bool) {
	if t == reflect.TypeFor[*UploadedFile]() {
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

func (f *formField) readTag(tag reflect.StructTag) {
	f.preset, f.required = tag.Get("default"), tag.Get("required") == "true"
	f.literal, f.enum = splitTag(tag.Get("literal")), splitTag(tag.Get("enum"))
	f.min, f.max = int(parseTagNumber(tag.Get("minlen"))), int(parseTagNumber(tag.Get("maxlen")))
	if p := tag.Get("pattern"); p != "" {
		f.pattern = regexp.MustCompile(p)
	}
	f.limits = map[string]float64{}
	for _, b := range bounds {
		if text, ok := tag.Lookup(b.tag); ok {
			f.limits[b.tag] = parseTagNumber(text)
		}
	}
}

func splitTag(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

// parseTagNumber parses a number in a struct tag, 0 if malformed. The tests of each form compare its tags with the
// published schema.
func parseTagNumber(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return n
}

// findField returns the body field of that name, or nil.
func findField(fields []formField, name string) *formField {
	for i := range fields {
		if fields[i].name == name && fields[i].place == inBody {
			return &fields[i]
		}
	}
	return nil
}

func (f *formField) violationLoc(index ...any) []any { return append([]any{f.place, f.name}, index...) }

// The places of fields, as violations name them.
const (
	inBody   = "body"
	inHeader = "header"
	inQuery  = "query"
)
