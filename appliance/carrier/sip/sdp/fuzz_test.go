package sdp_test

import (
	"bytes"
	"testing"

	"munadi/appliance/carrier/sip/sdp"
)

// FuzzRead checks that no SDP causes a panic, and that accepted ones are consistent.
func FuzzRead(f *testing.F) {
	for _, c := range peerAnswers() {
		f.Add(c.text)
	}
	f.Add(plainAnswer("m=audio 4000 RTP/SAVP 8", cryptoAttribute(1, theirs+"|2^31"), cryptoAttribute(2, theirs+" WSH=64"), "m=image 9 udptl t38"))
	f.Add(securedSide().MakeOffer())
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, l := range []sdp.LocalMedia{localSide(), securedSide()} {
			if stream, err := l.Read(text); err == nil {
				checkSound(t, l, stream)
			}
			answer, stream, err := l.AnswerOffer(text)
			if err != nil {
				continue
			}
			checkSound(t, l, stream)
			if n := bytes.Count(answer, []byte("\r\nm=")); n != bytes.Count(append([]byte("\n"), text...), []byte("\nm=")) {
				t.Errorf("%d streams are answered\n%s\n%s", n, text, answer)
			}
			if len(answer) == 0 || bytes.Count(answer, []byte("\n")) != bytes.Count(answer, []byte("\r\n")) {
				t.Errorf("line ends: %q", answer)
			}
		}
	})
}

// checkSound checks the parts of an agreement that the media session relies on.
func checkSound(t *testing.T, l sdp.LocalMedia, s sdp.AgreedStream) {
	t.Helper()
	switch {
	case s.Codec != sdp.PCMA && s.Codec != sdp.PCMU, s.Payload > 127, s.Events > 127, s.Events != 0 && s.Events == s.Payload:
		t.Errorf("payload types: %+v", s)
	case s.Listens && !s.Remote.IsValid():
		t.Errorf("listens nowhere: %+v", s)
	case s.Remote.IsValid() && (s.Remote.Port() == 0 || s.Remote.Addr().IsUnspecified() || s.Remote.Addr().IsMulticast()):
		t.Errorf("sound cannot go there: %+v", s)
	case (s.Key != nil) != (l.Key != nil), s.Key != nil && len(s.Key) != 30:
		t.Errorf("key: %+v", s)
	}
}
