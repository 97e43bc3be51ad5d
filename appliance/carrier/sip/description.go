package sip

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"strings"

	"github.com/emiago/sipgo/sip"
)

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
