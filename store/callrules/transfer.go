package callrules

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"munadi/store/phonenumber"
)

// Why a call may not be transferred to an address; the texts are for people.
var (
	errTransferForm = errors.New("must be an E.164 number, tel: with one, or sip:USER@HOST[:PORT] without parameters, " +
		"headers or password; USER is a number, or a name of letters, digits, . _ - that begins with a letter")
	errTransferDial = errors.New("must have its telephone number in international form, with + and the country code")
	errTransferRule = errors.New("is a destination that the calling rules do not allow")
	errTransferStop = errors.New("is on the suppression list")
)

// TransferTarget is where a call may be transferred to: a telephone number, or a user at a SIP host.
type TransferTarget struct {
	// Number is the E.164 number that would be dialled, also when it is the user at a host; empty for a name or an
	// extension, which [CallRules] do not restrict.
	Number string

	address string // as [TransferTarget.String] returns it
}

// String returns the target without escapes and visual separators: an E.164 number, or a SIP URI (RFC 3261 §19.1).
func (t TransferTarget) String() string { return t.address }

var (
	userName   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*$`)
	digitsOnly = regexp.MustCompile(`^[0-9]+$`)
	hostName   = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	separators = strings.NewReplacer("-", "", ".", "", "(", "", ")", "") // visual separators, RFC 3966 §3
)

// targetSigns are the signs of valid targets.
var targetSigns = regexp.MustCompile(`^[A-Za-z0-9.:@+%()\[\]_-]*$`)

// CheckTransferPart returns why no target has this part of a template; nil if one may.
func CheckTransferPart(part string) error {
	if !targetSigns.MatchString(part) {
		return errTransferForm
	}
	return nil
}

// maxTransfer is the maximum number of characters of a target.
const maxTransfer = 200

// ParseTransfer parses the target of a transfer: an E.164 number, tel:NUMBER, or sip:USER@HOST[:PORT]. Escapes are
// resolved; parameters, headers, passwords and every other sign are refused, since a switch could dial by them; so is
// sips:, whose promise of TLS on the whole way (RFC 3261 §26.2.2) no one could keep for the switch.
func ParseTransfer(to string) (TransferTarget, error) {
	scheme, rest, isURI := strings.Cut(to, ":")
	switch scheme = strings.ToLower(scheme); {
	case len(to) > maxTransfer:
		return TransferTarget{}, errTransferForm
	case !isURI:
		return numberTarget(to)
	case scheme == "tel":
		number, err := url.PathUnescape(rest)
		if err != nil {
			return TransferTarget{}, errTransferForm
		}
		return numberTarget(separators.Replace(number))
	case scheme == "sip":
		return userTarget(rest)
	}
	return TransferTarget{}, errTransferForm
}

func numberTarget(number string) (TransferTarget, error) {
	switch {
	case phonenumber.IsE164(number):
		return TransferTarget{Number: number, address: number}, nil
	case digitsOnly.MatchString(number):
		return TransferTarget{}, errTransferDial
	}
	return TransferTarget{}, errTransferForm
}

// userTarget parses what stands behind sip:.
func userTarget(rest string) (TransferTarget, error) {
	u, err := url.Parse("sip://" + rest)
	if err != nil || u.User == nil || strings.ContainsAny(rest, "/?#") || !isHost(u.Hostname()) || !isPort(u) {
		return TransferTarget{}, errTransferForm
	}
	user := u.User.Username()
	if _, hasPassword := u.User.Password(); hasPassword {
		return TransferTarget{}, errTransferForm
	}
	number, err := dialledNumber(user)
	return TransferTarget{Number: number, address: "sip:" + user + "@" + u.Host}, err
}

func isHost(name string) bool {
	address, err := netip.ParseAddr(name)
	return err == nil && address.Zone() == "" || len(name) <= 253 && hostName.MatchString(name)
}

// isPort reports whether a URI has a valid port, or none.
func isPort(u *url.URL) bool {
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && port > 0 || u.Host == u.Hostname() || u.Host == "["+u.Hostname()+"]"
}

// longestExtension is the maximum number of digits of an extension of a PBX; longer ones are telephone numbers.
const longestExtension = 6

// dialledNumber returns the E.164 number that a switch would dial for the user of a SIP address; empty for a name and
// for an extension. Digits without + are a number if the numbering plans have it, so that a number in a national form,
// or behind the prefix of an outside line, is not taken for one of another country.
func dialledNumber(user string) (string, error) {
	digits, isInternational := strings.CutPrefix(user, "00")
	switch {
	case phonenumber.IsE164(user):
		return user, nil
	case userName.MatchString(user):
		return "", nil
	case !digitsOnly.MatchString(user):
		return "", errTransferForm
	case isInternational && phonenumber.IsE164("+"+digits):
		return "+" + digits, nil
	case len(user) > longestExtension && phonenumber.IsAssigned("+"+user):
		return "+" + user, nil
	case len(user) > longestExtension || user[0] == '0':
		return "", errTransferDial
	case isEmergencyTarget(user):
		return "", errTransferRule
	}
	return "", nil
}

// isEmergencyTarget reports whether an extension is an emergency number, also behind the digits of an outside line.
func isEmergencyTarget(digits string) bool {
	if slices.Contains(emergencies, digits) {
		return true
	}
	rest, outside := strings.CutPrefix(digits, "9")
	return outside && isEmergencyTarget(rest)
}

// CheckTransfer returns why a call may not be transferred to a number; nil if it may. It obeys the same rules as the
// number of a call: [IsBlocked], the organization's prefixes and its suppression list; suppressed is its active entry,
// nil without one.
func (r CallRules) CheckTransfer(number string, suppressed *SuppressionEntry) error {
	switch {
	case suppressed != nil:
		return errTransferStop
	case !r.allowsNumber(number):
		return errTransferRule
	}
	return nil
}
