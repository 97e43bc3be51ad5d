package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"munadi/appliance/seal"
	"munadi/store/account"
)

// The parameters of the codes, those that every authenticator app knows (RFC 6238): HMAC-SHA-1, six digits, a new one
// every 30 s. The code before and the one after are accepted too, for clocks that differ.
const (
	codeStep    = 30 * time.Second
	codeDigits  = otp.DigitsSix
	codeSecret  = 20 // bytes, as long as the hash (RFC 4226, 4)
	codeIssuer  = "Munadi"
	offerExpiry = 30 * time.Minute
)

// The form of a recovery code: five groups of five characters, 123 bits.
const (
	recoveryCodes  = 10
	recoveryGroups = 5
)

// secretBase32 writes secrets as apps read them.
var secretBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// FactorOffer is a secret for an authenticator app that no code has confirmed yet. Nothing of it is stored: the form
// that confirms it carries it sealed.
type FactorOffer struct {
	Secret string // base32, to be typed
	URI    string // otpauth: URI, for a QR code
	Sealed string // for the form
}

// OfferSecondFactor returns a new secret for a user.
func (a *AccountService) OfferSecondFactor(u account.User) (FactorOffer, error) {
	secret := make([]byte, codeSecret)
	_, _ = rand.Read(secret) // never fails: the program crashes instead
	until := strconv.FormatInt(a.now().Add(offerExpiry).Unix(), 10)
	sealed, err := seal.SealText(a.factors, until+" "+string(secret), "offer", u.ID)
	if err != nil {
		return FactorOffer{}, err
	}
	return describeOffer(u, secret, base64.RawURLEncoding.EncodeToString(sealed)), nil
}

// ReopenOffer returns the offer of a form; [ErrOfferExpired] after half an hour, or if it is not the user's.
func (a *AccountService) ReopenOffer(u account.User, sealed string) (FactorOffer, error) {
	secret, err := a.openOffer(u, sealed)
	return describeOffer(u, secret, sealed), err
}

func (a *AccountService) openOffer(u account.User, sealed string) ([]byte, error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return nil, ErrOfferExpired
	}
	text, err := seal.OpenText(a.factors, raw, "offer", u.ID)
	if err != nil {
		return nil, ErrOfferExpired
	}
	until, secret, _ := strings.Cut(text, " ")
	if end, err := strconv.ParseInt(until, 10, 64); err != nil || a.now().Unix() >= end {
		return nil, ErrOfferExpired
	}
	return []byte(secret), nil
}

// describeOffer returns a secret in the forms that apps read (Google's Key URI Format).
func describeOffer(u account.User, secret []byte, sealed string) FactorOffer {
	text := secretBase32.EncodeToString(secret)
	uri := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + codeIssuer + ":" + u.Name, RawQuery: url.Values{
		"secret": {text}, "issuer": {codeIssuer},
	}.Encode()}
	return FactorOffer{Secret: text, URI: uri.String(), Sealed: sealed}
}

// matchCode returns the time step whose code was typed, later than the last accepted one; 0: none.
func matchCode(secret []byte, typed string, now time.Time, last uint64) (matched uint64) {
	text := secretBase32.EncodeToString(secret)
	current := uint64(max(now.Unix(), 0)) / uint64(codeStep/time.Second) //nolint:gosec // not negative
	for step := max(current, 1) - 1; step <= current+1; step++ {
		fits, err := hotp.ValidateCustom(typed, step, text, hotp.ValidateOpts{
			Digits: codeDigits, Algorithm: otp.AlgorithmSHA1,
		})
		if err == nil && fits && step > last {
			matched = step
		}
	}
	return matched
}

// compactCode returns a code as it is compared: apps show it in two groups.
func compactCode(typed string) string { return strings.ReplaceAll(strings.TrimSpace(typed), " ", "") }

// isAppCode reports whether what was typed has the form of an app's code; all else may be a recovery code.
func isAppCode(typed string) bool {
	return len(typed) == codeDigits.Length() && strings.Trim(typed, "0123456789") == ""
}

// newRecoveryCodes returns ten codes, each of which replaces one code of the app, and their hashes for the store.
func (a *AccountService) newRecoveryCodes(userID string) (codes []string, hashes [][]byte) {
	for range recoveryCodes {
		var groups [recoveryGroups]string
		for i := range groups {
			groups[i] = randomText(suggestedGroup, suggestedSigns)
		}
		code := strings.Join(groups[:], "-")
		codes, hashes = append(codes, code), append(hashes, a.hashRecovery(userID, code))
	}
	return codes, hashes
}

// hashRecovery returns the keyed hash of a recovery code, however it was typed: capitals, spaces and dashes do not
// count.
func (a *AccountService) hashRecovery(userID, typed string) []byte {
	m := hmac.New(sha256.New, a.factors[:])
	plain := strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(typed))
	m.Write([]byte("recovery\x00" + userID + "\x00" + plain))
	return m.Sum(nil)
}

// acceptCode returns the second factor of a user who has one after a code was accepted, which is not accepted again: an
// app's code of a time step, or a recovery code. [ErrWrongCode].
func (a *AccountService) acceptCode(u account.User, typed string) (*account.SecondFactor, error) {
	kept := *u.SecondFactor
	typed = strings.TrimSpace(typed)
	if compact := compactCode(typed); isAppCode(compact) {
		if !kept.HasApp() {
			return nil, ErrWrongCode
		}
		secret, err := seal.OpenText(a.factors, kept.Secret, u.ID)
		if err == nil && secret == "" { // nothing was sealed: the codes of no secret are known to all
			err = seal.ErrUnreadable
		}
		if err != nil {
			return nil, err
		}
		step := matchCode([]byte(secret), compact, a.now(), kept.LastStep)
		if step == 0 {
			return nil, ErrWrongCode
		}
		kept.LastStep = step
		return &kept, nil
	}
	hash := a.hashRecovery(u.ID, typed)
	isTyped := func(one []byte) bool { return subtle.ConstantTimeCompare(one, hash) == 1 }
	left := slices.DeleteFunc(slices.Clone(kept.Recovery), isTyped)
	if len(left) == len(kept.Recovery) {
		return nil, ErrWrongCode
	}
	kept.Recovery = left
	return &kept, nil
}
