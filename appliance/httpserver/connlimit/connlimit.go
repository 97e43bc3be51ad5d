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
	// maxConnections is the connection limit of the listener, which bounds the memory that clients can hold: some 20
	// KiB each.
	maxConnections = 12 << 10
	// reservedFiles is the number of file descriptors reserved for the database, recordings, uploads and decoders.
	reservedFiles = 512
)

// ConnectionLimiter limits the listener's connections, so that probes always get one: a new connection beyond the
// limit evicts the connection that has been idle longest, between two requests or before its first. A connection with
// a request in progress is never closed. No address may have more than half of all.
type ConnectionLimiter struct {
	limit int

	mu   sync.Mutex
	all  map[net.Conn]*trackedConnection
	idle list.List      // of *trackedConnection; the one idle longest is in front
	each map[string]int // connections of an address
}

// trackedConnection is one connection of the listener.
type trackedConnection struct {
	conn  net.Conn
	from  string
	place *list.Element // while it is idle
}

// NewLimiter returns a limiter of at most that many connections.
func NewLimiter(limit int) *ConnectionLimiter {
	return &ConnectionLimiter{limit: limit, all: map[net.Conn]*trackedConnection{}, each: map[string]int{}}
}

// DefaultLimit returns the connection limit of this process, from its file descriptor limit (RLIMIT_NOFILE).
func DefaultLimit() int {
	var files unix.Rlimit // the soft limit: package os has raised it to the hard one
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil || files.Cur > maxConnections+reservedFiles {
		return maxConnections
	}
	return max(int(files.Cur)-reservedFiles, int(files.Cur)/2)
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
	tracked := &trackedConnection{conn: conn, from: remoteHost(conn)}
	c.all[conn] = tracked
	c.each[tracked.from]++
	c.markIdle(tracked)
	if c.each[tracked.from] > c.limit/2 {
		c.evictIdle(tracked.from)
	} else if len(c.all) > c.limit {
		c.evictIdle("")
	}
}

// evictIdle closes the connection that has been idle longest, of an address or of all. There always is one: the new
// connection is idle.
func (c *ConnectionLimiter) evictIdle(from string) {
	for place := c.idle.Front(); place != nil; place = place.Next() {
		tracked, _ := place.Value.(*trackedConnection)
		if from == "" || tracked.from == from {
			c.forgetConnection(tracked)
			go tracked.conn.Close() //nolint:errcheck // closing TLS can take seconds; its error is irrelevant
			return
		}
	}
}

func (c *ConnectionLimiter) markIdle(tracked *trackedConnection) {
	if tracked != nil && tracked.place == nil {
		tracked.place = c.idle.PushBack(tracked)
	}
}

func (c *ConnectionLimiter) markActive(tracked *trackedConnection) {
	if tracked != nil && tracked.place != nil {
		c.idle.Remove(tracked.place)
		tracked.place = nil
	}
}

func (c *ConnectionLimiter) forgetConnection(tracked *trackedConnection) {
	if tracked == nil || c.all[tracked.conn] != tracked {
		return
	}
	c.markActive(tracked)
	delete(c.all, tracked.conn)
	if c.each[tracked.from]--; c.each[tracked.from] == 0 {
		delete(c.each, tracked.from)
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
