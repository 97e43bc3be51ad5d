package locale_test

import (
	"testing"

	"munadi/store/call"
	"munadi/ui/locale"
)

// TestInboundRefusals checks that each cause has its words and a next step, in both languages.
func TestInboundRefusals(t *testing.T) {
	t.Parallel()
	for _, l := range []locale.Language{locale.Arabic, locale.English} {
		seen := map[string]call.RefusalCause{}
		for _, cause := range call.RefusalCauses {
			said := locale.DescribeInboundRefusal(l, cause)
			if before, again := seen[said.What]; said.What == "" || said.Do == "" || again {
				t.Errorf("%s: %s has %+v, %s too", l, cause, said, before)
			}
			seen[said.What] = cause
		}
	}
}
