package callrules

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Why a call may not be transferred to an address; the texts are for people.
var (
	errTransferForm = errors.New("must be an E.164 number or a sip:, sips: or tel: address")
	errTransferRule = errors.New("is a destination that the calling rules do not allow")
	errTransferDial = errors.New("must have its telephone number in international form, with + and the country code")
	errTransferHead = errors.New("must have no headers (?), password or phone-context")
)

var (
	transferForm = regexp.MustCompile(`^(\+[1-9][0-9]{6,14}|(?i:sips?|tel):[!-~]{1,200})$`)
	dialString   = regexp.MustCompile(`^\+?[0-9*#]+$`)
)

// longestExtension is the maximum number of digits of an extension of a PBX; longer ones are telephone numbers.
const longestExtension = 6

// CheckTransfer returns why a call may not be transferred to an address; nil if it may. Telephone numbers, also those
// in tel: and SIP addresses, obey the same rules as calls: [IsBlocked] and the organization's prefixes. A SIP address
// whose user part is a name or an extension of at most six digits is not a telephone number and is allowed, unless it
// is an emergency number.
func (r CallRules) CheckTransfer(to string) error {
	if !transferForm.MatchString(to) || strings.ContainsAny(to, `<>"`) {
		return errTransferForm
	}
	if to[0] == '+' {
		return r.checkNumber(to)
	}
	scheme, rest, _ := strings.Cut(to, ":")
	user, err := transferUser(strings.ToLower(scheme), rest)
	if err != nil {
		return err
	}
	if strings.EqualFold(scheme, "tel") && !strings.HasPrefix(user, "+") {
		return errTransferDial
	}
	return r.checkUser(user)
}

// transferUser returns the dialled part of an address: the number of tel:, the user part of SIP, or the host without
// one. Visual separators are removed and escapes resolved.
func transferUser(scheme, rest string) (string, error) {
	if strings.Contains(rest, "?") || strings.Contains(strings.ToLower(rest), "phone-context") {
		return "", errTransferHead
	}
	user := rest
	if at := strings.LastIndex(rest, "@"); at >= 0 && scheme != "tel" {
		user = rest[:at]
	}
	user, _, _ = strings.Cut(user, ";")
	if scheme != "tel" && !strings.Contains(rest, "@") {
		return transferHost(user)
	}
	user, err := url.PathUnescape(user)
	if err != nil || user == "" || strings.ContainsFunc(user, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errTransferForm
	}
	if strings.ContainsAny(user, "@;") { // unescaped it would separate a host or a parameter
		return "", errTransferForm
	}
	if strings.Contains(user, ":") {
		return "", errTransferHead
	}
	return strings.NewReplacer("-", "", ".", "", "(", "", ")", "").Replace(user), nil
}

// transferHost returns the host of an address without a user; some switches dial it as the number.
func transferHost(host string) (string, error) {
	name, _, _ := strings.Cut(host, ":")
	if _, err := netip.ParseAddr(name); err == nil || strings.HasPrefix(host, "[") {
		return "host", nil
	}
	if name == "" || strings.Contains(name, "%") {
		return "", errTransferForm
	}
	return name, nil
}

// checkUser checks the dialled part of a SIP or tel address.
func (r CallRules) checkUser(user string) error {
	if !dialString.MatchString(user) {
		return nil // a name
	}
	digits := strings.TrimPrefix(user, "+")
	switch {
	case strings.ContainsAny(user, "*#"):
		return errTransferDial // a service code of a switch, a call forward for example
	case user[0] == '+':
		return r.checkNumber(user)
	case len(digits) <= longestExtension && isEmergencyTarget(digits):
		return errTransferRule
	case len(digits) <= longestExtension:
		return nil
	case strings.HasPrefix(digits, "00"):
		return r.checkNumber("+" + digits[2:])
	case digits[0] == '0':
		return errTransferDial
	}
	return r.checkNumber("+" + digits)
}

// isEmergencyTarget reports whether an extension is an emergency number, with or without the prefix digit of an outside
// line.
func isEmergencyTarget(digits string) bool {
	return slices.Contains(emergencies, digits) ||
		strings.ContainsRune("09", rune(digits[0])) && slices.Contains(emergencies, digits[1:])
}

func (r CallRules) checkNumber(number string) error {
	if !r.AllowsNumber(number) {
		return errTransferRule
	}
	return nil
}
