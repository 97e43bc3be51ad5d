package media

import (
	"net/netip"
	"testing"
)

// arrivedPacket is a packet from an address, some ticks after the previous one.
type arrivedPacket struct {
	ticks int
	from  string
	taken bool
}

func TestLatch(t *testing.T) {
	t.Parallel()
	const pbx, nat = "198.51.100.7:4000", "10.1.2.3:4000"
	for name, c := range map[string]struct {
		agreed  string
		packets []arrivedPacket
		to      string // where ours go a second later; empty: nowhere
	}{
		"nobody sends":            {pbx, nil, pbx},
		"the agreed address":      {pbx, []arrivedPacket{{0, pbx, true}}, pbx},
		"another port":            {pbx, []arrivedPacket{{0, "198.51.100.7:5000", true}, {0, "198.51.100.7:5000", true}}, "198.51.100.7:5000"},
		"a third port at once":    {pbx, []arrivedPacket{{0, "198.51.100.7:5000", true}, {40, "198.51.100.7:6000", false}}, "198.51.100.7:5000"},
		"a third port later":      {pbx, []arrivedPacket{{0, "198.51.100.7:5000", true}, {51, "198.51.100.7:6000", true}}, "198.51.100.7:6000"},
		"IPv4 in IPv6":            {pbx, []arrivedPacket{{0, "[::ffff:198.51.100.7]:5000", true}}, "198.51.100.7:5000"},
		"strangers":               {pbx, []arrivedPacket{{0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}}, pbx},
		"behind NAT":              {nat, []arrivedPacket{{0, "203.0.113.1:1", false}, {1, "203.0.113.1:1", false}, {1, "203.0.113.1:1", true}, {1, "203.0.113.1:1", true}}, "203.0.113.1:1"},
		"behind a carrier's NAT":  {"100.64.9.9:4000", []arrivedPacket{{0, "203.0.113.1:1", false}, {1, "203.0.113.1:1", false}, {1, "203.0.113.1:1", true}}, "203.0.113.1:1"},
		"no address":              {"0.0.0.0:4000", []arrivedPacket{{0, "203.0.113.1:1", false}, {1, "203.0.113.1:1", false}, {1, "203.0.113.1:1", true}}, "203.0.113.1:1"},
		"no address, and nobody":  {"0.0.0.0:4000", nil, ""},
		"behind NAT, late":        {nat, []arrivedPacket{{900, "203.0.113.1:1", false}, {1, "203.0.113.1:1", false}, {1, "203.0.113.1:1", true}}, "203.0.113.1:1"},
		"behind NAT, too rare":    {nat, []arrivedPacket{{0, "203.0.113.1:1", false}, {1, "203.0.113.1:1", false}, {100, "203.0.113.1:1", false}}, nat},
		"two strangers":           {nat, []arrivedPacket{{0, "203.0.113.1:1", false}, {0, "203.0.113.2:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}}, nat},
		"a stranger after NAT":    {nat, []arrivedPacket{{0, nat, true}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}}, nat},
		"the agreed one comes":    {nat, []arrivedPacket{{0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", true}, {0, nat, true}, {0, "203.0.113.1:1", false}}, nat},
		"another one comes later": {nat, []arrivedPacket{{0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", true}, {60, "203.0.113.9:1", false}}, "203.0.113.1:1"},
		"the same, another port":  {nat, []arrivedPacket{{0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", false}, {0, "203.0.113.1:1", true}, {60, "203.0.113.1:2", false}}, "203.0.113.1:1"},
	} {
		var l symmetricLatch
		l.setRemote(netip.MustParseAddrPort(c.agreed))
		var to netip.AddrPort
		for i, p := range c.packets {
			for range p.ticks {
				l.sendAddress()
			}
			from := netip.MustParseAddrPort(p.from)
			if got := l.acceptPacket(from); got != p.taken || got && !l.mayTake(from) {
				t.Errorf("%s: packet %d is taken: %v", name, i, got)
			}
		}
		for range moving {
			l.sendAddress()
		}
		if to = l.sendAddress(); to.IsValid() != (c.to != "") || to.IsValid() && to.String() != c.to {
			t.Errorf("%s: ours go to %v, want %q", name, to, c.to)
		}
	}
}

func TestLatchOfAnotherAgreement(t *testing.T) {
	t.Parallel()
	one, two := netip.MustParseAddrPort("198.51.100.7:4000"), netip.MustParseAddrPort("198.51.100.8:4000")
	from := netip.MustParseAddrPort("198.51.100.7:5000")
	var l symmetricLatch
	l.setRemote(one)
	l.acceptPacket(from)
	for _, same := range []netip.AddrPort{one, {}, netip.MustParseAddrPort("0.0.0.0:4000")} { // a hold names no address
		if l.setRemote(same); l.sendAddress() != from {
			t.Errorf("after agreeing on %v ours go to %v", same, l.sendAddress())
		}
	}
	if l.setRemote(two); l.sendAddress() != two || l.acceptPacket(from) || !l.acceptPacket(two) {
		t.Error("the old address is still the one")
	}
}

// TestLatchSendsToWhoAnswers checks that our packets go to a negotiated address that answers, whoever sends first: a
// stranger that sends before it is answered only when it has been silent for a second, and until it answers.
func TestLatchSendsToWhoAnswers(t *testing.T) {
	t.Parallel()
	agreed, stranger := netip.MustParseAddrPort("198.51.100.7:4000"), netip.MustParseAddrPort("203.0.113.1:1")
	for _, hidden := range []bool{false, true} {
		l := symmetricLatch{mode: First}
		if hidden {
			l.mode, agreed = Strict, netip.MustParseAddrPort("10.1.2.3:4000")
		}
		l.setRemote(agreed)
		spray := func() (taken bool) {
			for range enough {
				taken = l.acceptPacket(stranger)
			}
			return taken
		}
		sentTo := func(ticks int) (to netip.AddrPort) {
			for range ticks {
				to = l.sendAddress()
			}
			return to
		}
		if !spray() || sentTo(moving) != agreed {
			t.Error("the first sender is not heard, or answered at once")
		}
		l.noteAnswer(agreed.Addr()) // by RTCP
		if sentTo(moving) != agreed {
			t.Error("our packets leave an address that answers by RTCP")
		}
		if sentTo(1) != stranger {
			t.Error("our packets stay with an address that is silent")
		}
		if !l.acceptPacket(agreed) || sentTo(1) != agreed {
			t.Error("the negotiated address does not get its call back")
		}
		if sentTo(1000) != agreed || spray() || sentTo(1) != agreed {
			t.Error("a live call is stolen while its peer is silent")
		}
	}
}

// With First the first sender is accepted although the agreed address is public; a second one is not.
func TestLatchOfTheFirst(t *testing.T) {
	t.Parallel()
	agreed, one, two := netip.MustParseAddrPort("198.51.100.7:4000"), netip.MustParseAddrPort("203.0.113.1:1"),
		netip.MustParseAddrPort("203.0.113.2:1")
	late := symmetricLatch{mode: First}
	late.setRemote(agreed)
	for range 1000 {
		late.sendAddress()
	}
	if late.acceptPacket(one) || late.acceptPacket(one) || //nolint:staticcheck // each packet counts
		!late.acceptPacket(one) || late.sendAddress() != one {
		t.Error("who begins late is not heard")
	}
	if late.acceptPacket(two) || !late.acceptPacket(agreed) || late.sendAddress() != agreed {
		t.Error("the agreed address does not get its call back")
	}
	sprayed := symmetricLatch{mode: First}
	sprayed.setRemote(agreed)
	if sprayed.acceptPacket(one) || sprayed.acceptPacket(two) || sprayed.acceptPacket(one) || sprayed.acceptPacket(one) || sprayed.acceptPacket(one) {
		t.Error("one of two strangers is heard")
	}
}
