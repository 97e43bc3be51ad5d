package sip_test

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestByeOfAnotherDialogIsIgnored checks that a BYE with the Call-ID but without both tags does not end the call (RFC
// 3261 §12.2.2).
func TestByeOfAnotherDialogIsIgnored(t *testing.T) {
	t.Parallel()
	otherFrom := scenarioStep(strings.Replace(string(peerRequest(1, "BYE")), tag, ";tag=stranger", 1))
	otherTo := scenarioStep(strings.Replace(string(peerRequest(2, "BYE")), "To: [$from]", "To: <sip:me@[remote_ip]>;tag=stranger", 1))
	noTo := scenarioStep(strings.Replace(string(peerRequest(3, "INFO")), "To: [$from]", "To: <sip:me@[remote_ip]>", 1))
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), otherFrom, receiveStep("481"), otherTo, receiveStep("481"), noTo, receiveStep("481"),
		peerRequest(4, "OPTIONS"), receiveStep("200"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "OPTIONS", 1)
	if _, err := line.Next(t.Context()); err != nil {
		t.Errorf("Next = %v", err)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestGarbage checks that a valid request is still answered after any invalid input.
func TestGarbage(t *testing.T) {
	t.Parallel()
	const head = "INVITE sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKx\r\nFrom: <sip:a@b>;tag=1\r\n" +
		"To: <sip:c@d>\r\nCall-ID: garbage\r\nCSeq: 1 INVITE\r\n"
	garbage := []string{
		"\x00", "\r\n\r\n", "SIP/2.0", "SIP/2.0 200 OK\r\n\r\n", strings.Repeat("A", 60000), "INVITE\r\n\r\n",
		"BYE sip:a@b SIP/2.0\r\n\r\n", head, head + "\r\n", head + "Content-Length: -1\r\n\r\nx", head + "Content-Length: 99999999999\r\n\r\nx",
		strings.Replace(head, "CSeq: 1 INVITE", "CSeq: x", 1) + "\r\n", strings.Replace(head, "CSeq: 1", "CSeq: 4294967296", 1) + "\r\n",
		strings.Replace(head, "Call-ID: garbage\r\n", "", 1) + "\r\n", strings.Replace(head, "<sip:a@b>;tag=1", "", 1) + "\r\n",
		strings.Replace(head, "Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKx\r\n", "", 1) + "\r\n",
		strings.Replace(head, "127.0.0.1:9", "[::::1]:99999", 1) + "\r\n", strings.Replace(head, "sip:a@b", "tel:+1", 1) + "\r\n",
		strings.ReplaceAll(head, "INVITE", "BYE") + "\r\n", strings.ReplaceAll(head, "INVITE", "ACK") + "\r\n",
		head + strings.Repeat("Via: SIP/2.0/UDP h;branch=z9hG4bKy\r\n", 1000) + "\r\n", head + "Contact: <<<>>>\r\nRecord-Route: ,,,\r\n\r\n",
		strings.Replace(head, "INVITE sip:a@b", "NOTIFY sip:a@b", 1) + "Event: refer\r\n\r\nSIP/2.0 999999999999 x",
	}
	alive := []scenarioStep{sendStep(true, []string{
		"OPTIONS sip:someone@[remote_ip]:[remote_port] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
		"From: <sip:stranger@[local_ip]>" + tag, "To: <sip:someone@[remote_ip]>", "Call-ID: [call_id]", "CSeq: 1 OPTIONS", "Max-Forwards: 70",
	}), receiveStep("200")}
	for _, network := range []string{"udp", "tcp"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			c := openCarrier(t, silentAddress(t)+";transport="+network)
			for some := range slices.Chunk(garbage, 8) { // no more than what a stranger may say in a second, even if it is late
				for _, text := range some {
					sendAlone(t, network, c.Address().String(), text)
				}
				startInboundCaller(t, c, network == "tcp", alive...)
				<-time.After(time.Second)
			}
		})
	}
}

// sendAlone sends data over a new connection.
func sendAlone(t *testing.T, network, address, text string) {
	t.Helper()
	conn, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Errorf("%.40q: %v", text, err)
	}
	_ = conn.Close()
}
