package sip_test

import (
	"fmt"
	"slices"
	"strings"
)

// A scenario of one call is written here in steps, which are elements of SIPp's XML. The peers of all scenarios keep
// what they need of the INVITE in SIPp's variables, for later responses and requests.
type scenarioStep string

// joinScenario joins steps.
func joinScenario(steps ...scenarioStep) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n" + `<scenario name="test">` + "\n")
	for _, s := range steps {
		b.WriteString(string(s) + "\n")
	}
	b.WriteString(`<label id="end"/></scenario>` + "\n")
	return b.String()
}

// tag is the peer's tag in its dialog.
const tag = ";tag=[pid]-[call_number]"

// contact is the peer's contact address.
const contact = "Contact: <sip:peer@[local_ip]:[local_port];transport=[transport]>"

// invited expects an INVITE, our first or another one after a challenge.
const invited scenarioStep = `<recv request="INVITE"><action>
<ereg regexp="[^ ].*" search_in="hdr" header="Via:" check_it="true" assign_to="via"/>
<ereg regexp="[^ ].*" search_in="hdr" header="From:" check_it="true" assign_to="from"/>
<ereg regexp="[^ ].*" search_in="hdr" header="To:" check_it="true" assign_to="to"/>
<ereg regexp="[0-9]+" search_in="hdr" header="CSeq:" check_it="true" assign_to="cseq"/>
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" check_it="true" assign_to="contact"/>
</action></recv><Reference variables="via,from,to,cseq,contact"/>`

// receiveStep expects a request from us, or a response (a number).
func receiveStep(what string) scenarioStep {
	if what[0] >= '0' && what[0] <= '9' {
		return scenarioStep(fmt.Sprintf(`<recv response=%q/>`, what))
	}
	return scenarioStep(fmt.Sprintf(`<recv request=%q/>`, what))
}

// inviteAnswers is a response to the INVITE: "180 Ringing", with further headers; a body begins after an empty line. A
// final one is retransmitted until we acknowledge it.
func inviteAnswers(status string, more ...string) scenarioStep {
	return sendStep(status[0] > '1', append([]string{
		"SIP/2.0 " + status, "Via: [$via]", "From: [$from]", "To: [$to]" + tag, "Call-ID: [call_id]", "CSeq: [$cseq] INVITE",
	}, more...))
}

// agreeAnswer is a final response with SDP: A-law and keys.
func agreeAnswer(more ...string) scenarioStep {
	return inviteAnswers("200 OK", append(append([]string{contact}, more...), soundBody(mediaHere)...)...)
}

// replyStep is a response to the last request.
func replyStep(status string, more ...string) scenarioStep {
	return sendStep(false, append([]string{
		"SIP/2.0 " + status, "[last_Via:]", "[last_From:]", "[last_To:]", "[last_Call-ID:]", "[last_CSeq:]",
	}, more...))
}

// peerRequest is a request of the peer in the dialog; n counts those of one scenario.
func peerRequest(n int, method string, more ...string) scenarioStep {
	return sendStep(true, append([]string{
		method + " [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: [$to]" + tag,
		"To: [$from]", "Call-ID: [call_id]", fmt.Sprintf("CSeq: %d %s", n, method), "Max-Forwards: 70", contact,
	}, more...))
}

// ackAnswer acknowledges our response to the peer's nth request, a re-INVITE.
func ackAnswer(n int) scenarioStep {
	return sendStep(false, []string{
		"ACK [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: [$to]" + tag,
		"To: [$from]", "Call-ID: [call_id]", fmt.Sprintf("CSeq: %d ACK", n), "Max-Forwards: 70",
	})
}

// sendStep sends lines; those after an empty line are the body. It is retransmitted until something is received, which
// SIPp takes for the next expected message, an ACK or a response.
func sendStep(again bool, lines []string) scenarioStep {
	head, body := lines, []string(nil)
	if i := slices.Index(lines, ""); i >= 0 {
		head, body = lines[:i], lines[i+1:]
	}
	begin := "<send"
	if again {
		begin += repeated
	}
	return scenarioStep(begin + "><![CDATA[\n\n" + strings.Join(head, "\n") + "\nContent-Length: [len]\n\n" +
		strings.Join(body, "\n") + "\n]]></send>")
}

// repeated is SIPp's retransmission interval in ms: T1 of RFC 3261 §17.1.1.2 is too short for a machine that stalls.
const repeated = ` retrans="20000"`

// withoutRetransmission removes the retransmission.
func withoutRetransmission(s scenarioStep) scenarioStep {
	return scenarioStep(strings.Replace(string(s), repeated, "", 1))
}

const mediaHere = "[media_ip]:[media_port]"

// soundBody is SDP with A-law and keys, received at an address; further lines follow.
func soundBody(at string, more ...string) []string {
	i := strings.LastIndex(at, ":")
	return append([]string{
		"Content-Type: application/sdp", "", "v=0", "o=peer 1 1 IN IP4 [media_ip]", "s=-", "c=IN IP4 " + at[:i], "t=0 0",
		"m=audio " + at[i+1:] + " RTP/AVP 8 101", "a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000",
	}, more...)
}

// plays begins the peer's audio, which is repeated.
const plays scenarioStep = `<nop><action><exec rtp_stream="talk.al,-1,8"/></action></nop>`

// pauseStep is a pause in milliseconds.
func pauseStep(ms int) scenarioStep {
	return scenarioStep(fmt.Sprintf(`<pause milliseconds="%d"/>`, ms))
}

// hangsUp is the peer's BYE, its nth request, and our response.
func hangsUp(n int, more ...string) scenarioStep {
	return peerRequest(n, "BYE", more...) + receiveStep("200")
}

// weHangUp is our BYE.
var weHangUp = receiveStep("BYE") + replyStep("200 OK")

// withAttributes gives a step attributes of SIPp's: next, test. SIPp takes one step at a time, and messages meanwhile
// are unexpected: what receives has to follow at once on what sends, or to be its next.
func withAttributes(s scenarioStep, attributes string) scenarioStep {
	before, after, _ := strings.Cut(string(s), "<send")
	return scenarioStep(before + "<send " + attributes + after)
}

// joinSteps joins several steps into one.
func joinSteps(all ...scenarioStep) scenarioStep {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(string(s))
	}
	return scenarioStep(b.String())
}
