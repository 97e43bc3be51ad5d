package multipartform

import (
	"mime"
	"mime/multipart"
	"path/filepath"
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
	fits     func(value string) bool // see [FieldRule]
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

// partDisposition is a part's parsed Content-Disposition header.
type partDisposition struct {
	field    string
	filename string // base name, without directories
	isFile   bool   // Starlette's test: the parameter is there, even when it is empty
}

// loose matches the two parameters in a Content-Disposition header that package mime refuses: a bare quote or a
// backslash at the end of a file name, letters beyond ASCII without quotes. A file is recognized by its content, so
// its name must not cause a refusal.
var loose = regexp.MustCompile(`(?is);\s*(name|filename)\s*=\s*(?:"(.*?)"\s*(?:;|$)|([^;]*))`)

func parseDisposition(part *multipart.Part) partDisposition {
	header := part.Header.Get("Content-Disposition")
	_, params, err := mime.ParseMediaType(header)
	if err != nil {
		params = looseParams(header)
	}
	filename, isFile := params["filename"]
	if filename != "" {
		filename = filepath.Base(filename)
	}
	return partDisposition{field: params["name"], filename: filename, isFile: isFile}
}

// looseParams parses such a header; the search continues at the semicolon that ended a parameter.
func looseParams(header string) map[string]string {
	params := map[string]string{}
	for {
		m := loose.FindStringSubmatchIndex(header)
		if m == nil {
			return params
		}
		value, end := m[4:6], m[5]
		if value[0] < 0 {
			value, end = m[6:8], m[7]
		}
		params[strings.ToLower(header[m[2]:m[3]])] = header[value[0]:value[1]]
		header = header[end:]
	}
}
