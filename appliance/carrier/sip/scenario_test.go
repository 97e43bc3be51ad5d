package sip_test

import (
	"fmt"
	"slices"
	"strings"
)

// A scenario of one call is written down here in steps, which are elements of SIPp's language. The peer of all of them
// keeps what it needs of the INVITE in SIPp's variables, for answers and requests that come much later.
type step string

// scenario puts steps together.
func scenario(steps ...step) string {
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
const invited step = `<recv request="INVITE"><action>
<ereg regexp="[^ ].*" search_in="hdr" header="Via:" check_it="true" assign_to="via"/>
<ereg regexp="[^ ].*" search_in="hdr" header="From:" check_it="true" assign_to="from"/>
<ereg regexp="[^ ].*" search_in="hdr" header="To:" check_it="true" assign_to="to"/>
<ereg regexp="[0-9]+" search_in="hdr" header="CSeq:" check_it="true" assign_to="cseq"/>
<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" check_it="true" assign_to="contact"/>
</action></recv><Reference variables="via,from,to,cseq,contact"/>`

// recv takes a request of ours, or an answer (a number).
func recv(what string) step {
	if what[0] >= '0' && what[0] <= '9' {
		return step(fmt.Sprintf(`<recv response=%q/>`, what))
	}
	return step(fmt.Sprintf(`<recv request=%q/>`, what))
}

// inviteAnswers is an answer to the INVITE: "180 Ringing", with further headers; a body begins behind an empty line. A final one
// is sent again until we acknowledge it.
func inviteAnswers(status string, more ...string) step {
	return send(status[0] > '1', append([]string{
		"SIP/2.0 " + status, "Via: [$via]", "From: [$from]", "To: [$to]" + tag, "Call-ID: [call_id]", "CSeq: [$cseq] INVITE",
	}, more...))
}

// agrees is a final answer with sound: A-law and keys.
func agrees(more ...string) step {
	return inviteAnswers("200 OK", append(append([]string{contact}, more...), sound(mediaHere)...)...)
}

// replies is an answer to the last request, whatever it was.
func replies(status string, more ...string) step {
	return send(false, append([]string{
		"SIP/2.0 " + status, "[last_Via:]", "[last_From:]", "[last_To:]", "[last_Call-ID:]", "[last_CSeq:]",
	}, more...))
}

// asks is a request of the peer in the dialog; n counts those of one scenario.
func asks(n int, method string, more ...string) step {
	return send(true, append([]string{
		method + " [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: [$to]" + tag,
		"To: [$from]", "Call-ID: [call_id]", fmt.Sprintf("CSeq: %d %s", n, method), "Max-Forwards: 70", contact,
	}, more...))
}

// acks acknowledges our answer to the peer's nth request, a re-INVITE.
func acks(n int) step {
	return send(false, []string{
		"ACK [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: [$to]" + tag,
		"To: [$from]", "Call-ID: [call_id]", fmt.Sprintf("CSeq: %d ACK", n), "Max-Forwards: 70",
	})
}

// send sends lines; those behind an empty one are the body. Again and again, until something comes back: what SIPp takes
// for that is the next thing that it receives, an ACK or an answer.
func send(again bool, lines []string) step {
	head, body := lines, []string(nil)
	if i := slices.Index(lines, ""); i >= 0 {
		head, body = lines[:i], lines[i+1:]
	}
	begin := "<send"
	if again {
		begin += repeated
	}
	return step(begin + "><![CDATA[\n\n" + strings.Join(head, "\n") + "\nContent-Length: [len]\n\n" +
		strings.Join(body, "\n") + "\n]]></send>")
}

// repeated says when SIPp sends again, in ms: T1 of RFC 3261 §17.1.1.2 is too short for a machine that stands still.
const repeated = ` retrans="20000"`

// once takes that back.
func once(s step) step { return step(strings.Replace(string(s), repeated, "", 1)) }

const mediaHere = "[media_ip]:[media_port]"

// sound is a body that describes A-law and keys, received at an address; further lines follow.
func sound(at string, more ...string) []string {
	i := strings.LastIndex(at, ":")
	return append([]string{
		"Content-Type: application/sdp", "", "v=0", "o=peer 1 1 IN IP4 [media_ip]", "s=-", "c=IN IP4 " + at[:i], "t=0 0",
		"m=audio " + at[i+1:] + " RTP/AVP 8 101", "a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000",
	}, more...)
}

// plays begins the peer's sound, again and again.
const plays step = `<nop><action><exec rtp_stream="talk.al,-1,8"/></action></nop>`

// pause is in milliseconds: how long the peer thinks.
func pause(ms int) step { return step(fmt.Sprintf(`<pause milliseconds="%d"/>`, ms)) }

// hangsUp is the peer's BYE, its nth request, and our answer.
func hangsUp(n int, more ...string) step { return asks(n, "BYE", more...) + recv("200") }

// weHangUp is our BYE.
var weHangUp = recv("BYE") + replies("200 OK")

// then gives a step attributes of SIPp's: next, test. SIPp takes one step at a time, and what comes meanwhile is
// unexpected: what receives has to follow at once on what sends, or to be its next.
func then(s step, attributes string) step {
	before, after, _ := strings.Cut(string(s), "<send")
	return step(before + "<send " + attributes + after)
}

// steps are some in one.
func steps(all ...step) step {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(string(s))
	}
	return step(b.String())
}
