package realtime

import (
	"net/http"
	"slices"

	"munadi/appliance/auth"
)

const (
	protocol     = "realtime"
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
	return []string{protocol, auth.KeyProtocol + o.key}
}

func parseSubprotocols(h http.Header) subprotocolOffer {
	return subprotocolOffer{
		key: auth.SubprotocolKey(h), beta: slices.Contains(auth.OfferedSubprotocols(h), betaProtocol),
	}
}
