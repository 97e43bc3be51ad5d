package calls

import (
	"strings"
	"testing"

	"munadi/store/call"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// TestQualityOverTime checks that a time without measurements leaves the others where they were, and that the mean
// counts each sample by its duration.
func TestQualityOverTime(t *testing.T) {
	t.Parallel()
	good, bad := &call.MediaQuality{MOS: 4.4}, &call.MediaQuality{MOS: 1, Loss: 1}
	p := CallView{Trace: call.LineTrace{Quality: []call.QualitySample{
		{Seconds: 5},
		{At: 5, Seconds: 5, Inbound: good, RoundTrip: 40},
		{At: 10, Seconds: 5, Inbound: good},
		{At: 15, Seconds: 5},
		{At: 20, Seconds: 1, Inbound: bad, Outbound: good, RoundTrip: 100},
	}}}
	p.Lang = locale.English
	in, out := p.qualityLines()[0], p.qualityLines()[1]
	if want := "MOS 4.1 · loss 9.1 % · jitter 0.0 ms"; in.Summary != want {
		t.Errorf("the mean is %q, want %q", in.Summary, want)
	}
	if got := p.roundTrip(); got != "Round trip: 50.0 ms" {
		t.Errorf("the round trip is %q", got)
	}
	if got := (CallView{}).roundTrip(); got != "" {
		t.Errorf("without a report it is %q", got)
	}
	for name, c := range map[string]struct {
		chart component.SparkLine
		want  []string
	}{
		"inbound":      {in, []string{`d="M250 `, "L500 ", "L1000 ", "V100 H250Z"}},
		"a single one": {out, []string{"MOS 4.4 · loss 0.0 %"}},
		"none":         {component.SparkLine{ID: "none", Empty: "Nothing"}, []string{"Nothing"}},
	} {
		var page strings.Builder
		if err := component.LineChart(c.chart).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		for _, part := range c.want {
			if !strings.Contains(page.String(), part) {
				t.Errorf("%s: %q is missing in %s", name, part, page.String())
			}
		}
		if strings.Contains(page.String(), "NaN") {
			t.Errorf("%s: %s", name, page.String())
		}
	}
}
