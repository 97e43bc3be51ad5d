package appliance

import (
	"container/list"
	"net"
	"net/http"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// mostConnections is a bound for the memory that strangers can hold: some 20 KiB each.
	mostConnections = 12 << 10
	// ownFiles are the descriptors that the database, recordings, uploads and decoders have to themselves.
	ownFiles = 512
)

// connectionLimiter keeps the listener's connections below a bound, so that there is always room for a probe: whoever comes beyond
// it takes the place of the connection that has waited longest, between two requests or before its first. One that is
// being answered is never cut off. No address may have more than half of all.
type connectionLimiter struct {
	most int

	mu      sync.Mutex
	all     map[net.Conn]*trackedConnection
	waiting list.List      // of *guest; the one that waits longest is in front
	each    map[string]int // connections of an address
}

// trackedConnection is one connection.
type trackedConnection struct {
	conn  net.Conn
	from  string
	place *list.Element // while it waits
}

func newCrowd(most int) *connectionLimiter {
	return &connectionLimiter{most: most, all: map[net.Conn]*trackedConnection{}, each: map[string]int{}}
}

// roomForConnections is how many this process may have.
func roomForConnections() int {
	var files unix.Rlimit // its soft limit is the hard one: package os raises it
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil || files.Cur > mostConnections+ownFiles {
		return mostConnections
	}
	return max(int(files.Cur)-ownFiles, int(files.Cur)/2)
}

// trackState is [http.Server.ConnState].
func (c *connectionLimiter) trackState(conn net.Conn, state http.ConnState) {
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

func (c *connectionLimiter) admitConnection(conn net.Conn) {
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

// makeRoom sends the one away that waits longest, of an address or of all; the newcomer waits, so there is one.
func (c *connectionLimiter) makeRoom(from string) {
	for place := c.waiting.Front(); place != nil; place = place.Next() {
		g, _ := place.Value.(*trackedConnection)
		if from == "" || g.from == from {
			c.forgetConnection(g)
			go g.conn.Close() //nolint:errcheck // closing TLS can take seconds, and is nobody's concern
			return
		}
	}
}

func (c *connectionLimiter) markIdle(g *trackedConnection) {
	if g != nil && g.place == nil {
		g.place = c.waiting.PushBack(g)
	}
}

func (c *connectionLimiter) markActive(g *trackedConnection) {
	if g != nil && g.place != nil {
		c.waiting.Remove(g.place)
		g.place = nil
	}
}

func (c *connectionLimiter) forgetConnection(g *trackedConnection) {
	if g == nil || c.all[g.conn] != g {
		return
	}
	c.markActive(g)
	delete(c.all, g.conn)
	if c.each[g.from]--; c.each[g.from] == 0 {
		delete(c.each, g.from)
	}
}

// remoteHost is a connection's other side, without its port.
func remoteHost(conn net.Conn) string {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	return host
}
