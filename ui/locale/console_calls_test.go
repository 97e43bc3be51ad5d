package locale_test

import (
	"reflect"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestCallTablesAreComplete walks the words about calls, with the tables in them: none is empty, none is the same in
// both languages but names of standards, and what is filled in is the same.
func TestCallTablesAreComplete(t *testing.T) {
	t.Parallel()
	compareWords(t, "Calls", reflect.ValueOf(locale.CallsIn(locale.Arabic)), reflect.ValueOf(locale.CallsIn(locale.English)))
	compareWords(t, "Call", reflect.ValueOf(locale.CallIn(locale.Arabic)), reflect.ValueOf(locale.CallIn(locale.English)))
}

func compareWords(t *testing.T, name string, ar, en reflect.Value) {
	t.Helper()
	if a, counted := ar.Interface().(locale.CountedText); counted {
		e, _ := en.Interface().(locale.CountedText)
		if strings.Count(a.Fill(3), "{") != strings.Count(e.Fill(3), "{") {
			t.Errorf("%s fills in other things in the two languages", name)
		}
		return // TestCountedTextsAreComplete reads its forms
	}
	switch ar.Kind() {
	case reflect.Struct:
		for i := range ar.NumField() {
			compareWords(t, name+"."+ar.Type().Field(i).Name, ar.Field(i), en.Field(i))
		}
	case reflect.Array:
		for i := range ar.Len() {
			compareWords(t, name, ar.Index(i), en.Index(i))
		}
	case reflect.Map:
		if ar.Len() != en.Len() {
			t.Errorf("%s has %d words in Arabic, %d in English", name, ar.Len(), en.Len())
		}
		for _, key := range ar.MapKeys() {
			if other := en.MapIndex(key); other.IsValid() {
				compareWords(t, name+"."+key.String(), ar.MapIndex(key), other)
			} else {
				t.Errorf("%s.%s is not there in English", name, key)
			}
		}
	default:
		a, e := ar.String(), en.String()
		if strings.TrimSpace(a) == "" || a == e {
			t.Errorf("%s reads %q in Arabic, %q in English", name, a, e)
		}
		if strings.Count(a, "{") != strings.Count(e, "{") {
			t.Errorf("%s fills in other things in the two languages", name)
		}
	}
}
