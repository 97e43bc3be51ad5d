package scenario_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/store/scenario"
)

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := scenario.ParseTemplate("موعدكم {{ date | date }}، {{time|time}}{{n}}")
	want := []scenario.TemplatePart{
		{Literal: "موعدكم "},
		{Name: "date", Filter: scenario.AsDate},
		{Literal: "، "},
		{Name: "time", Filter: scenario.AsTime},
		{Name: "n"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// FuzzParse: the parts of a parsed text contain the whole text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "أ", "{{a}}", "{{a|date}} ب", "{{", "}}", "{{a}}}}", "{{{a}}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := scenario.ParseTemplate(text)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.Literal)
			if p.Name != "" {
				b.WriteString(p.Name + string(p.Filter))
			}
		}
		plain := strings.NewReplacer("{{", "", "}}", "", "|", "", " ", "", "\t", "", "\n", "", "\r", "", "\v", "", "\f", "")
		if got, want := plain.Replace(b.String()), plain.Replace(text); len(got) > len(want) {
			t.Errorf("%q says %q", text, got)
		}
	})
}
