package console_test

import (
	"strings"
	"testing"

	"munadi/store/delivery"
	"munadi/ui/locale"
)

// TestWebhookURLFaultsAreTranslated: every reason for which a receiver's URL is refused has an Arabic text.
func TestWebhookURLFaultsAreTranslated(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"http://[::1/", "ftp://example.com/", "https:///path", "https://user@example.com/", "https://example.com/#x",
		"https://example.com:0/", "https://example.com/ x", "https://2852039166/", "https://a..b/", "https://[fe80::1%25a]/",
		"https://example.com/" + strings.Repeat("x", delivery.MaxURL), "https://" + strings.Repeat("a.", 150) + "b/",
	} {
		faults := delivery.CheckWebhook(delivery.WebhookSetting{URL: text})
		if len(faults) != 1 {
			t.Fatalf("%.60q has the faults %v", text, faults)
		}
		reason := faults[0].Message
		if said := locale.AddressFault(locale.Arabic, reason); strings.Contains(said, reason) {
			t.Errorf("%q is not translated", reason)
		}
	}
}
