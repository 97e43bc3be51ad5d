package sip

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// ladderTable are the recorders of the calls whose messages are recorded, by Call-ID. sipgo has one tracer per process,
// so this is a global.
type ladderTable struct {
	mu sync.Mutex
	by map[string]*carrier.TraceRecorder
	// challenged are those of inbound calls that have been asked for credentials, until the INVITE with them.
	challenged map[string]*time.Timer
}

var ladders = &ladderTable{by: map[string]*carrier.TraceRecorder{}, challenged: map[string]*time.Timer{}}

// mostChallenged bounds the ladders of calls that may never come.
const mostChallenged = 256

// recordChallenged records the messages with the Call-ID of an INVITE that is challenged, until it comes again or its
// nonce has expired. It is false if that is so already, or too many are recorded.
func (l *ladderTable) recordChallenged(callID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by[callID] != nil || len(l.challenged) >= mostChallenged {
		return false
	}
	l.by[callID] = &carrier.TraceRecorder{}
	l.challenged[callID] = time.AfterFunc(nonceLife, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.challenged[callID] != nil {
			delete(l.challenged, callID)
			delete(l.by, callID)
		}
	})
	return true
}

// claimChallenged returns the recorder of a call that was challenged and has come again; nil for another one.
func (l *ladderTable) claimChallenged(callID string) *carrier.TraceRecorder {
	l.mu.Lock()
	timer, r := l.challenged[callID], l.by[callID]
	delete(l.challenged, callID)
	l.mu.Unlock()
	if timer == nil {
		return nil
	}
	timer.Stop()
	l.recordCall(callID, r) // until its end
	return r
}

// recordCall records the messages with a Call-ID until the recorder's end. A call may have several: one for each
// server.
func (l *ladderTable) recordCall(callID string, r *carrier.TraceRecorder) {
	if r == nil {
		return
	}
	l.mu.Lock()
	l.by[callID] = r
	l.mu.Unlock()
	r.OnFinish(func() {
		l.mu.Lock()
		delete(l.by, callID)
		l.mu.Unlock()
	})
}

// addMessage adds a message to the ladder of its call, if that is recorded.
func (l *ladderTable) addMessage(sent bool, transport, remote string, message []byte) {
	l.mu.Lock()
	none := len(l.by) == 0
	l.mu.Unlock()
	if none {
		return
	}
	callID := findCallID(message)
	l.mu.Lock()
	r := l.by[callID]
	l.mu.Unlock()
	if r == nil {
		return
	}
	if m, ok := redactForLadder(string(message[:min(len(message), longestTrace)])); ok {
		m.At, m.Sent, m.Peer = time.Now().UTC(), sent, strings.ToLower(transport)+" "+remote
		m.Cut = m.Cut || len(message) > longestTrace
		r.AddMessage(m)
	}
}

// callIDLine is the header Call-ID, or i in its compact form.
var callIDLine = regexp.MustCompile(`(?i)\n(?:call-id|i)[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?\n`)

// findCallID returns the Call-ID of a message; empty without one.
func findCallID(message []byte) string {
	if found := callIDLine.FindSubmatch(message); found != nil {
		return string(found[1])
	}
	return ""
}

const (
	mostHeaders   = 64  // of a message in a ladder
	mostSDPLines  = 48  //
	longestHeader = 512 // bytes of a header, or a line of a session description
)

// credentialHeaders are the headers of which a ladder shows only that they were there.
var credentialHeaders = regexp.MustCompile(`(?i)^(y|identity|subject|s)$|auth|token|password|secret|cookie|key`)

// redactForLadder parses a message for a ladder: without credentials and keys, its numbers masked, of its body the
// session description alone.
func redactForLadder(message string) (m call.SIPMessage, ok bool) {
	head, body, _ := strings.Cut(strings.ReplaceAll(message, "\r\n", "\n"), "\n\n")
	lines := strings.Split(strings.ToValidUTF8(head, "�"), "\n")
	if !strings.Contains(lines[0], "SIP/2.0") {
		return m, false
	}
	m.Line, m.Headers = maskAddresses(cutText(lines[0], &m.Cut)), []string{}
	isSDP := false
	for _, line := range lines[1:] {
		name, value, found := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" {
			continue
		}
		if lower := strings.ToLower(name); lower == "content-type" || lower == "c" {
			isSDP = strings.HasPrefix(strings.ToLower(value), "application/sdp")
		}
		switch {
		case len(m.Headers) == mostHeaders:
			m.Cut = true
		case credentialHeaders.MatchString(name):
			m.Headers = append(m.Headers, cutText(name, &m.Cut)+": •••")
		case ownCallID.MatchString(value): // holds the digits of the call's own id
			m.Headers = append(m.Headers, name+": "+value)
		default:
			m.Headers = append(m.Headers, maskAddresses(cutText(name+": "+value, &m.Cut)))
		}
	}
	if isSDP {
		m.SDP = redactSDP(body, &m.Cut)
	}
	return m, true
}

// redactSDP returns the lines of a session description without keys of SRTP.
func redactSDP(body string, cut *bool) (out []string) {
	for line := range strings.SplitSeq(strings.ToValidUTF8(strings.TrimSpace(body), "�"), "\n") {
		lower := strings.ToLower(strings.TrimSpace(line))
		switch {
		case len(out) == mostSDPLines:
			*cut = true
			return out
		case strings.HasPrefix(lower, "a=crypto:"), strings.HasPrefix(lower, "k="), strings.HasPrefix(lower, "a=key-mgmt:"):
			kind, _, _ := strings.Cut(strings.TrimSpace(line), ":")
			if kind = kind[:min(len(kind), len("a=key-mgmt"))]; lower[0] == 'k' {
				kind = "k="
			}
			out = append(out, kind+" •••")
		default:
			out = append(out, hideEmail(cutText(line, cut)))
		}
	}
	return out
}

// cutText shortens a line to longestHeader.
func cutText(text string, cut *bool) string {
	if len(text) <= longestHeader {
		return text
	}
	*cut = true
	return strings.ToValidUTF8(text[:longestHeader], "")
}

var (
	// wholeUser is the user part of an address, with a password.
	wholeUser = regexp.MustCompile(`(?i)\b(sips?|tel):([^@;>,\s]+)@`)
	// telNumber is the number of a tel address.
	telNumber = regexp.MustCompile(`(?i)\btel:([^;>,\s@]+)`)
	// displayName is the name before an address, quoted or not: a person's, or the account's.
	displayName = regexp.MustCompile(`(:\s*|,\s*)(?:"[^"]*"\s*|[^\s<>",:;][^<>",:;]*)(<)`)
	// someAddress is an e-mail address or user@host, of an origin or contact.
	someAddress = regexp.MustCompile(`[^\s<>"@;:]+@`)
)

// maskAddresses masks users and numbers: of a number its country and its last two digits remain, of another user
// nothing.
func maskAddresses(text string) string {
	text = displayName.ReplaceAllString(text, `$1"•••" $2`)
	text = wholeUser.ReplaceAllStringFunc(text, func(found string) string {
		parts := wholeUser.FindStringSubmatch(found)
		return parts[1] + ":" + maskUser(parts[2]) + "@"
	})
	text = telNumber.ReplaceAllStringFunc(text, func(found string) string {
		return found[:len("tel:")] + maskUser(found[len("tel:"):])
	})
	return manyDigits.ReplaceAllStringFunc(text, call.MaskNumber)
}

// onlyNumber is a user that is a number.
var onlyNumber = regexp.MustCompile(`^\+?[0-9]{5,}$`)

func maskUser(user string) string {
	if onlyNumber.MatchString(user) {
		return call.MaskNumber(user)
	}
	return "•••"
}

// hideEmail removes user parts from a line of a session description.
func hideEmail(line string) string {
	if slices.Contains([]string{"e=", "p=", "u=", "s=", "i="}, line[:min(2, len(line))]) {
		return line[:2] + "•••"
	}
	if user, rest, found := strings.Cut(line, " "); found && strings.HasPrefix(user, "o=") {
		return "o=- " + rest
	}
	return someAddress.ReplaceAllString(line, "•••@")
}
