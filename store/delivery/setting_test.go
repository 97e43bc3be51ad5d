package delivery_test

import (
	"net/url"
	"strings"
	"testing"

	"munadi/store/delivery"
)

func TestCheckWebhook(t *testing.T) {
	t.Parallel()
	good := []string{
		"https://example.com/hooks/s3cret?v=1", "http://localhost:9000", "http://127.0.0.1:9000/", "HTTPS://EXAMPLE.com",
		"http://[::1]:8080/x", "https://خادم.شركة/hook", "http://a_b.internal./x", "https://1.example/", "http://10.0.0.7/%20",
		"https://example.com/" + strings.Repeat("a", 2028),
	}
	for _, text := range good {
		if found := delivery.CheckWebhook(delivery.WebhookSetting{URL: text, Enabled: true}); len(found) > 0 {
			t.Errorf("%s is refused: %v", text, found)
		}
	}
	bad := map[string]string{
		"":                                             "is needed",
		"example.com/hook":                             "must begin with",
		"/hook":                                        "must begin with",
		"ftp://example.com/":                           "must begin with",
		"file:///etc/passwd":                           "must begin with",
		"javascript:alert(1)":                          "must begin with",
		"//example.com/":                               "must begin with",
		"https:example.com":                            "must name a host",
		"https:///hook":                                "must name a host",
		"https://:443/":                                "must name a host",
		"https://u:p@example.com/":                     "user name",
		"https://u@example.com/":                       "user name",
		"https://example.com/#x":                       "fragment",
		"https://example.com/#":                        "fragment",
		"https://example.com:0/":                       "port",
		"https://example.com:/":                        "port",
		"https://example.com:70000/":                   "port",
		"https://example.com:http/":                    "not a valid URL",
		"https://exa mple.com/":                        "spaces",
		" https://example.com/":                        "spaces",
		"https://example.com/\r\nX:1":                  "spaces",
		"https://example.com/\x00":                     "spaces",
		"https://example..com/":                        "valid host",
		"https://exa%25mple.com/":                      "valid host",
		"https://a|b/":                                 "not a valid URL",
		"http://2852039166/":                           "usual form",
		"http://0xa9fea9fe/":                           "usual form",
		"http://0XA9FEA9FE/":                           "usual form",
		"http://0251.0376.0251.0376/":                  "usual form",
		"http://169.254.43518/":                        "usual form",
		"http://127.1/":                                "usual form",
		"http://1.2.3.4.5./":                           "usual form",
		"http://[fe80::1%25eth0]/":                     "zone",
		"http://[::1/":                                 "not a valid URL",
		"https://" + strings.Repeat("a", 64) + ".com/": "valid host",
		"https://" + strings.Repeat("abcdefg.", 33) + "com/": "253",
		"https://example.com/" + strings.Repeat("a", 2029):   "2048",
	}
	for text, want := range bad {
		found := delivery.CheckWebhook(delivery.WebhookSetting{URL: text, Enabled: true})
		if len(found) != 1 || found[0].Field != "url" || !strings.Contains(found[0].Message, want) {
			t.Errorf("%q: %v, want one violation with %q", text, found, want)
		}
	}
	if found := delivery.CheckWebhook(delivery.WebhookSetting{}); len(found) > 0 {
		t.Errorf("the zero setting is refused: %v", found)
	}
	found := delivery.CheckWebhook(delivery.WebhookSetting{URL: "ftp://x", Signing: true, Secrets: []delivery.SigningSecret{{Value: "whsec_x"}}})
	if len(found) != 2 || found[1].Field != "secrets" || strings.Contains(found[1].Message, "whsec_x") {
		t.Errorf("two faults are %v", found)
	}
	if found := delivery.CheckWebhook(delivery.WebhookSetting{Signing: true}); len(found) != 1 || found[0].Field != "signing" {
		t.Errorf("signing without a secret: %v", found)
	}
}

// FuzzCheckWebhook: every accepted URL can be used by an HTTP client.
func FuzzCheckWebhook(f *testing.F) {
	f.Add("https://example.com:443/a?b=c")
	f.Add("http://[::ffff:169.254.169.254]/")
	f.Add("http://0x7f.1/")
	f.Fuzz(func(t *testing.T, text string) {
		if len(delivery.CheckWebhook(delivery.WebhookSetting{URL: text, Enabled: true})) > 0 {
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
			t.Errorf("%q passes", text)
		}
	})
}
