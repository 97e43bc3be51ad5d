package sdp

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	pion "github.com/pion/sdp/v3"
)

const (
	// suite is the one that every implementation of RFC 4568 has.
	suite = "AES_CM_128_HMAC_SHA1_80"
	// keyLength is that of the suite's master key and master salt together, in bytes.
	keyLength = 30
)

// writeKey is the value of a crypto attribute. Without a lifetime a key lasts for 2^48 packets (RFC 4568 §6.1).
func writeKey(tag int, key []byte) string {
	return fmt.Sprintf("%d %s inline:%s", tag, suite, base64.StdEncoding.EncodeToString(key))
}

// chooseKey is the other side's key, and its tag. A side that wants encryption takes nothing less, and one that cannot have
// it does not pretend.
func (l LocalMedia) chooseKey(audio *pion.MediaDescription) (tag int, key []byte, err error) {
	transport := strings.Join(audio.MediaName.Protos, "/")
	if want := "RTP/" + l.mediaProfile(); transport != want {
		return 0, nil, fmt.Errorf("%w: %s where %s is wanted", ErrKeys, transport, want)
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

// readKey reads a crypto attribute, if it is one that we can use: our suite, one key, and no parameter that changes
// how packets are made.
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

// readInline reads inline:KEY[|LIFETIME]. A key with an identifier (MKI) would put that into each packet, and several
// keys cannot do without; neither is taken.
func readInline(text string) ([]byte, bool) {
	inline, found := strings.CutPrefix(text, "inline:")
	encoded, lifetime, limited := strings.Cut(inline, "|")
	if !found || limited && !isLongLifetime(lifetime) {
		return nil, false
	}
	key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	return key, err == nil && len(key) == keyLength
}

// isLongLifetime says that a lifetime, 2^N or a number of packets, is longer than any call: at 50 packets a second 2^20 of
// them last for almost six hours.
func isLongLifetime(lifetime string) bool {
	if exponent, ok := strings.CutPrefix(lifetime, "2^"); ok {
		n, err := strconv.ParseUint(exponent, 10, 8)
		return err == nil && n >= 20
	}
	n, err := strconv.ParseUint(lifetime, 10, 64)
	return err == nil && n >= 1<<20
}

// isPlainSessionParams says that session parameters change nothing that we do: a hint of a window's size is the only such one.
func isPlainSessionParams(parameters []string) bool {
	for _, p := range parameters {
		if !strings.HasPrefix(p, "WSH=") {
			return false
		}
	}
	return true
}
