package auth

import (
	"net/http"
	"strings"
)

// KeyProtocol is the prefix of the WebSocket subprotocol by which browsers, which cannot set headers, send their key:
// that of OpenAI's Realtime API.
const KeyProtocol = "openai-insecure-api-key."

// SubprotocolKey returns the key among the subprotocols that a WebSocket's client offers; empty: none.
func SubprotocolKey(h http.Header) (key string) {
	for _, name := range OfferedSubprotocols(h) {
		if found, ok := strings.CutPrefix(name, KeyProtocol); ok {
			key = found
		}
	}
	return key
}

// OfferedSubprotocols lists the subprotocols that a WebSocket's client offers.
func OfferedSubprotocols(h http.Header) (names []string) {
	for _, line := range h.Values("Sec-WebSocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
