package sip

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/store/jsontext"
)

const (
	mostMessages = 400  // maximum number of stored messages
	longestTrace = 4096 // maximum bytes of a message
)

// signalling holds the recent messages from and to known addresses. sipgo has one tracer per process, so this is a
// global.
var signalling = &signallingLog{known: map[netip.Addr]bool{}}

// SignallingLog returns the recent SIP messages for support, redacted: without numbers, account names, credentials and
// keys, and without bodies other than formats, addresses and directions of session descriptions.
func SignallingLog() []string { return signalling.lastMessages() }

// signallingLog stores the recent messages; it implements sip.SIPTracer.
type signallingLog struct {
	mu       sync.Mutex
	known    map[netip.Addr]bool
	messages []string
}

// addKnownAddress enables storing messages of an address. Those of unknown addresses are not stored: scanners would
// fill the log.
func (l *signallingLog) addKnownAddress(a netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.known) < mostKnown {
		l.known[a.Unmap()] = true
	}
}

// SIPTraceRead implements sip.SIPTracer.
func (l *signallingLog) SIPTraceRead(transport, _, remote string, message []byte) {
	l.addMessage("<-", transport, remote, message)
	ladders.addMessage(false, transport, remote, message)
}

// SIPTraceWrite implements sip.SIPTracer.
func (l *signallingLog) SIPTraceWrite(transport, _, remote string, message []byte) {
	l.addMessage("->", transport, remote, message)
	ladders.addMessage(true, transport, remote, message)
}

func (l *signallingLog) addMessage(way, transport, remote string, message []byte) {
	from := addrOf(remote)
	l.mu.Lock()
	wanted := l.known[from.Unmap()]
	l.mu.Unlock()
	text := RedactMessage(string(message[:min(len(message), longestTrace)]))
	if !wanted || text == "" {
		return
	}
	entry := fmt.Sprintf("%s %s %s %s\n%s", jsontext.FormatTime(time.Now()), way, transport, remote, text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.messages) >= mostMessages {
		l.messages = slices.Delete(l.messages, 0, mostMessages/4)
	}
	l.messages = append(l.messages, entry)
}

func (l *signallingLog) lastMessages() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.messages)
}

// shownHeaders are the headers whose values are kept, with users and numbers redacted.
var shownHeaders = []string{
	"via",
	"v",
	"contact",
	"m",
	"record-route",
	"route",
	"call-id",
	"i",
	"cseq",
	"reason",
	"retry-after",
	"warning",
	"server",
	"user-agent",
	"allow",
	"supported",
	"k",
	"require",
	"unsupported",
	"session-expires",
	"x",
	"min-se",
	"min-expires",
	"expires",
	"event",
	"o",
	"subscription-state",
	"content-type",
	"c",
	"accept",
	"accept-encoding",
	"rseq",
	"rack",
}

// shownLines are the prefixes of SDP lines that are kept.
var shownLines = []string{
	"c=", "m=", "a=rtpmap:", "a=fmtp:", "a=ptime:", "a=sendrecv", "a=sendonly", "a=recvonly", "a=inactive", "a=rtcp:",
}

var (
	userInURI    = regexp.MustCompile(`(?i)(sips?|tel):[^@;>,\s]+@`)
	numberInURI  = regexp.MustCompile(`(?i)tel:[^;>,\s]+`)
	manyDigits   = regexp.MustCompile(`\+?\d{7,}`)
	tagOfAddress = regexp.MustCompile(`;\s*tag=[\w.~!*'%+-]+`)
	ownCallID    = regexp.MustCompile(`^call_[0-9a-f-]{36}-[A-Z2-7]{10}$`)
	harmlessAuth = regexp.MustCompile(`(?i)(realm|algorithm|qop|stale)=("[^"]*"|[\w-]+)`)
)

// RedactMessage returns a redacted SIP message; empty for anything else.
func RedactMessage(message string) string {
	head, body, _ := strings.Cut(strings.ReplaceAll(message, "\r\n", "\n"), "\n\n")
	lines := strings.Split(head, "\n")
	if !strings.Contains(lines[0], "SIP/2.0") {
		return ""
	}
	out := []string{hideUsers(lines[0])}
	for _, line := range lines[1:] {
		if shown := redactHeader(line); shown != "" {
			out = append(out, shown)
		}
	}
	for line := range strings.SplitSeq(body, "\n") {
		if slices.ContainsFunc(shownLines, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
			out = append(out, hideUsers(line))
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// redactHeader returns a redacted header; empty if it is dropped.
func redactHeader(line string) string {
	name, value, found := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch lower := strings.ToLower(name); {
	case !found:
		return ""
	case (lower == "call-id" || lower == "i") && ownCallID.MatchString(value):
		return name + ": " + value
	case lower == "from" || lower == "f" || lower == "to" || lower == "t":
		return name + ": <•••>" + hideUsers(tagOfAddress.FindString(value))
	case lower == "www-authenticate" || lower == "proxy-authenticate":
		return name + ": Digest " + hideUsers(strings.Join(harmlessAuth.FindAllString(value, -1), ", "))
	case lower == "authorization" || lower == "proxy-authorization":
		return name + ": •••"
	case slices.Contains(shownHeaders, lower):
		return name + ": " + hideUsers(value)
	default:
		return ""
	}
}

// hideUsers redacts users of addresses and anything that looks like a number.
func hideUsers(text string) string {
	text = userInURI.ReplaceAllString(text, "$1:•••@")
	text = numberInURI.ReplaceAllString(text, "tel:•••")
	return manyDigits.ReplaceAllString(text, "•••")
}

func init() {
	sip.SIPDebug = true // only our tracer receives the messages
	sip.SIPDebugTracer(signalling)
}
