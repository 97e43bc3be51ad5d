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

// subprotocolOffer is what a client that cannot set headers says in its subprotocols.
type subprotocolOffer struct {
	key  string
	beta bool
}

// acceptedSubprotocols are the subprotocols that may be agreed on, the best first. A browser gives a session up in which none of its
// own was, so one that offers nothing but its key is told the key.
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
