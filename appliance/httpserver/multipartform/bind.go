package multipartform

import (
	"math"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bindFields sets every field and collects all violations, those of headers first, as FastAPI orders them.
func bindFields(fields []formField, b *formBody, h http.Header) ValidationError {
	var bad ValidationError
	for i := range fields {
		if fields[i].place == inHeader {
			bad = append(bad, fields[i].fromHeader(h)...)
		}
	}
	bad = append(bad, b.faults...)
	for i := range fields {
		if fields[i].place == inBody {
			bad = append(bad, fields[i].fromBody(b)...)
		}
	}
	return bad
}

// fromHeader binds a header's first value. A header that is present but empty is an empty string, unlike an empty
// form value, which is null.
func (f *formField) fromHeader(h http.Header) ValidationError {
	values := h.Values(f.name)
	if len(values) == 0 {
		return f.bindScalar(f.preset, f.preset != "")
	}
	return f.bindScalar(decodeLatin1(values[0]), true)
}

func (f *formField) fromBody(b *formBody) ValidationError {
	switch f.kind {
	case isUpload:
		return f.bindUpload(b)
	case isList:
		return f.bindList(b.values[f.name])
	}
	values := b.values[f.name]
	if len(values) > 0 && values[len(values)-1] != "" {
		return f.bindScalar(values[len(values)-1], true)
	}
	if f.required && !b.unread {
		return ValidationError{missingViolation(f.violationLoc())}
	}
	return f.bindScalar(f.preset, f.preset != "")
}

func (f *formField) bindUpload(b *formBody) ValidationError {
	u, texts := b.files[f.name], b.values[f.name]
	switch {
	case u != nil:
		f.dst.Set(reflect.ValueOf(u))
	case b.broken[f.name]:
		return ValidationError{brokenFile(f.violationLoc())}
	case len(texts) > 0 && texts[len(texts)-1] != "":
		return ValidationError{notUpload(f.violationLoc(), replaceInvalidUTF8(texts[len(texts)-1]))}
	case f.required && !b.unread:
		return ValidationError{missingViolation(f.violationLoc())}
	}
	return nil
}

// bindList binds every value of the field; empty ones are null and left out.
func (f *formField) bindList(values []string) ValidationError {
	var bad ValidationError
	kept := []string{}
	for i, v := range values {
		if v == "" {
			continue
		}
		if one := f.checkString(v, f.violationLoc(i)); one != nil {
			bad = append(bad, *one)
			continue
		}
		kept = append(kept, v)
	}
	f.dst.Set(reflect.ValueOf(kept))
	return bad
}

// bindScalar sets the field from its text, or to nil (zero, when it can't be nil) when the field is absent.
func (f *formField) bindScalar(s string, present bool) ValidationError {
	f.dst.SetZero()
	if !present {
		return nil
	}
	target := f.dst
	if f.nullable {
		target = reflect.New(f.dst.Type().Elem()).Elem()
	}
	if bad := f.setValue(target, s); bad != nil {
		return ValidationError{*bad}
	}
	if f.nullable {
		f.dst.Set(target.Addr())
	}
	return nil
}

func (f *formField) setValue(target reflect.Value, s string) *FieldViolation {
	var bad *scalarFault
	switch f.kind {
	case isBool:
		var v bool
		v, bad = parseBool(s)
		target.SetBool(v)
	case isInt:
		var v int64
		v, bad = parseInt(s)
		target.SetInt(v)
		if bad == nil {
			return f.checkRange(float64(v), s)
		}
	case isFloat:
		var v float64
		v, bad = parseFloat(s)
		target.SetFloat(v)
		if bad == nil {
			return f.checkRange(v, s)
		}
	default:
		target.SetString(s)
		return f.checkString(s, f.violationLoc())
	}
	if bad != nil {
		return &FieldViolation{Type: bad.kind, Loc: f.violationLoc(), Msg: bad.msg, Input: replaceInvalidUTF8(s)}
	}
	return nil
}

func (f *formField) checkRange(v float64, input string) *FieldViolation {
	for _, b := range bounds {
		if limit, ok := f.limits[b.tag]; ok && !b.holds(v, limit) {
			bad := outOfRange(b, limit, f.violationLoc(), input)
			return &bad
		}
	}
	return nil
}

// checkString validates a string: its choices, or its length and then its pattern; only the first violation is
// reported, as in Pydantic.
func (f *formField) checkString(s string, loc []any) *FieldViolation {
	var bad FieldViolation
	length := utf8.RuneCountInString(s)
	switch {
	case f.literal != nil && !slices.Contains(f.literal, s) && (f.fits == nil || !f.fits(s)):
		bad = oneOf("literal_error", loc, replaceInvalidUTF8(s), f.literal)
	case f.enum != nil && !slices.Contains(f.enum, s):
		bad = oneOf("enum", loc, replaceInvalidUTF8(s), f.enum)
	case !utf8.ValidString(s):
		bad = notUnicode(loc)
	case length < f.min:
		bad = tooShort(loc, s, f.min)
	case f.max > 0 && length > f.max:
		bad = tooLong(loc, s, f.max)
	case f.pattern != nil && !f.pattern.MatchString(s):
		bad = patternViolation(loc, s, f.pattern.String())
	default:
		return nil
	}
	return &bad
}

// replaceInvalidUTF8 decodes text that is not UTF-8 as Latin-1, as Starlette does, so that it can be written as JSON.
func replaceInvalidUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return decodeLatin1(s)
}

// decodeLatin1 decodes bytes as ISO 8859-1, which is how HTTP reads a header's bytes beyond ASCII.
func decodeLatin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// Pydantic's lax mode on strings: surrounding space, a sign, underscores (in integers between digits only), and for
// integers a fraction of zeros. testdata/pydantic.json holds Pydantic's result for each spelling.
var (
	integer = regexp.MustCompile(`^[+-]?[0-9]+(_[0-9]+)*(\.0+)?$`)
	decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	special = regexp.MustCompile(`(?i)^[+-]?(inf|infinity|nan)$`)
)

// maxDigits is the length from which Pydantic refuses to parse an integer.
const maxDigits = 4300

// scalarFault is the type and message of a scalar's violation.
type scalarFault struct{ kind, msg string }

var (
	notInt    = &scalarFault{"int_parsing", "Input should be a valid integer, unable to parse string as an integer"}
	hugeInt   = &scalarFault{"int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size"}
	notFloat  = &scalarFault{"float_parsing", "Input should be a valid number, unable to parse string as a number"}
	notFinite = &scalarFault{"finite_number", "Input should be a finite number"}
	notBool   = &scalarFault{"bool_parsing", "Input should be a valid boolean, unable to interpret input"}
)

// parseInt parses an integer and saturates at the ends of int64, so that a range check still names the right bound.
func parseInt(s string) (int64, *scalarFault) {
	if len(s) > maxDigits {
		return 0, hugeInt
	}
	s = strings.TrimSpace(s)
	if !integer.MatchString(s) {
		return 0, notInt
	}
	s, _, _ = strings.Cut(strings.ReplaceAll(s, "_", ""), ".")
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		return n, nil
	}
	if s[0] == '-' {
		return math.MinInt64, nil
	}
	return math.MaxInt64, nil
}

func parseFloat(s string) (float64, *scalarFault) {
	s = plainFloat(s)
	if special.MatchString(s) {
		return 0, notFinite
	}
	if !decimal.MatchString(s) {
		return 0, notFloat
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // the syntax is right, so it is too large
		return 0, notFinite
	}
	return f, nil
}

// plainFloat removes the space around a number, or single underscores within it; text with both is refused (empty).
func plainFloat(s string) string {
	trimmed := strings.TrimSpace(s)
	if !strings.Contains(s, "_") {
		return trimmed
	}
	if s != trimmed || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return ""
	}
	return strings.ReplaceAll(s, "_", "")
}

func parseBool(s string) (bool, *scalarFault) {
	switch strings.ToLower(s) {
	case "1", "on", "t", "true", "y", "yes":
		return true, nil
	case "0", "off", "f", "false", "n", "no":
		return false, nil
	}
	return false, notBool
}
