// Package siptrunk defines the SIP trunks that an administrator set in the console. It is a leaf package of the store.
package siptrunk

import (
	"slices"
	"time"

	"munadi/store/callerid"
)

// MaxTrunks is the maximum number of trunks.
const MaxTrunks = 50

// Setting are the trunks, in the order in which they are tried; the zero value is none.
type Setting struct {
	Trunks    []Trunk   `json:"trunks"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Trunk is one SIP trunk. Its fields mean what those of an entry of the setting sip-trunks do.
type Trunk struct {
	Name     string   `json:"name"`
	Address  string   `json:"address"`            // sip:HOST[:PORT][;transport=udp|tcp|tls] or sips:HOST
	Prefixes []string `json:"prefixes,omitempty"` // E.164, of the numbers that it serves; none: all
	Lines    int      `json:"lines,omitempty"`    // concurrent calls; 0: the default
	User     string   `json:"user,omitempty"`     // empty: authentication by IP address
	// Password is sealed with a key of the installation, for this address and user only.
	Password       []byte `json:"password,omitempty"`
	From           string `json:"from,omitempty"`             // caller number
	Identity       string `json:"identity,omitempty"`         // number for P-Asserted-Identity; empty: no such header
	Register       bool   `json:"register,omitempty"`         // keep a registration
	InboundDigest  string `json:"inbound_digest,omitempty"`   // md5 or sha-256: its calls to us prove user and password
	SRTP           bool   `json:"srtp,omitempty"`             // encrypt audio
	CallsPerSecond int    `json:"calls_per_second,omitempty"` // 0: the default
	Plus           string `json:"plus,omitempty"`             // replacement for the + of numbers; empty: the default

	// Authority are the certificates of the authorities of its certificate, with TLS, as PEM; empty: the system's.
	Authority string `json:"authority,omitempty"`
	// Codecs are the audio codecs that it offers, the preferred one first; none: the default.
	Codecs []string `json:"codecs,omitempty"`
	// Listen is the local address of signalling, such as 0.0.0.0:5060; empty: any free port.
	Listen string `json:"listen,omitempty"`
	// Callers are the beginnings of the caller numbers that a call may bring, E.164; none: any.
	Callers []string `json:"callers,omitempty"`
	// CallerNumbers are caller numbers by destination, for calls without a number of their own.
	CallerNumbers callerid.NumberRules `json:"caller_numbers,omitempty"`
}

// Find returns the trunk of a name, and its place; -1 without one.
func (s Setting) Find(name string) (Trunk, int) {
	i := slices.IndexFunc(s.Trunks, func(t Trunk) bool { return t.Name == name })
	if i < 0 {
		return Trunk{}, -1
	}
	return s.Trunks[i], i
}
