package main

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
)

// telephone answers every call of a trunk (SIP over UDP) with G.711 µ-law, and lets a person speak on it.
type telephone struct {
	signals *net.UDPConn
	person  func(*phoneCall) // holds one call; returns when done is closed
	timed   bool             // its calls have session timers, which the caller refreshes

	mu    sync.Mutex
	calls map[string]*phoneCall // by Call-ID
	wait  sync.WaitGroup
}

// phoneCall is one answered call.
type phoneCall struct {
	number int    // of the call, from 0
	called string // request URI
	sound  *net.UDPConn
	to     netip.AddrPort
	answer string        // SDP
	done   chan struct{} // closed by BYE

	reading  sync.WaitGroup // of what reads its sound
	arrivals arrivalMeter   // of its packets
}

// startTelephone listens on an address for calls, which person holds.
func startTelephone(address string, person func(*phoneCall)) (*telephone, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	signals, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return nil, err
	}
	t := &telephone{signals: signals, person: person, calls: map[string]*phoneCall{}}
	go t.answerRequests()
	return t, nil
}

// stopTelephone ends it and waits for the people.
func (t *telephone) stopTelephone() {
	_ = t.signals.Close()
	t.mu.Lock()
	for id, c := range t.calls {
		close(c.done)
		delete(t.calls, id)
	}
	t.mu.Unlock()
	t.wait.Wait()
}

func (t *telephone) answerRequests() {
	buffer := make([]byte, 1<<16)
	for {
		n, from, err := t.signals.ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		if answer := t.answerRequest(string(buffer[:n])); answer != nil {
			_, _ = t.signals.WriteToUDPAddrPort(answer, from)
		}
	}
}

// answerRequest returns the response to a request; nil for none.
func (t *telephone) answerRequest(request string) []byte {
	head, body, _ := strings.Cut(request, "\r\n\r\n")
	method, rest, _ := strings.Cut(head, " ")
	called, _, _ := strings.Cut(rest, " ")
	id := sipHeader(head, "Call-ID")
	t.mu.Lock()
	defer t.mu.Unlock()
	var description string
	switch method {
	case "ACK", "SIP/2.0":
		return nil
	case "INVITE":
		c := t.calls[id]
		if c == nil {
			var err error
			if c, err = t.openCall(called, body); err != nil {
				return sipResponse(head, "500 "+err.Error(), "")
			}
			t.calls[id] = c
		}
		description = c.answer
	case "BYE", "CANCEL":
		if c := t.calls[id]; c != nil {
			close(c.done)
			delete(t.calls, id)
		}
	}
	if t.timed && method == "INVITE" {
		return sipResponse(head, "200 OK", description, "Session-Expires: 90;refresher=uac", "Require: timer")
	}
	return sipResponse(head, "200 OK", description)
}

// countCalls returns the number of calls that are up.
func (t *telephone) countCalls() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.calls)
}

// openCall answers an offer and lets the person speak.
func (t *telephone) openCall(called, offer string) (*phoneCall, error) {
	own := t.signals.LocalAddr().(*net.UDPAddr).IP
	sound, err := net.ListenUDP("udp", &net.UDPAddr{IP: own})
	if err != nil {
		return nil, err
	}
	if err := stampArrivals(sound); err != nil {
		return nil, err
	}
	c := &phoneCall{number: len(t.calls), called: called, sound: sound, done: make(chan struct{})}
	var address, port string
	for line := range strings.Lines(offer) {
		if rest, ok := strings.CutPrefix(line, "c=IN IP4 "); ok {
			address = strings.TrimSpace(rest)
		}
		if rest, ok := strings.CutPrefix(line, "m=audio "); ok {
			port, _, _ = strings.Cut(rest, " ")
		}
	}
	if c.to, err = netip.ParseAddrPort(address + ":" + port); err != nil {
		return nil, err
	}
	c.answer = fmt.Sprintf("v=0\r\no=- 1 1 IN IP4 %s\r\ns=-\r\nc=IN IP4 %s\r\nt=0 0\r\n"+
		"m=audio %d RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\na=ptime:20\r\n", own, own, sound.LocalAddr().(*net.UDPAddr).Port)
	t.wait.Go(func() {
		defer func() { _ = sound.Close() }()
		t.person(c)
	})
	return c, nil
}

// sipHeader returns the first value of a header.
func sipHeader(head, name string) string {
	for line := range strings.Lines(head) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// sipResponse returns a response with the headers that a request's must have.
func sipResponse(head, status, description string, more ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "SIP/2.0 %s\r\n", status)
	for line := range strings.Lines(head) {
		key, _, _ := strings.Cut(line, ":")
		line = strings.TrimRight(line, "\r\n")
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "via", "from", "call-id", "cseq", "record-route":
			b.WriteString(line + "\r\n")
		case "to":
			if !strings.Contains(line, "tag=") {
				line += ";tag=telephone"
			}
			b.WriteString(line + "\r\n")
		}
	}
	b.WriteString("Contact: <sip:telephone@" + phoneAddress + ">\r\n")
	for _, line := range more {
		b.WriteString(line + "\r\n")
	}
	if description != "" {
		b.WriteString("Content-Type: application/sdp\r\n")
	}
	b.WriteString("Content-Length: " + strconv.Itoa(len(description)) + "\r\n\r\n" + description)
	return b.Bytes()
}
