package strictjson_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store/strictjson"
)

// everyKind has a field of every kind that bodies have.
type everyKind struct {
	Text   string                      `json:"text"`
	Number int                         `json:"number"`
	Yes    bool                        `json:"yes"`
	Maybe  *bool                       `json:"maybe"`
	At     time.Time                   `json:"at"`
	Later  *time.Time                  `json:"later"`
	List   []int                       `json:"list"`
	Names  map[string]string           `json:"names"`
	Lists  map[dayOfWeek][]innerStruct `json:"lists"`
	Any    any                         `json:"any"`
	Inside *innerStruct                `json:"inside"`
	Hidden string                      `json:"-"`
	embeddedStruct
	unexported bool //nolint:unused // what is not exported is not known outside
}

type dayOfWeek string

type innerStruct struct {
	Deep string `json:"deep"`
}

type embeddedStruct struct {
	Flat string `json:"flat"`
}

func bindBody(t *testing.T, text string) (everyKind, strictjson.Violations) {
	t.Helper()
	parsed, err := strictjson.ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var s everyKind
	return s, strictjson.BindValue(parsed, &s)
}

func TestBind(t *testing.T) {
	t.Parallel()
	parsed, err := strictjson.ParseJSON([]byte(`{"text":"نعم","number":-3,"yes":true,"maybe":false,"at":"2026-11-21T12:30:00.1239+03:00",
		"later":null,"list":[1,2.0],"names":{"a":"b"},"lists":{"sunday":[{"deep":"x"}]},"any":{"n":[1,null,"x"]},
		"inside":{"deep":"y"},"flat":"z"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got everyKind
	if found := strictjson.BindValue(parsed, &got); len(found) > 0 {
		t.Fatal(found)
	}
	no := false
	want := everyKind{
		Text: "نعم", Number: -3, Yes: true, Maybe: &no, At: time.Date(2026, 11, 21, 9, 30, 0, 123e6, time.UTC),
		List: []int{1, 2}, Names: map[string]string{"a": "b"}, Lists: map[dayOfWeek][]innerStruct{"sunday": {{"x"}}},
		Any:    map[string]any{"n": []any{1.0, nil, "x"}},
		Inside: &innerStruct{"y"}, embeddedStruct: embeddedStruct{"z"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nis not\n%+v", got, want)
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                                     "",
		`[]`:                                     "",
		`"x"`:                                    "",
		`{"text":null,"number":null,"yes":null}`: "",
		`{"maybe":null,"at":null,"later":null,"list":null,"names":null,"any":null,"inside":null}`: "",
		`{"text":1,"number":"1","yes":1,"maybe":"x","at":1,"list":{},"names":[],"inside":[]}`:     "at inside list maybe names number text yes",
		`{"number":1.5,"text":{}}`:                                          "number text",
		`{"number":1e3}`:                                                    "",
		`{"number":99999999999999999999}`:                                   "number",
		`{"Text":"x","Hidden":"x","-":"x","unexported":"x"}`:                "- Hidden Text unexported",
		`{"list":[1,"x",null]}`:                                             "list.1 list.2",
		`{"names":{"a":1,"b":null}}`:                                        "names.a names.b",
		`{"lists":{"sunday":null,"monday":[null,{"deep":1,"x":2}]}}`:        "lists.monday.0 lists.monday.1.deep lists.monday.1.x lists.sunday",
		`{"any":[9007199254740993,1e400]}`:                                  "any.0 any.1",
		`{"any":9007199254740991}`:                                          "",
		`{"at":"2026-02-30T00:00:00Z"}`:                                     "at",
		`{"at":"2026-02-27T00:00:00,5Z"}`:                                   "at",
		`{"at":"0000-01-01T00:00:00Z","later":"9999-12-31T23:59:59-01:00"}`: "at later",
	} {
		parsed, err := strictjson.ParseJSON([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var s everyKind
		var got []string
		for _, v := range strictjson.BindValue(parsed, &s) {
			got = append(got, v.Field)
		}
		slices.Sort(got)
		if said := strings.Join(got, " "); said != want || (strings.HasPrefix(text, "[") || strings.HasPrefix(text, `"`)) != (len(got) == 1 && got[0] == "") {
			t.Errorf("%s: %q, not %q", text, said, want)
		}
	}
}

func TestManyViolationsAreCut(t *testing.T) {
	t.Parallel()
	_, found := bindBody(t, `{"list":[`+strings.Repeat(`"x",`, 500)+`1]}`)
	if len(found) != 100 {
		t.Errorf("%d violations", len(found))
	}
}

func TestViolationOfWhatHoldsAnother(t *testing.T) {
	t.Parallel()
	var v strictjson.Violations
	v.AddViolation("a", "is wrong")
	v.AddViolation("a.b", "is wrong too")
	v.AddViolation("ab", "is wrong by %s", "itself")
	if len(v) != 2 || v[1].Message != "is wrong by itself" {
		t.Errorf("%v", v)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		`{}`: true, ` [1, "x", null, true] `: true, `1`: true, `null`: true, `{"a":{"a":1},"b":[{"a":1}]}`: true,
		``: false, `{`: false, `{}{}`: false, `{} x`: false, `{"a":1,"a":2}`: false, `{"a":[{"b":1,"b":1}]}`: false,
		`{a:1}`: false, `[1,]`: false, `01`: false, "\xff": false, "\"\xff\"": false, `'x'`: false, `NaN`: false,
		`{"a":1,"\u0061":2}`:                              false,
		strings.Repeat("[", 64) + strings.Repeat("]", 64): true, strings.Repeat("[", 66) + strings.Repeat("]", 66): false,
	} {
		_, err := strictjson.ParseJSON([]byte(text))
		var malformed *strictjson.SyntaxError
		if (err == nil) != ok || err != nil && !errors.As(err, &malformed) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

// FuzzParse: what ParseJSON accepts is valid for encoding/json too, and BindValue reports each field at most once.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"text":"x","number":1,"list":[1],"lists":{"a":[{"deep":""}]},"any":{"n":1e5},"at":"2026-11-21T12:30:00Z"}`))
	f.Add([]byte(`{"a":1,"a":2}`))
	f.Add([]byte(`[[[[{"x":null}]]]]`))
	f.Add([]byte("\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := strictjson.ParseJSON(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Errorf("%q is no JSON", data)
		}
		var s everyKind
		seen := map[string]bool{}
		for _, v := range strictjson.BindValue(parsed, &s) {
			if seen[v.Field] || v.Message == "" {
				t.Errorf("%q: %v", data, v)
			}
			seen[v.Field] = true
		}
	})
}

// FuzzObject: ParseObject accepts only objects.
func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"a":1}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := strictjson.ParseObject(data)
		if (err == nil) != (all != nil) {
			t.Errorf("%q: %v, %v", data, all, err)
		}
		if _, bad := strictjson.ParseJSON(data); bad != nil && err == nil {
			t.Errorf("%q is no JSON", data)
		}
	})
}

// TestTooManyValues checks that a body of a few mebibytes cannot take a hundred times as much memory.
func TestTooManyValues(t *testing.T) {
	t.Parallel()
	var fault *strictjson.SyntaxError
	many := "[" + strings.Repeat("0,", 2<<20) + "0]"
	if _, err := strictjson.ParseJSON([]byte(many)); !errors.As(err, &fault) || !strings.Contains(fault.Message, "2097152 values") {
		t.Errorf("2^21 entries: %v", err)
	}
	text := `"` + strings.Repeat(`\",[`, 2<<20) + `"` // signs within a string are no values
	if got, err := strictjson.ParseJSON([]byte(text)); err != nil || len(got.(string)) != 6<<20 {
		t.Errorf("a long string: %v", err)
	}
}
