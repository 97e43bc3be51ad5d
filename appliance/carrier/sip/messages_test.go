package sip_test

import (
	"bufio"
	"context"
	"net/textproto"
	"regexp"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip/sipptest"
)

// sipMessage is a SIP message that SIPp sent or received.
type sipMessage struct {
	ours   bool   // from us to SIPp
	first  string // request or status line
	header textproto.MIMEHeader
	body   string
}

// requestMethod returns the method of a request; empty for a response.
func (m sipMessage) requestMethod() string {
	name, _, _ := strings.Cut(m.first, " ")
	if strings.HasPrefix(name, "SIP/") {
		return ""
	}
	return name
}

// headerValue returns the first value of a header.
func (m sipMessage) headerValue(name string) string { return m.header.Get(name) }

// boundary separates two messages in SIPp's log and describes the following one.
var boundary = regexp.MustCompile(`(?m)^-{20,} .*\n(?:UDP|TCP) message (sent|received).*\n\n`)

// readMessages returns all messages that SIPp has logged so far.
func (s *sippPeer) readMessages() []sipMessage {
	log := s.ReadLog("messages")
	found := boundary.FindAllStringSubmatchIndex(log, -1)
	var out []sipMessage
	for i, at := range found {
		end := len(log)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if m, ok := parseMessages(log[at[1]:end]); ok {
			m.ours = log[at[2]:at[3]] == "received"
			out = append(out, m)
		}
	}
	return out
}

// parseMessages parses the log without an incomplete last message.
func parseMessages(text string) (sipMessage, bool) {
	r := textproto.NewReader(bufio.NewReader(strings.NewReader(strings.TrimLeft(text, "\r\n"))))
	first, err := r.ReadLine()
	if err != nil || first == "" {
		return sipMessage{}, false
	}
	header, err := r.ReadMIMEHeader()
	if err != nil {
		return sipMessage{}, false
	}
	var body strings.Builder
	for line, err := r.ReadLine(); err == nil; line, err = r.ReadLine() {
		body.WriteString(line + "\n")
	}
	return sipMessage{first: first, header: header, body: body.String()}, true
}

// sentRequests returns our requests with a method.
func (s *sippPeer) sentRequests(method string) []sipMessage {
	var out []sipMessage
	for _, m := range s.readMessages() {
		if m.ours && m.requestMethod() == method {
			out = append(out, m)
		}
	}
	return out
}

// sentAnswers returns our responses to a method.
func (s *sippPeer) sentAnswers(method string) []sipMessage {
	var out []sipMessage
	for _, m := range s.readMessages() {
		if m.ours && m.requestMethod() == "" && strings.HasSuffix(m.headerValue("Cseq"), " "+method) {
			out = append(out, m)
		}
	}
	return out
}

// waitUntil polls until a condition holds.
func waitUntil(t *testing.T, peer *sippPeer, ask func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, peer.ExitedChan(), ask); err != nil {
		t.Fatal(err)
	}
}

// awaitRequest waits for our nth request with a method, from 1.
func (s *sippPeer) awaitRequest(t *testing.T, method string, n int) sipMessage {
	t.Helper()
	return s.awaitNthRequest(t, method, n, func() []sipMessage { return s.sentRequests(method) })
}

// awaitAnswer waits for our nth response to a method, from 1.
func (s *sippPeer) awaitAnswer(t *testing.T, method string, n int) sipMessage {
	t.Helper()
	return s.awaitNthRequest(t, "answer to "+method, n, func() []sipMessage { return s.sentAnswers(method) })
}

func (s *sippPeer) awaitNthRequest(t *testing.T, what string, n int, all func() []sipMessage) sipMessage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, s.ExitedChan(), func() bool { return len(all()) >= n }); err != nil {
		t.Fatalf("%d of our %s at SIPp, want %d: %v", len(all()), what, n, err)
	}
	return all()[n-1]
}
