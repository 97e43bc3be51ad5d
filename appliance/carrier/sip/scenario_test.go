package sip_test

import (
	"fmt"
	"slices"
	"strings"
)

// A scenario of one call is written down here in steps, which are elements of SIPp's language. The peer of all of them
// keeps what it needs of the INVITE in SIPp's variables, for answers and requests that come much later.
type scenarioStep string

// joinScenario puts steps together.
func joinScenario(steps ...scenarioStep) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n" + `<scenario name="test">` + "\n")
	for _, s := range steps {
		b.WriteString(string(s) + "\n")
	}
	b.WriteString(`<label id="end"/></scenario>` + "\n")
	return b.String()
}

// tag is the peer's in its dialog.
const tag = ";tag=[pid]-[call_number]"

// contact is where the peer wants to be reached.
const contact = "Contact: <sip:peer@[local_ip]:[local_port];transport=[transport]>"

// invited takes an INVITE, our first or another after a challenge.
const invited scenarioStep = `<recv request="INVITE"><action>
<ereg regexp="[^ ].*" search_in="hdr" header="Via:" check_it="true" assign_to="via"/>
<ereg regexp="[^ ].*" search_in="hdr" header="From:" check_it="true" assign_to="from"/>
<ereg regexp="[^ ].*" search_in="hdr" header="To:" check_it="true" assign_to="to"/>
<ereg regexp="[0-9]+" search_in="hdr" header="CSeq:" check_it="true" assign_to="cseq"/>
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" check_it="true" assign_to="contact"/>
</action></recv><Reference variables="via,from,to,cseq,contact"/>`

// receiveStep takes a request of ours, or an answer (a number).
func receiveStep(what string) scenarioStep {
	if what[0] >= '0' && what[0] <= '9' {
		return scenarioStep(fmt.Sprintf(`<recv response=%q/>`, what))
	}
	return scenarioStep(fmt.Sprintf(`<recv request=%q/>`, what))
}

// inviteAnswers is an answer to the INVITE: "180 Ringing", with further headers; a body begins behind an empty line. A
// final one is sent again until we acknowledge it.
func inviteAnswers(status string, more ...string) scenarioStep {
	return sendStep(status[0] > '1', append([]string{
		"SIP/2.0 " + status, "Via: [$via]", "From: [$from]", "To: [$to]" + tag, "Call-ID: [call_id]", "CSeq: [$cseq] INVITE",
	}, more...))
}

// agreeAnswer is a final answer with sound: A-law and keys.
func agreeAnswer(more ...string) scenarioStep {
	return inviteAnswers("200 OK", append(append([]string{contact}, more...), soundBody(mediaHere)...)...)
}

// replyStep is an answer to the last request, whatever it was.
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

// ackAnswer acknowledges our answer to the peer's nth request, a re-INVITE.
func ackAnswer(n int) scenarioStep {
	return sendStep(false, []string{
		"ACK [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: [$to]" + tag,
		"To: [$from]", "Call-ID: [call_id]", fmt.Sprintf("CSeq: %d ACK", n), "Max-Forwards: 70",
	})
}

// sendStep sends lines; those behind an empty one are the body. Again and again, until something comes back: what SIPp
// takes for that is the next thing that it receives, an ACK or an answer.
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

// repeated says when SIPp sends again, in ms: T1 of RFC 3261 §17.1.1.2 is too short for a machine that stalls.
const repeated = ` retrans="20000"`

// withoutRetransmission takes that back.
func withoutRetransmission(s scenarioStep) scenarioStep {
	return scenarioStep(strings.Replace(string(s), repeated, "", 1))
}

const mediaHere = "[media_ip]:[media_port]"

// soundBody is a body that describes A-law and keys, received at an address; further lines follow.
func soundBody(at string, more ...string) []string {
	i := strings.LastIndex(at, ":")
	return append([]string{
		"Content-Type: application/sdp", "", "v=0", "o=peer 1 1 IN IP4 [media_ip]", "s=-", "c=IN IP4 " + at[:i], "t=0 0",
		"m=audio " + at[i+1:] + " RTP/AVP 8 101", "a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000",
	}, more...)
}

// plays begins the peer's sound, again and again.
const plays scenarioStep = `<nop><action><exec rtp_stream="talk.al,-1,8"/></action></nop>`

// pauseStep is in milliseconds: how long the peer thinks.
func pauseStep(ms int) scenarioStep {
	return scenarioStep(fmt.Sprintf(`<pause milliseconds="%d"/>`, ms))
}

// hangsUp is the peer's BYE, its nth request, and our answer.
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

// joinSteps are some in one.
func joinSteps(all ...scenarioStep) scenarioStep {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(string(s))
	}
	return scenarioStep(b.String())
}
