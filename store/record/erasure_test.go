package record

import "testing"

// TestHoldsNumber checks the notations in which a person's number is found, and that others are not taken for it.
func TestHoldsNumber(t *testing.T) {
	t.Parallel()
	const number = "+966512345601"
	for text, want := range map[string]bool{
		"+966512345601": true, "966512345601": true, "00966512345601": true, "0512345601": true, "512345601": true,
		"051 234-56.01": true, "(051)2345601": true, "٠٥١٢٣٤٥٦٠١": true, "۰۵۱۲۳۴۵۶۰۱": true, "\u2066+966 51 234 5601\u2069": true,
		"must not be +966512345601, which is suppressed": true, "tel:+966512345601;ext=3": true, "2345601": true,
		"": false, "+": false, "0": false, "345601": false, "+966512345602": false, "0512345602": false, "calls.3": false,
		"5123456": false, "2026-11-22T10:00:00Z": false, "سارة": false,
	} {
		if got := holdsNumber(text, number); got != want {
			t.Errorf("%q holds %s: %v, want %v", text, number, got, want)
		}
	}
}
