package delivery

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"munadi/store/strictjson"
)

// MaxURL is the maximum length of a receiver's URL, in bytes.
const MaxURL = 2048

// WebhookSetting is an organization's webhook configuration.
type WebhookSetting struct {
	URL     string `json:"url"`
	Enabled bool   `json:"enabled"`
	// Alerts also sends alerts (opt-in), since receivers may expect only calls.
	Alerts bool `json:"alerts,omitempty"`
	// Signing adds Standard Webhooks signature headers; the newest secret signs first, older ones too until they
	// expire.
	Signing   bool            `json:"signing"`
	Secrets   []SigningSecret `json:"secrets,omitempty"`
	UpdatedAt time.Time       `json:"updated_at"`
}

// WantsAlerts reports whether alerts are sent to the receiver.
func (w WebhookSetting) WantsAlerts() bool { return w.Alerts && w.Enabled && w.URL != "" }

// Accepts reports whether a delivery of a kind is sent: a test also to a webhook that is turned off.
func (w WebhookSetting) Accepts(kind DeliveryKind) bool {
	return w.URL != "" && (w.Enabled || kind == Test)
}

// CheckWebhook validates a setting and returns its violations. Whether the host's addresses may be called (SSRF guard)
// is not checked here.
func CheckWebhook(w WebhookSetting) []strictjson.Violation {
	var found []strictjson.Violation
	switch {
	case w.URL != "":
		if fault := checkURL(w.URL); fault != "" {
			found = append(found, strictjson.Violation{Field: "url", Message: fault})
		}
	case w.Enabled:
		found = append(found, strictjson.Violation{Field: "url", Message: "is needed while the webhook is enabled"})
	}
	if w.Signing && len(w.Secrets) == 0 {
		found = append(found, strictjson.Violation{Field: "signing", Message: "needs a secret"})
	}
	for _, s := range w.Secrets {
		if _, err := s.DecodeKey(); err != nil {
			found = append(found, strictjson.Violation{Field: "secrets", Message: err.Error()})
		}
	}
	return found
}

// checkURL returns the fault of a receiver's URL; empty for a valid one.
func checkURL(text string) string {
	if len(text) > MaxURL {
		return "must have at most " + strconv.Itoa(MaxURL) + " bytes"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "must not contain spaces or control characters"
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "is not a valid URL"
	case u.Scheme != "https" && u.Scheme != "http":
		return "must begin with https:// or http://"
	case u.Opaque != "" || u.Hostname() == "":
		return "must name a host"
	case u.User != nil:
		return "must not contain a user name or password; put a secret into the path"
	case strings.Contains(text, "#"):
		return "must not contain a fragment (#…), which is never sent"
	case strings.HasSuffix(u.Host, ":") || u.Port() != "" && !validPort(u.Port()):
		return "must have a port between 1 and 65535, or none"
	}
	return checkHost(u.Hostname())
}

func validPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

// checkHost requires a host name or an address in its usual form. Some resolvers read 2852039166, 0xa9fea9fe and
// 169.254.43518 as IPv4 addresses (SSRF bypass): a host that ends in a number must be a plain address, as in the WHATWG
// URL standard.
func checkHost(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return "must not name an address with a zone"
		}
		return ""
	}
	if len(host) > 253 {
		return "must name a host of at most 253 characters"
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.ContainsAny(label, `%/\:<>^|[]@"`) {
			return "must name a valid host"
		}
	}
	last := strings.ToLower(labels[len(labels)-1])
	if strings.Trim(last, "0123456789") == "" || isHex(last) {
		return "must name a host, or an IP address in its usual form"
	}
	return ""
}

func isHex(label string) bool {
	digits, found := strings.CutPrefix(label, "0x")
	return found && strings.Trim(digits, "0123456789abcdef") == ""
}
