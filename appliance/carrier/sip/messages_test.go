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

// message is one that SIPp sent or received.
type message struct {
	ours   bool   // from us to SIPp
	first  string // request or status line
	header textproto.MIMEHeader
	body   string
}

// method is the request's, empty for an answer.
func (m message) method() string {
	name, _, _ := strings.Cut(m.first, " ")
	if strings.HasPrefix(name, "SIP/") {
		return ""
	}
	return name
}

// get is the first value of a header.
func (m message) get(name string) string { return m.header.Get(name) }

// boundary is the line between two messages in SIPp's log, with what it says of the one that follows.
var boundary = regexp.MustCompile(`(?m)^-{20,} .*\n(?:UDP|TCP) message (sent|received).*\n\n`)

// messages are all that SIPp wrote down so far.
func (s *stranger) messages() []message {
	log := s.ReadLog("messages")
	found := boundary.FindAllStringSubmatchIndex(log, -1)
	var out []message
	for i, at := range found {
		end := len(log)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if m, ok := parse(log[at[1]:end]); ok {
			m.ours = log[at[2]:at[3]] == "received"
			out = append(out, m)
		}
	}
	return out
}

// parse reads one; not yet what is still being written.
func parse(text string) (message, bool) {
	r := textproto.NewReader(bufio.NewReader(strings.NewReader(strings.TrimLeft(text, "\r\n"))))
	first, err := r.ReadLine()
	if err != nil || first == "" {
		return message{}, false
	}
	header, err := r.ReadMIMEHeader()
	if err != nil {
		return message{}, false
	}
	var body strings.Builder
	for line, err := r.ReadLine(); err == nil; line, err = r.ReadLine() {
		body.WriteString(line + "\n")
	}
	return message{first: first, header: header, body: body.String()}, true
}

// sent are our requests of a method.
func (s *stranger) sent(method string) []message {
	var out []message
	for _, m := range s.messages() {
		if m.ours && m.method() == method {
			out = append(out, m)
		}
	}
	return out
}

// answered are our answers to a method.
func (s *stranger) answered(method string) []message {
	var out []message
	for _, m := range s.messages() {
		if m.ours && m.method() == "" && strings.HasSuffix(m.get("Cseq"), " "+method) {
			out = append(out, m)
		}
	}
	return out
}

// eventually waits until the answer is yes.
func eventually(t *testing.T, peer *stranger, ask func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, peer.ExitedChan(), ask); err != nil {
		t.Fatal(err)
	}
}

// await waits for the nth request of ours of a method, from 1.
func (s *stranger) await(t *testing.T, method string, n int) message {
	t.Helper()
	return s.awaited(t, method, n, func() []message { return s.sent(method) })
}

// awaitAnswer waits for our nth answer to a method, from 1.
func (s *stranger) awaitAnswer(t *testing.T, method string, n int) message {
	t.Helper()
	return s.awaited(t, "answer to "+method, n, func() []message { return s.answered(method) })
}

func (s *stranger) awaited(t *testing.T, what string, n int, all func() []message) message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, s.ExitedChan(), func() bool { return len(all()) >= n }); err != nil {
		t.Fatalf("%d of our %s at SIPp, want %d: %v", len(all()), what, n, err)
	}
	return all()[n-1]
}
