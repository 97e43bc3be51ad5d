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

// crowd keeps the listener's connections below a bound, so that there is always room for a probe: whoever comes beyond
// it takes the place of the connection that has waited longest, between two requests or before its first. One that is
// being answered is never cut off. No address may have more than half of all.
type crowd struct {
	most int

	mu      sync.Mutex
	all     map[net.Conn]*guest
	waiting list.List      // of *guest; the one that waits longest is in front
	each    map[string]int // connections of an address
}

// guest is one connection.
type guest struct {
	conn  net.Conn
	from  string
	place *list.Element // while it waits
}

func newCrowd(most int) *crowd {
	return &crowd{most: most, all: map[net.Conn]*guest{}, each: map[string]int{}}
}

// roomForConnections is how many this process may have.
func roomForConnections() int {
	var files unix.Rlimit // its soft limit is the hard one: package os raises it
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil || files.Cur > mostConnections+ownFiles {
		return mostConnections
	}
	return max(int(files.Cur)-ownFiles, int(files.Cur)/2)
}

// watch is [http.Server.ConnState].
func (c *crowd) watch(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.enter(conn)
	case http.StateActive:
		c.busy(c.all[conn])
	case http.StateIdle:
		c.wait(c.all[conn])
	case http.StateHijacked, http.StateClosed:
		c.leave(c.all[conn])
	}
}

func (c *crowd) enter(conn net.Conn) {
	g := &guest{conn: conn, from: address(conn)}
	c.all[conn] = g
	c.each[g.from]++
	c.wait(g)
	if c.each[g.from] > c.most/2 {
		c.makeRoom(g.from)
	} else if len(c.all) > c.most {
		c.makeRoom("")
	}
}

// makeRoom sends the one away that waits longest, of an address or of all; the newcomer waits, so there is one.
func (c *crowd) makeRoom(from string) {
	for place := c.waiting.Front(); place != nil; place = place.Next() {
		g, _ := place.Value.(*guest)
		if from == "" || g.from == from {
			c.leave(g)
			go g.conn.Close() //nolint:errcheck // closing TLS can take seconds, and is nobody's concern
			return
		}
	}
}

func (c *crowd) wait(g *guest) {
	if g != nil && g.place == nil {
		g.place = c.waiting.PushBack(g)
	}
}

func (c *crowd) busy(g *guest) {
	if g != nil && g.place != nil {
		c.waiting.Remove(g.place)
		g.place = nil
	}
}

func (c *crowd) leave(g *guest) {
	if g == nil || c.all[g.conn] != g {
		return
	}
	c.busy(g)
	delete(c.all, g.conn)
	if c.each[g.from]--; c.each[g.from] == 0 {
		delete(c.each, g.from)
	}
}

// address is a connection's other side, without its port.
func address(conn net.Conn) string {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	return host
}
