package media

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"syscall"
)

// PortRange is an inclusive range of UDP ports.
type PortRange struct{ First, Last uint16 }

// CountPairs returns how many calls the range has ports for.
func (p PortRange) CountPairs() int {
	first := (int(p.First) + 1) &^ 1
	return max(0, (int(p.Last)-first+1)/2)
}

// bindPair binds the first free port pair from a random position on, so that late packets of an old call do not reach a
// new one.
func (p PortRange) bindPair(addr netip.Addr) (rtp, rtcp *net.UDPConn, err error) {
	first := (int(p.First) + 1) &^ 1
	pairs := p.CountPairs()
	if p.First == 0 || pairs < 1 {
		return nil, nil, fmt.Errorf("the UDP ports %d-%d hold no even port with the next one", p.First, p.Last)
	}
	start := rand.IntN(pairs)
	for i := range pairs {
		port := first + 2*((start+i)%pairs)
		rtp, rtcp, err = bindPortPair(addr, uint16(port))
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return rtp, rtcp, err
		}
	}
	return nil, nil, fmt.Errorf("all UDP ports %d-%d are in use: widen the range, or allow fewer lines", p.First, p.Last)
}

func bindPortPair(addr netip.Addr, port uint16) (rtp, rtcp *net.UDPConn, err error) {
	rtp, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, port)))
	if err != nil {
		return nil, nil, err
	}
	rtcp, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, port+1)))
	if err != nil {
		_ = rtp.Close()
		return nil, nil, err
	}
	return rtp, rtcp, nil
}
