package locale_test

import (
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestDeliveryFaults: an Arabic page says in Arabic why a try did not count; unknown reasons stay untranslated.
func TestDeliveryFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status       int
		recorded, ar string
	}{
		{500, "answered 500 Internal Server Error instead of 2xx", "أجاب نظامك بالرمز \u2066500\u2069"},
		{302, `answered 302, a redirect to "/x", which is not followed`, "وهي لا تُتبع"},
		{0, "the connection was refused: nothing listens at 127.0.0.1:9", "رُفض الاتصال"},
		{0, "connected, but not answered within 10 seconds", "لم يُجب"},
		{0, "the exchange failed: odd", "the exchange failed: odd"},
	} {
		if got := locale.DeliveryFault(locale.Arabic, c.status, c.recorded); !strings.Contains(got, c.ar) {
			t.Errorf("%q is %q, want %q in it", c.recorded, got, c.ar)
		}
		if got := locale.DeliveryFault(locale.English, c.status, c.recorded); got != c.recorded {
			t.Errorf("%q becomes %q in English", c.recorded, got)
		}
	}
	if locale.DeliveryFault(locale.Arabic, 200, "") != "" {
		t.Error("a try that counted has a fault")
	}
}

// TestAddressFaults: what store/delivery finds wrong with an address is shown in Arabic, too.
func TestAddressFaults(t *testing.T) {
	t.Parallel()
	const recorded = "must begin with https:// or http://"
	if got := locale.AddressFault(locale.Arabic, recorded); !strings.Contains(got, "يجب") {
		t.Errorf("in Arabic it is %q", got)
	}
	if got := locale.AddressFault(locale.English, recorded); !strings.Contains(got, recorded) {
		t.Errorf("in English it is %q", got)
	}
}

// TestMachineWords: every word of the detector has a name in both languages; an unknown word is shown as it is.
func TestMachineWords(t *testing.T) {
	t.Parallel()
	words := "human voicemail ivr announcement fax unsure beep tone phrase greeting answer length silence undecided"
	for word := range strings.FieldsSeq(words) {
		if ar := locale.MachineIn(locale.Arabic, word); ar == word || ar == locale.MachineIn(locale.English, word) {
			t.Errorf("%q is %q in Arabic", word, ar)
		}
	}
	if got := locale.MachineIn(locale.Arabic, "other"); got != "other" {
		t.Errorf("other is %q", got)
	}
}
