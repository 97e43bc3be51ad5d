package sdp_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip/sdp"
)

// TestAnswer checks SDP answers literally.
func TestAnswer(t *testing.T) {
	t.Parallel()
	offer := joinLines("v=0", "o=- 3823 3826 IN IP4 198.51.100.4", "s=Asterisk", "c=IN IP4 198.51.100.4", "t=0 0",
		"m=video 9000 RTP/AVP 99", "a=rtpmap:99 H264/90000", "m=audio 14502 RTP/AVP 18 97 0 96",
		"a=rtpmap:97 PCMA/8000", "a=rtpmap:96 telephone-event/8000", "a=sendonly", "m=image 9002 udptl t38",
		"m=audio 9004 RTP/AVP 8")
	want := joinLines("v=0", "o=- 7 2 IN IP4 192.0.2.10", "s=-", "c=IN IP4 192.0.2.10", "t=0 0", "m=video 0 RTP/AVP 99",
		"m=audio 20000 RTP/AVP 97 96", "a=rtpmap:97 PCMA/8000", "a=rtpmap:96 telephone-event/8000", "a=fmtp:96 0-16",
		"a=ptime:20", "a=recvonly", "m=image 0 udptl t38", "m=audio 0 RTP/AVP 8")
	l := localSide()
	l.Version = 2
	got, stream, err := l.AnswerOffer(offer)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("answer, %v:\n%s\nwant:\n%s", err, got, want)
	}
	if stream.Payload != 97 || stream.Events != 96 || !stream.Sends || stream.Listens {
		t.Errorf("agreed on %+v", stream)
	}
}

// TestStreamsStay checks that our offers keep the m-lines of an offer that we answered, in number and order (RFC 3264 §8),
// and that of an offer with and without SRTP the stream that we can have is taken.
func TestStreamsStay(t *testing.T) {
	t.Parallel()
	offer := plainAnswer("m=video 9000 RTP/AVP 99", "m=audio 9002 RTP/SAVP 8", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:"+strings.Repeat("AQEB", 10),
		"m=audio 9004 RTP/AVP 0 8")
	l := localSide()
	answer, stream, err := l.AnswerOffer(offer)
	if err != nil || stream.Codec != sdp.PCMU || stream.Remote.Port() != 9004 {
		t.Fatalf("agreed on %+v, %v", stream, err)
	}
	l.Lines = stream.Lines
	for what, text := range map[string]string{"answer": string(answer), "offer": string(l.MakeOffer())} {
		var lines []string
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "m=") {
				lines = append(lines, strings.Join(strings.Fields(line)[:3], " "))
			}
		}
		if got := strings.Join(lines, ", "); got != "m=video 0 RTP/AVP, m=audio 0 RTP/SAVP, m=audio 20000 RTP/AVP" {
			t.Errorf("%s: %s", what, got)
		}
	}
	back := plainAnswer("m=video 0 RTP/AVP 99", "m=audio 0 RTP/SAVP 8", "m=audio 9006 RTP/AVP 8")
	if again, err := l.Read(back); err != nil || again.Remote.Port() != 9006 {
		t.Errorf("the answer to our offer is read as %+v, %v", again, err)
	}
}

// TestAnswersFeedback checks that an offer in a profile with feedback is answered in that profile (RFC 4585, 5124), which
// our later offers keep; and that an answer in it is taken.
func TestAnswersFeedback(t *testing.T) {
	t.Parallel()
	for profile, c := range map[string]struct {
		local sdp.LocalMedia
		lines []string
	}{
		"AVPF":  {localSide(), []string{"a=rtcp-fb:* trr-int 5000", "a=rtcp-mux"}},
		"SAVPF": {securedSide(), []string{cryptoAttribute(1, theirs)}},
	} {
		l, want := c.local, "m=audio 20000 RTP/"+profile+" 8"
		answer, stream, err := l.AnswerOffer(plainAnswer(append([]string{"m=audio 4000 RTP/" + profile + " 8"}, c.lines...)...))
		if err != nil || !strings.Contains(string(answer), want+"\r\n") {
			t.Fatalf("%s: %v\n%s", profile, err, answer)
		}
		if strings.Contains(string(answer), "a=rtcp") {
			t.Errorf("%s: feedback or multiplexing is agreed to\n%s", profile, answer)
		}
		l.Lines = stream.Lines
		if offer := string(l.MakeOffer()); !strings.Contains(offer, want+" 0 101\r\n") {
			t.Errorf("%s: later offered\n%s", profile, offer)
		}
		for _, answered := range []string{profile, strings.TrimSuffix(profile, "F")} {
			if _, err := l.Read(plainAnswer(append([]string{"m=audio 4000 RTP/" + answered + " 8"}, c.lines...)...)); err != nil {
				t.Errorf("%s answered by %s: %v", profile, answered, err)
			}
		}
	}
	plain := string(localSide().MakeOffer())
	if !strings.Contains(plain, " RTP/AVP ") {
		t.Errorf("the first offer is\n%s", plain)
	}
}

// TestMirrors checks that each side's direction mirrors the other's (RFC 3264 §6.1), and that unsupported media are
// refused.
func TestMirrors(t *testing.T) {
	t.Parallel()
	holding := localSide()
	holding.Receiving = false
	for _, c := range []struct {
		local       sdp.LocalMedia
		offer, want string
	}{
		{localSide(), "a=sendrecv", "a=sendrecv"},
		{localSide(), "a=sendonly", "a=recvonly"},
		{localSide(), "a=recvonly", "a=sendonly"},
		{localSide(), "a=inactive", "a=inactive"},
		{localSide(), "c=IN IP4 0.0.0.0", "a=recvonly"},
		{localSide(), "c=IN IP6 ::", "a=recvonly"},
		{holding, "a=sendrecv", "a=sendonly"},
		{holding, "a=sendonly", "a=inactive"},
	} {
		got, stream, err := c.local.AnswerOffer(plainAnswer("m=audio 4000 RTP/AVP 0 8", c.offer))
		if err != nil || !strings.HasSuffix(string(got), c.want+"\r\n") || stream.Codec != sdp.PCMU {
			t.Errorf("%s: %v, %+v\n%s", c.offer, err, stream, got)
		}
	}
}

// TestAnswersKeys checks that the first supported crypto attribute is selected, and that ours has its tag.
func TestAnswersKeys(t *testing.T) {
	t.Parallel()
	got, stream, err := securedSide().AnswerOffer(plainAnswer("m=audio 4000 RTP/SAVP 8",
		"a=crypto:1 AES_CM_128_HMAC_SHA1_32 "+theirs, cryptoAttribute(2, theirs+"|2^31"), cryptoAttribute(3, theirs)))
	ours := "m=audio 20000 RTP/SAVP 8\r\na=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:" + strings.Repeat("AQEB", 10)
	if err != nil || !bytes.Equal(stream.Key, theirKey) || !strings.Contains(string(got), ours) {
		t.Errorf("%v, %+v\n%s", err, stream, got)
	}
	if _, _, err := securedSide().AnswerOffer(plainAnswer("m=audio 4000 RTP/AVP 8")); !errors.Is(err, sdp.ErrKeys) {
		t.Errorf("a call that was encrypted would go on in the clear: %v", err)
	}
}
