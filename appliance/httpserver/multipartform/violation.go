package multipartform

import (
	"fmt"
	"strconv"
	"strings"
)

// FieldViolation is one entry of a 422 response's detail array, as Pydantic v2 writes it.
type FieldViolation struct {
	Type  string         `json:"type"`
	Loc   []any          `json:"loc"` // strings and array indices
	Msg   string         `json:"msg"`
	Input any            `json:"input"`
	Ctx   map[string]any `json:"ctx,omitempty"`
}

// ValidationError is every violation of one request (422).
type ValidationError []FieldViolation

func (v ValidationError) Error() string {
	var b strings.Builder
	for i, one := range v {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%v: %s", one.Loc, one.Msg)
	}
	return b.String()
}

func missingViolation(loc []any) FieldViolation {
	return FieldViolation{Type: "missing", Loc: loc, Msg: "Field required"}
}

// notUpload returns FastAPI's violation for a text field where a file is expected.
func notUpload(loc []any, got string) FieldViolation {
	return FieldViolation{
		Type: "value_error", Loc: loc, Input: got, Ctx: map[string]any{"error": map[string]any{}},
		Msg: "Value error, Expected UploadFile, received: <class 'str'>",
	}
}

// brokenFile returns the violation of a file part that ends before its closing boundary. Its type is the contract's
// word for a truncated file.
func brokenFile(loc []any) FieldViolation {
	return FieldViolation{
		Type: "audio_decode_error", Loc: loc,
		Msg: "The file breaks off: the multipart body ends before its closing boundary",
	}
}

func brokenBody() FieldViolation {
	return FieldViolation{
		Type: "multipart_error", Loc: []any{"body"},
		Msg: "The multipart body is malformed or ends before its closing boundary",
	}
}

func tooManyParts() FieldViolation {
	return FieldViolation{
		Type: "too_long", Loc: []any{"body"}, Ctx: map[string]any{"max_length": maxParts},
		Msg: fmt.Sprintf("Form should have at most %d parts", maxParts),
	}
}

func fieldTooLong(name string) FieldViolation {
	return FieldViolation{
		Type: "string_too_long", Loc: []any{"body", name}, Ctx: map[string]any{"max_length": maxField},
		Msg: fmt.Sprintf("String should have at most %d bytes", maxField),
	}
}

func textsTooLong() FieldViolation {
	return FieldViolation{
		Type: "too_long", Loc: []any{"body"}, Ctx: map[string]any{"max_length": maxTexts},
		Msg: fmt.Sprintf("Text fields should have at most %d bytes together", maxTexts),
	}
}

func notUnicode(loc []any) FieldViolation {
	return FieldViolation{
		Type: "string_unicode", Loc: loc,
		Msg: "Input should be a valid string, unable to parse raw data as a unicode string",
	}
}

// oneOf returns a literal_error or enum violation: Pydantic joins the choices by commas and a last "or".
func oneOf(kind string, loc []any, input string, choices []string) FieldViolation {
	quoted := make([]string, len(choices))
	for i, c := range choices {
		quoted[i] = "'" + c + "'"
	}
	last := len(quoted) - 1
	expected := quoted[last]
	if last > 0 {
		expected = strings.Join(quoted[:last], ", ") + " or " + expected
	}
	return FieldViolation{
		Type: kind, Loc: loc, Input: input, Msg: "Input should be " + expected,
		Ctx: map[string]any{"expected": expected},
	}
}

// NewChoiceViolation returns the violation of a value that is none of the choices.
func NewChoiceViolation(loc []any, input string, choices []string) FieldViolation {
	return oneOf("literal_error", loc, input, choices)
}

// rangeBound is one of Pydantic's four comparisons; its tag name is its key in ctx.
type rangeBound struct {
	tag, kind, words string
	holds            func(v, limit float64) bool
}

var bounds = []rangeBound{
	{"ge", "greater_than_equal", "greater than or equal to", func(v, l float64) bool { return v >= l }},
	{"gt", "greater_than", "greater than", func(v, l float64) bool { return v > l }},
	{"le", "less_than_equal", "less than or equal to", func(v, l float64) bool { return v <= l }},
	{"lt", "less_than", "less than", func(v, l float64) bool { return v < l }},
}

func outOfRange(b rangeBound, limit float64, loc []any, input string) FieldViolation {
	return FieldViolation{
		Type: b.kind, Loc: loc, Input: input, Ctx: map[string]any{b.tag: limit},
		Msg: "Input should be " + b.words + " " + strconv.FormatFloat(limit, 'f', -1, 64),
	}
}

func tooShort(loc []any, input string, n int) FieldViolation {
	return FieldViolation{
		Type: "string_too_short", Loc: loc, Input: input, Ctx: map[string]any{"min_length": n},
		Msg: fmt.Sprintf("String should have at least %d %s", n, countCharacters(n)),
	}
}

func tooLong(loc []any, input string, n int) FieldViolation {
	return FieldViolation{
		Type: "string_too_long", Loc: loc, Input: input, Ctx: map[string]any{"max_length": n},
		Msg: fmt.Sprintf("String should have at most %d %s", n, countCharacters(n)),
	}
}

func countCharacters(n int) string {
	if n == 1 {
		return "character"
	}
	return "characters"
}

func patternViolation(loc []any, input, pattern string) FieldViolation {
	return FieldViolation{
		Type: "string_pattern_mismatch", Loc: loc, Input: input, Ctx: map[string]any{"pattern": pattern},
		Msg: "String should match pattern '" + pattern + "'",
	}
}
