package main

import (
	"encoding/binary"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// stampArrivals makes the kernel stamp a socket's packets when they come in (socket(7), SO_TIMESTAMPNS): what the
// telephones' own threads wait for a processor does not count.
func stampArrivals(c *net.UDPConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	if err != nil {
		return err
	}
	return failed
}

// readStamped reads a packet and returns its length and when it came in.
func readStamped(c *net.UDPConn, buffer []byte) (int, time.Time, error) {
	var control [64]byte
	n, stamped, _, _, err := c.ReadMsgUDPAddrPort(buffer, control[:])
	if err != nil {
		return 0, time.Time{}, err
	}
	messages, err := unix.ParseSocketControlMessage(control[:stamped])
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPNS && len(m.Data) >= 16 {
			seconds, nanos := binary.NativeEndian.Uint64(m.Data), binary.NativeEndian.Uint64(m.Data[8:])
			return n, time.Unix(int64(seconds), int64(nanos)), nil
		}
	}
	return n, time.Now(), err
}

// ownProcessorTime returns the processor time that this program has used.
func ownProcessorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
