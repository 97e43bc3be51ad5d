package sip

import (
	"mime"
	"slices"
	"strings"

	"github.com/emiago/sipgo/sip"
)

// extensions are the supported option tags.
var extensions = []string{"timer"}

// bodies are the supported body types by method.
var bodies = map[sip.RequestMethod][]string{
	sip.INVITE: {sdpType},
	sip.UPDATE: {sdpType},
	sip.INFO:   {"application/dtmf-relay", "application/dtmf"},
	sip.NOTIFY: {"message/sipfrag"},
}

// isUnderstood reports whether a request is supported, and otherwise answers it: 420 lists the unsupported extensions
// (RFC 3261 §8.2.2.3), 415 the accepted bodies (§8.2.3), 422 the minimum session interval (RFC 4028 §9).
func isUnderstood(req *sip.Request, tx sip.ServerTransaction) bool {
	if unknown := unknownExtensions(req); len(unknown) > 0 {
		sendResponse(req, tx, 420, "Bad Extension", sip.NewHeader("Unsupported", strings.Join(unknown, ", ")))
		return false
	}
	if accepted, ok := acceptsBody(req); !ok {
		sendResponse(req, tx, 415, "Unsupported Media Type", sip.NewHeader("Accept", strings.Join(accepted, ", ")),
			sip.NewHeader("Accept-Encoding", "identity"))
		return false
	}
	if isIntervalTooShort(req) {
		sendResponse(req, tx, 422, "Session Interval Too Small", sip.NewHeader("Min-SE", leastInterval))
		return false
	}
	return true
}

// unknownExtensions returns the unsupported option tags in Require.
func unknownExtensions(req *sip.Request) (unknown []string) {
	for _, h := range req.GetHeaders("Require") {
		for tag := range strings.SplitSeq(h.Value(), ",") {
			tag = strings.ToLower(strings.TrimSpace(tag))
			if tag != "" && !slices.Contains(extensions, tag) && !slices.Contains(unknown, tag) {
				unknown = append(unknown, tag)
			}
		}
	}
	return unknown
}

// acceptsBody reports whether a request's body is supported, and which types are. An optional one is ignored.
func acceptsBody(req *sip.Request) (accepted []string, ok bool) {
	accepted, known := bodies[req.Method]
	if len(req.Body()) == 0 || !known || isOptional(req) {
		return accepted, true
	}
	_, inParts := descriptionPart(req)
	return accepted, slices.Contains(accepted, bodyType(req)) || inParts && slices.Contains(accepted, sdpType)
}

// bodyType returns the media type of a request's body; empty for a compressed or untyped one.
func bodyType(req *sip.Request) string {
	if coding := strings.TrimSpace(headerOf(req, "Content-Encoding")); coding != "" &&
		!strings.EqualFold(coding, "identity") {
		return ""
	}
	kind, _, err := mime.ParseMediaType(headerOf(req, "Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// sessionDescription returns the session description in a request, alone or in a multipart body; nil for another body.
func sessionDescription(req *sip.Request) []byte {
	if bodyType(req) == sdpType {
		return req.Body()
	}
	part, _ := descriptionPart(req)
	return part
}

// isOptional reports whether a body may be ignored: Content-Disposition: …;handling=optional (RFC 3261 §20.11).
func isOptional(req *sip.Request) bool {
	_, parameters, err := mime.ParseMediaType(headerOf(req, "Content-Disposition"))
	return err == nil && strings.EqualFold(parameters["handling"], "optional")
}

// isIntervalTooShort reports whether a session interval is shorter than RFC 4028 §4 allows, and may be refused (§9).
func isIntervalTooShort(req *sip.Request) bool {
	e, timed := sessionExpires(req)
	return timed && e.interval < leastSession && (req.IsInvite() || req.Method == sip.UPDATE) &&
		supportsOption(req, "timer")
}

// supportsOption reports whether a message's Supported or Require has an option tag.
func supportsOption(m sip.Message, wanted string) bool {
	for _, name := range []string{"Supported", "k", "Require"} {
		for _, h := range m.GetHeaders(name) {
			for tag := range strings.SplitSeq(h.Value(), ",") {
				if strings.EqualFold(strings.TrimSpace(tag), wanted) {
					return true
				}
			}
		}
	}
	return false
}
