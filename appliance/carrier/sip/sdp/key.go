package sdp

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	pion "github.com/pion/sdp/v3"
)

const (
	// suite is the crypto suite that every implementation of RFC 4568 supports.
	suite = "AES_CM_128_HMAC_SHA1_80"
	// keyLength is the length of the suite's master key plus master salt, in bytes.
	keyLength = 30
)

// writeKey returns the value of a crypto attribute. Without a lifetime a key lasts for 2^48 packets (RFC 4568 §6.1).
func writeKey(tag int, key []byte) string {
	return fmt.Sprintf("%d %s inline:%s", tag, suite, base64.StdEncoding.EncodeToString(key))
}

// chooseKey returns the remote side's key and its tag. If encryption is required, an offer without it is refused; if
// encryption is not supported, an offer with it is refused.
func (l LocalMedia) chooseKey(audio *pion.MediaDescription) (tag int, key []byte, err error) {
	if want := l.transport(); withoutFeedback(audio.MediaName) != want {
		return 0, nil, fmt.Errorf("%w: %s where %s is wanted", ErrKeys, strings.Join(audio.MediaName.Protos, "/"), want)
	}
	if l.Key == nil {
		return 0, nil, nil
	}
	for _, a := range audio.Attributes {
		if tag, key, ok := readKey(a); ok {
			return tag, key, nil
		}
	}
	return 0, nil, fmt.Errorf("%w: no key of %s that can be used", ErrKeys, suite)
}

// readKey parses a crypto attribute, if it is usable: our suite, one key, and no parameter that changes the packet
// format.
func readKey(a pion.Attribute) (tag int, key []byte, ok bool) {
	fields := strings.Fields(a.Value)
	if a.Key != "crypto" || len(fields) < 3 || !strings.EqualFold(fields[1], suite) || !isPlainSessionParams(fields[3:]) {
		return 0, nil, false
	}
	tag, err := strconv.Atoi(fields[0])
	if err != nil || tag < 0 {
		return 0, nil, false
	}
	key, ok = readInline(fields[2])
	return tag, key, ok
}

// readInline parses inline:KEY[|LIFETIME]. Keys with an identifier (MKI), which would be part of each packet, and
// multiple keys, which require one, are not supported.
func readInline(text string) ([]byte, bool) {
	inline, found := strings.CutPrefix(text, "inline:")
	encoded, lifetime, limited := strings.Cut(inline, "|")
	if !found || limited && !isLongLifetime(lifetime) {
		return nil, false
	}
	key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	return key, err == nil && len(key) == keyLength
}

// isLongLifetime reports whether a lifetime, 2^N or a number of packets, exceeds any call: at 50 packets a second 2^20
// of them last for almost six hours.
func isLongLifetime(lifetime string) bool {
	if exponent, ok := strings.CutPrefix(lifetime, "2^"); ok {
		n, err := strconv.ParseUint(exponent, 10, 8)
		return err == nil && n >= 20
	}
	n, err := strconv.ParseUint(lifetime, 10, 64)
	return err == nil && n >= 1<<20
}

// isPlainSessionParams reports whether session parameters can be ignored: only the window size hint (WSH) can.
func isPlainSessionParams(parameters []string) bool {
	for _, p := range parameters {
		if !strings.HasPrefix(p, "WSH=") {
			return false
		}
	}
	return true
}
