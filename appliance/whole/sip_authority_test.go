package whole_test

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"
)

// startSecurePeer starts a SIP server over TLS that answers each request with 200, and returns the address of a trunk
// there with the certificate, as PEM, that its own is trusted by.
func startSecurePeer(t *testing.T) (trunk, authority string) {
	t.Helper()
	issued := httptest.NewTLSServer(nil)
	defer issued.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: issued.TLS.Certificates})
	mustSucceed(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerRequests(conn)
		}
	}()
	authority = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: issued.Certificate().Raw}))
	return "sip:" + listener.Addr().String() + ";transport=tls", authority
}

// answerRequests answers requests without a body.
func answerRequests(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := textproto.NewReader(bufio.NewReader(conn))
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		if line == "" { // keep-alive
			continue
		}
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		answer := "SIP/2.0 200 OK\r\n"
		for _, name := range []string{"Via", "From", "To", "Call-ID", "CSeq", "Contact"} {
			answer += name + ": " + header.Get(name) + "\r\n"
		}
		if _, err := io.WriteString(conn, answer+"Content-Length: 0\r\n\r\n"); err != nil {
			return
		}
	}
}

// TestTrunkAuthority adds a trunk over TLS, whose certificate is of an authority of its own, in the console: it says
// that this is missing until it is pasted there.
func TestTrunkAuthority(t *testing.T) {
	t.Parallel()
	trunk, authority := startSecurePeer(t)
	a := startInstance(t, instanceSettings{
		args: []string{"--carrier", "sip", "--sip-media-ports", "30700-30799"},
		env:  []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + adminPassword},
	})
	a.tends = append(a.tends, "trunk")
	o := a.signInOperator(t)
	await := func(words string) {
		t.Helper()
		for began := time.Now(); !strings.Contains(o.openPage("/console/trunks/pbx"), words); time.Sleep(100 * time.Millisecond) {
			if time.Since(began) > patience {
				t.Fatalf("the page doesn't say %q\n%s", words, a.log.lastLines())
			}
		}
	}
	o.openPage("/console/trunks?lang=en")
	o.setTrunk("/console/trunks", trunk, 200, "name", "pbx", "register", "true")
	await("is not trusted")
	o.setTrunk("/console/trunks/pbx", trunk, 422, "register", "true", "ca", authority[:len(authority)-40])
	o.setTrunk("/console/trunks/pbx", trunk, 200, "register", "true", "ca", authority, "codecs", "g722\npcma")
	await("Registered")
	if page := o.openPage("/console/trunks/pbx"); strings.Contains(page, "is not trusted") || !strings.Contains(page, "g722\npcma") {
		t.Errorf("the page is %s", mainOf(page))
	}
}
