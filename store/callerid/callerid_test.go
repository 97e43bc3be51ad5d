package callerid_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"munadi/store/callerid"
)

func TestPickNumber(t *testing.T) {
	t.Parallel()
	r := callerid.NumberRules{"+": {"+966920000001"}, "+971": {"+97140000001"}, "+97150": {"+971500000001"}}
	for person, want := range map[string]string{
		"+966501234567": "+966920000001", "+971401234567": "+97140000001", "+971501234567": "+971500000001", "": "",
	} {
		if got := r.PickNumber("bakery", person); got != want {
			t.Errorf("%s: %q, want %q", person, got, want)
		}
	}
	if got := callerid.NumberRules(nil).PickNumber("bakery", "+966501234567"); got != "" {
		t.Errorf("without rules: %q", got)
	}
}

// TestNumbersRotate checks that numbers are spread evenly over people, do not depend on their order, differ between
// organizations, and that a number more changes nobody's except for those who get it.
func TestNumbersRotate(t *testing.T) {
	t.Parallel()
	four := []string{"+966110000001", "+966110000002", "+966110000003", "+966110000004"}
	turned := slices.Clone(four)
	slices.Reverse(turned)
	const people = 4000
	counts, others, moved := map[string]int{}, 0, 0
	for i := range people {
		person := fmt.Sprintf("+9665%08d", i)
		got := callerid.NumberRules{"+966": four}.PickNumber("bakery", person)
		counts[got]++
		if again := (callerid.NumberRules{"+966": turned}).PickNumber("bakery", person); again != got {
			t.Fatalf("%s: %s, and in another order %s", person, got, again)
		}
		if (callerid.NumberRules{"+966": four}).PickNumber("clinic", person) != got {
			others++
		}
		fewer := callerid.NumberRules{"+966": four[:3]}.PickNumber("bakery", person)
		if fewer != got {
			moved++
			if got != four[3] {
				t.Fatalf("%s had %s, and %s without another number", person, got, fewer)
			}
		}
	}
	for _, number := range four {
		if n := counts[number]; n < people/5 || n > people*3/10 {
			t.Errorf("%s is shown to %d of %d people", number, n, people)
		}
	}
	if others < people/2 || moved != counts[four[3]] {
		t.Errorf("%d people see another number of another organization, %d moved", others, moved)
	}
}

func TestCheckRules(t *testing.T) {
	t.Parallel()
	long := callerid.NumberRules{}
	for i := range 101 {
		long[fmt.Sprintf("+%d", 100+i)] = []string{"+966110000001"}
	}
	for name, c := range map[string]struct {
		rules callerid.NumberRules
		want  string // in the error; empty: valid
	}{
		"none":           {nil, ""},
		"valid":          {callerid.NumberRules{"+": {"+966110000001"}, "+966": {"+966110000001", "+966110000002"}}, ""},
		"no prefix":      {callerid.NumberRules{"966": {"+966110000001"}}, "966"},
		"zero":           {callerid.NumberRules{"+0": {"+966110000001"}}, "+0"},
		"without number": {callerid.NumberRules{"+966": {}}, "0 caller numbers"},
		"national":       {callerid.NumberRules{"+966": {"+966110000001", "0110000001"}}, "caller number 2"},
		"twice":          {callerid.NumberRules{"+966": {"+966110000001", "+966110000001"}}, "twice"},
		"too many":       {long, "more than 100"},
	} {
		err := c.rules.CheckRules()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	r := callerid.ParseLines([]string{" +966 :+966110000001،+966110000002", "+: +966920000001; +966920000002", "+971"})
	want := []string{"+: +966920000001, +966920000002", "+966: +966110000001, +966110000002", "+971: "}
	if got := r.FormatLines(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if err := r.CheckRules(); err == nil {
		t.Error("a prefix without numbers is valid")
	}
	if callerid.ParseLines(nil) != nil {
		t.Error("no lines are rules")
	}
}

// FuzzParseLines checks that what was typed and is valid survives being shown and typed again.
func FuzzParseLines(f *testing.F) {
	f.Add("+966: +966110000001, +966110000002\n+: +1")
	f.Fuzz(func(t *testing.T, text string) {
		r := callerid.ParseLines(strings.Split(text, "\n"))
		if r.CheckRules() != nil {
			return
		}
		again := callerid.ParseLines(r.FormatLines())
		if !slices.Equal(r.FormatLines(), again.FormatLines()) {
			t.Errorf("%q, again %q", r.FormatLines(), again.FormatLines())
		}
	})
}
