package sip

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier/sip/media"
	"munadi/store/call"
)

// mostCodes is the maximum number of stored statuses per call.
const mostCodes = 32

// inviteAnswers are the response statuses of an INVITE, over all servers. The zero value is empty.
type inviteAnswers struct {
	mu  sync.Mutex
	all []int
}

// addStatus records a status, unless it repeats the last one.
func (a *inviteAnswers) addStatus(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.all); n < mostCodes && (n == 0 || a.all[n-1] != status) {
		a.all = append(a.all, status)
	}
}

func (a *inviteAnswers) statusCodes() []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// Measure implements carrier.MeasuredLine.
func (l *sipLine) Measure() call.LineFacts {
	s := l.Stats()
	return call.LineFacts{
		Trunk: l.dialog.options.Name, SIPCodes: l.dialog.said.statusCodes(), Codec: s.Codec, Encrypted: s.Encrypted,
		Sent: s.Sent, Received: s.Received, Lost: s.Lost, Late: s.Late,
		Ignored: s.Ignored + s.Foreign + s.Forged, Foreign: s.Foreign,
	}
}

// ForeignSound summarizes the calls with audio from an address that was not negotiated.
type ForeignSound struct {
	Calls int        // since the start
	Last  time.Time  // end of the last of them
	From  netip.Addr // source address
}

// foreignSound counts such calls. The zero value is ready.
type foreignSound struct {
	mu sync.Mutex
	ForeignSound
}

// addCall records a call's media statistics at its end.
func (f *foreignSound) addCall(s media.MediaStats) {
	if s.Foreign == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Calls++
	f.Last, f.From = time.Now(), s.Stranger
}

func (f *foreignSound) currentState() ForeignSound {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ForeignSound
}

const (
	sdpType = "application/sdp"
	// mostParts and longestPart limit what is read of a body in parts.
	mostParts   = 16
	longestPart = 64 << 10 // bytes
)

// descriptionIn returns the session description in a response or an ACK: the body, whatever its declared type, or the
// first part of that type of a multipart body, as gateways send that pass ISDN signalling on (RFC 5621 §3).
func descriptionIn(m sip.Message) []byte {
	if part, ok := descriptionPart(m); ok {
		return part
	}
	return m.Body()
}

// descriptionPart returns the session description of a multipart body; false without one.
func descriptionPart(m sip.Message) ([]byte, bool) {
	kind, params, err := mime.ParseMediaType(headerOf(m, "Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") || params["boundary"] == "" {
		return nil, false
	}
	parts := multipart.NewReader(bytes.NewReader(m.Body()), params["boundary"])
	for range mostParts {
		part, err := parts.NextRawPart()
		if err != nil {
			return nil, false
		}
		if kind, _, err := mime.ParseMediaType(part.Header.Get("Content-Type")); err != nil || kind != sdpType {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, longestPart))
		return text, err == nil
	}
	return nil, false
}
