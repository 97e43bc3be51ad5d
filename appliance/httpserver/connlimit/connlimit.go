// Package connlimit limits the connections of an HTTP server (connection limit), in total and of each client address,
// so that a probe always gets one.
package connlimit

import (
	"container/list"
	"net"
	"net/http"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// mostConnections is the connection limit of the listener, which bounds the memory that clients can hold: some 20
	// KiB each.
	mostConnections = 12 << 10
	// ownFiles is the number of file descriptors reserved for the database, recordings, uploads and decoders.
	ownFiles = 512
)

// ConnectionLimiter limits the listener's connections, so that probes always get one: a new connection beyond the
// limit evicts the connection that has been idle longest, between two requests or before its first. A connection with
// a request in progress is never closed. No address may have more than half of all.
type ConnectionLimiter struct {
	most int

	mu      sync.Mutex
	all     map[net.Conn]*trackedConnection
	waiting list.List      // of *trackedConnection; the one idle longest is in front
	each    map[string]int // connections of an address
}

// trackedConnection is one connection of the listener.
type trackedConnection struct {
	conn  net.Conn
	from  string
	place *list.Element // while it is idle
}

func NewLimiter(most int) *ConnectionLimiter {
	return &ConnectionLimiter{most: most, all: map[net.Conn]*trackedConnection{}, each: map[string]int{}}
}

// DefaultLimit returns the connection limit of this process, from its file descriptor limit (RLIMIT_NOFILE).
func DefaultLimit() int {
	var files unix.Rlimit // the soft limit: package os has raised it to the hard one
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil || files.Cur > mostConnections+ownFiles {
		return mostConnections
	}
	return max(int(files.Cur)-ownFiles, int(files.Cur)/2)
}

// TrackState is the [http.Server.ConnState] hook.
func (c *ConnectionLimiter) TrackState(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.admitConnection(conn)
	case http.StateActive:
		c.markActive(c.all[conn])
	case http.StateIdle:
		c.markIdle(c.all[conn])
	case http.StateHijacked, http.StateClosed:
		c.forgetConnection(c.all[conn])
	}
}

func (c *ConnectionLimiter) admitConnection(conn net.Conn) {
	g := &trackedConnection{conn: conn, from: remoteHost(conn)}
	c.all[conn] = g
	c.each[g.from]++
	c.markIdle(g)
	if c.each[g.from] > c.most/2 {
		c.makeRoom(g.from)
	} else if len(c.all) > c.most {
		c.makeRoom("")
	}
}

// makeRoom closes the connection that has been idle longest, of an address or of all; the new connection is idle, so
// there is one.
func (c *ConnectionLimiter) makeRoom(from string) {
	for place := c.waiting.Front(); place != nil; place = place.Next() {
		g, _ := place.Value.(*trackedConnection)
		if from == "" || g.from == from {
			c.forgetConnection(g)
			go g.conn.Close() //nolint:errcheck // closing TLS can take seconds, and is nobody's concern
			return
		}
	}
}

func (c *ConnectionLimiter) markIdle(g *trackedConnection) {
	if g != nil && g.place == nil {
		g.place = c.waiting.PushBack(g)
	}
}

func (c *ConnectionLimiter) markActive(g *trackedConnection) {
	if g != nil && g.place != nil {
		c.waiting.Remove(g.place)
		g.place = nil
	}
}

func (c *ConnectionLimiter) forgetConnection(g *trackedConnection) {
	if g == nil || c.all[g.conn] != g {
		return
	}
	c.markActive(g)
	delete(c.all, g.conn)
	if c.each[g.from]--; c.each[g.from] == 0 {
		delete(c.each, g.from)
	}
}

// remoteHost returns a connection's remote address without the port.
func remoteHost(conn net.Conn) string {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	return host
}
