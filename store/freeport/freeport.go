// Package freeport finds ports for the servers that tests start. A port that the kernel gives may be given again before
// the server listens, or while it is restarted, to any connection of this machine; these are below all of those.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// Ports are taken from here: below Linux's ip_local_port_range, 32768 to 60999, and the ports of the tests' media, from
// 20000 on.
const (
	lowest  = 10000
	highest = 19999
)

// maxTries is how many places are looked at.
const maxTries = 200

// FindPorts returns n ports in a row at which nobody on this machine's loopback listens, by TCP or UDP.
func FindPorts(n int) ([]int, error) {
	for range maxTries {
		first := lowest + rand.IntN(highest-lowest-n+2)
		if areFree(first, n) {
			ports := make([]int, n)
			for i := range ports {
				ports[i] = first + i
			}
			return ports, nil
		}
	}
	return nil, fmt.Errorf("no %d free ports in a row from %d to %d", n, lowest, highest)
}

func areFree(first, n int) bool {
	for port := first; port < first+n; port++ {
		at := fmt.Sprintf("127.0.0.1:%d", port)
		stream, err := net.Listen("tcp", at)
		if err != nil {
			return false
		}
		_ = stream.Close()
		packets, err := net.ListenPacket("udp", at)
		if err != nil {
			return false
		}
		_ = packets.Close()
	}
	return true
}
