package sip

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// newRefusal returns the evidence of a final response that is not 2xx.
func newRefusal(res *sip.Response, rang bool) *carrier.DialError {
	code := res.StatusCode
	r := &carrier.DialError{
		SIPCode: &code, Phrase: cleanPhrase(res.Reason), Q850: q850Cause(res), Rang: rang,
		Hold: parseRetryAfter(headerOf(res, "Retry-After")),
	}
	if status, _ := carrier.ClassifyRefusal(r); !rang && status == call.Failed {
		r.RetryAfter = r.Hold
	}
	return r
}

// cleanPhrase redacts and cuts a reason phrase, which is the remote side's text.
func cleanPhrase(phrase string) string {
	line := []rune(hideUsers(strings.Join(strings.Fields(strings.ToValidUTF8(phrase, "")), " ")))
	return string(line[:min(len(line), longestPhrase)])
}

// longestPhrase is the maximum length of a reason phrase that is shown, in characters.
const longestPhrase = 80

// longestRest is the maximum accepted Retry-After.
const longestRest = time.Hour

// parseRetryAfter parses a Retry-After value, clamped to 1 s … [longestRest]: seconds, optionally followed by a comment
// and parameters (RFC 3261 §20.33). 0 without one.
func parseRetryAfter(value string) time.Duration {
	digits := strings.TrimSpace(value)
	if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		digits = digits[:end]
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return longestRest
	case err != nil:
		return 0
	}
	return min(max(time.Duration(n)*time.Second, time.Second), longestRest)
}

// q850Cause returns the Q.850 cause in the message's Reason headers; nil without one.
func q850Cause(m sip.Message) *int {
	for _, h := range m.GetHeaders("Reason") {
		if cause, ok := parseReason(h.Value()); ok {
			return &cause
		}
	}
	return nil
}

// parseReason finds the Q.850 cause, 1 to 127, in the value of a Reason header (RFC 3326): comma-separated protocols
// with parameters, where quoted strings may contain the separators.
func parseReason(value string) (cause int, ok bool) {
	for value != "" {
		var protocol string
		protocol, value = cutOutsideQuotes(value, ',')
		name, params := cutOutsideQuotes(protocol, ';')
		if !strings.EqualFold(strings.TrimSpace(name), "Q.850") {
			continue
		}
		for params != "" {
			var param string
			param, params = cutOutsideQuotes(params, ';')
			key, number, _ := strings.Cut(param, "=")
			if !strings.EqualFold(strings.TrimSpace(key), "cause") {
				continue
			}
			if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil && n >= 1 && n <= 127 {
				return n, true
			}
			return 0, false
		}
	}
	return 0, false
}

// cutOutsideQuotes splits at the first separator outside quotes (RFC 3261 §25.1, quoted-string).
func cutOutsideQuotes(s string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
