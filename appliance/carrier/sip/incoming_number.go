package sip

import (
	"net/url"
	"slices"
	"strings"

	"github.com/emiago/sipgo/sip"

	"munadi/store/phonenumber"
)

// calledNumbers returns the numbers in E.164 that an INVITE may be for: its target, the called party that the network
// names (RFC 3455), and To, since a registered trunk sends to our contact address. plus is what the trunk has instead
// of the plus sign.
func calledNumbers(req *sip.Request, plus string) (all []string) {
	users := []string{req.Recipient.User, addressUser(headerOf(req, "P-Called-Party-ID"))}
	if to := req.To(); to != nil {
		users = append(users, to.Address.User)
	}
	for _, user := range users {
		number := internationalNumber(numberText(user), plus)
		if number != "" && !slices.Contains(all, number) {
			all = append(all, number)
		}
	}
	return all
}

// internationalNumber returns a dialled number in E.164; empty for another one.
func internationalNumber(dialled, plus string) string {
	if plus != "" && plus != "+" && strings.HasPrefix(dialled, plus) {
		dialled = dialled[len(plus):]
	}
	number := "+" + strings.TrimPrefix(strings.TrimPrefix(dialled, "+"), "00")
	if !phonenumber.IsE164(number) {
		return ""
	}
	return number
}

// callerNumber returns the caller's number as the trunk gives it: that of P-Asserted-Identity (RFC 3325), which only a
// trusted network may send, else that of From. Empty for a caller who withholds it, by Privacy (RFC 3323) or in From.
func callerNumber(req *sip.Request) string {
	for wanted := range strings.SplitSeq(strings.ToLower(headerOf(req, "Privacy")), ";") {
		if slices.Contains([]string{"id", "user", "header", "session"}, strings.TrimSpace(wanted)) {
			return ""
		}
	}
	for _, h := range req.GetHeaders("P-Asserted-Identity") {
		for value := h.Value(); value != ""; {
			var one string
			one, value = cutOutsideQuotes(value, ',')
			if number := numberText(addressUser(one)); number != "" {
				return number
			}
		}
	}
	from := req.From()
	if from == nil || strings.HasSuffix(strings.ToLower(from.Address.Host), "anonymous.invalid") {
		return ""
	}
	return numberText(from.Address.User)
}

// addressUser returns the user of a sip: address or the number of a tel: address in a header's value, with or without
// a display name.
func addressUser(value string) string {
	_, quoted := cutOutsideQuotes(value, '<')
	if quoted != "" {
		value, _, _ = strings.Cut(quoted, ">")
	}
	scheme, rest, ok := strings.Cut(strings.TrimSpace(value), ":")
	if !ok {
		return ""
	}
	switch strings.ToLower(scheme) {
	case "tel":
		number, _, _ := strings.Cut(rest, ";")
		return number
	case "sip", "sips":
		user, _, found := strings.Cut(rest, "@")
		if !found {
			return ""
		}
		return user
	}
	return ""
}

// mostDigits bounds the text of a number.
const mostDigits = 32

// numberText returns the digits of a user part, with a plus sign before them, without visual separators (RFC 3966
// §5.1.1) and parameters; empty for a name.
func numberText(user string) string {
	if text, err := url.PathUnescape(user); err == nil {
		user = text
	}
	user, _, _ = strings.Cut(user, ";")
	user, _, _ = strings.Cut(user, ":") // a password
	number := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-.() ", r) {
			return -1
		}
		return r
	}, user)
	digits := strings.TrimPrefix(number, "+")
	if digits == "" || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return number
}
