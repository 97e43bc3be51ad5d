package realtime

import (
	"net/http"
	"strings"
)

const (
	protocol     = "realtime"
	keyProtocol  = "openai-insecure-api-key."
	betaProtocol = "openai-beta.realtime-v1"
)

// subprotocolOffer is the parsed Sec-WebSocket-Protocol of a client that cannot set headers.
type subprotocolOffer struct {
	key  string
	beta bool
}

// acceptedSubprotocols returns the acceptable subprotocols, preferred first. A browser aborts the connection unless one
// that it offered is selected, so a client that offers only its key gets the key selected.
func (o subprotocolOffer) acceptedSubprotocols() []string {
	if o.key == "" {
		return []string{protocol}
	}
	return []string{protocol, keyProtocol + o.key}
}

func parseSubprotocols(h http.Header) (o subprotocolOffer) {
	for _, line := range h.Values("Sec-WebSocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			name = strings.TrimSpace(name)
			if key, found := strings.CutPrefix(name, keyProtocol); found {
				o.key = key
			}
			o.beta = o.beta || name == betaProtocol
		}
	}
	return o
}
