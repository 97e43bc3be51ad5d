package sdp_test

import (
	"bytes"
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/appliance/carrier/sip/sdp"
)

// TestSidesAgree checks that for any two configurations the offerer and the answerer reach the same agreement.
func TestSidesAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		caller, callee := callSide(t, "caller"), callSide(t, "callee")
		answer, there, err := callee.AnswerOffer(caller.MakeOffer())
		if err != nil {
			if hasCommonCodec(caller, callee) {
				t.Fatalf("no agreement: %v", err)
			}
			return
		}
		here, err := caller.Read(answer)
		if err != nil {
			t.Fatalf("the answer cannot be read: %v\n%s", err, answer)
		}
		if here.Remote != callee.RTP || there.Remote != caller.RTP {
			t.Fatalf("sound goes to %s and %s", here.Remote, there.Remote)
		}
		if here.Codec != there.Codec || here.Payload != there.Payload || here.Events != there.Events {
			t.Fatalf("one hears %+v, the other %+v", here, there)
		}
		if !bytes.Equal(here.Key, callee.Key) || !bytes.Equal(there.Key, caller.Key) {
			t.Fatal("keys got mixed up")
		}
		if here.Sends != there.Listens || here.Listens != there.Sends {
			t.Fatalf("one does %+v, the other %+v", here, there)
		}
	})
}

// hasCommonCodec reports whether the two sides have a common codec.
func hasCommonCodec(a, b sdp.LocalMedia) bool {
	if (a.Key == nil) != (b.Key == nil) {
		return false
	}
	return slices.ContainsFunc(a.Codecs, func(c sdp.Codec) bool { return slices.Contains(b.Codecs, c) })
}

// callSide is one side of a call.
func callSide(t *rapid.T, name string) sdp.LocalMedia {
	l := sdp.LocalMedia{
		ID: rapid.Uint64().Draw(t, name+" id"), Version: rapid.Uint64().Draw(t, name+" version"),
		Receiving: rapid.Bool().Draw(t, name+" receives"),
		Codecs: rapid.SampledFrom([][]sdp.Codec{
			{sdp.PCMA}, {sdp.PCMU}, {sdp.PCMA, sdp.PCMU}, {sdp.PCMU, sdp.PCMA},
		}).Draw(t, name+" codecs"),
		RTP: netip.AddrPortFrom(
			rapid.SampledFrom([]netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}).
				Draw(t, name+" address"), rapid.Uint16Min(1).Draw(t, name+" port")),
	}
	if rapid.Bool().Draw(t, name+" encrypts") {
		l.Key = rapid.SliceOfN(rapid.Byte(), 30, 30).Draw(t, name+" key")
	}
	return l
}
