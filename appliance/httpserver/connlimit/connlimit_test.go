package connlimit

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
)

// fakeConn is a connection that knows when it is closed.
type fakeConn struct {
	net.Conn
	from   string
	closed chan struct{}
	once   sync.Once
}

func (w *fakeConn) RemoteAddr() net.Addr { return remoteAddr(w.from) }

func (w *fakeConn) Close() error { w.once.Do(func() { close(w.closed) }); return nil }

func (w *fakeConn) isOpen() bool {
	select {
	case <-w.closed:
		return false
	default:
		return true
	}
}

type remoteAddr string

func (remoteAddr) Network() string  { return "tcp" }
func (r remoteAddr) String() string { return string(r) }

// openConnections opens n connections of an address and leaves them in a state.
func openConnections(c *ConnectionLimiter, from string, n int, state http.ConnState) []*fakeConn {
	var all []*fakeConn
	for i := range n {
		w := &fakeConn{from: fmt.Sprintf("%s:%d", from, 1024+i), closed: make(chan struct{})}
		c.TrackState(w, http.StateNew)
		if state != http.StateNew {
			c.TrackState(w, state)
		}
		all = append(all, w)
	}
	return all
}

// TestIdleConnectionIsEvicted: a connection beyond the limit closes the one that has been idle longest.
func TestIdleConnectionIsEvicted(t *testing.T) {
	t.Parallel()
	c := NewLimiter(8)
	busy := openConnections(c, "192.0.2.1", 3, http.StateActive)
	idle := openConnections(c, "192.0.2.2", 3, http.StateIdle)
	fresh := openConnections(c, "192.0.2.3", 2, http.StateNew)
	late := openConnections(c, "192.0.2.4", 2, http.StateActive)
	<-idle[0].closed
	<-idle[1].closed
	for _, w := range append(append(append(busy, idle[2]), fresh...), late...) {
		if !w.isOpen() {
			t.Errorf("%s was closed", w.from)
		}
	}
	for _, w := range busy {
		c.TrackState(w, http.StateClosed)
	}
	c.TrackState(idle[0], http.StateClosed) // the server reports a closed connection, too
	openConnections(c, "192.0.2.5", 3, http.StateActive)
	if len(c.all) != 8 || !idle[2].isOpen() {
		t.Errorf("%d connections below the limit", len(c.all))
	}
}

// TestLimitPerAddress: an address has at most half of the connections, and active ones are never closed.
func TestLimitPerAddress(t *testing.T) {
	t.Parallel()
	c := NewLimiter(8)
	first := openConnections(c, "192.0.2.1", 4, http.StateActive)
	more := openConnections(c, "192.0.2.1", 20, http.StateNew)
	others := openConnections(c, "2001:db8::1", 4, http.StateNew)
	for i, w := range more {
		<-w.closed
		c.TrackState(w, http.StateActive) // too late
		c.TrackState(w, http.StateClosed)
		if i == 0 && len(c.all) != 8 {
			t.Errorf("%d connections", len(c.all))
		}
	}
	for _, w := range append(first, others...) {
		if !w.isOpen() {
			t.Errorf("%s was closed", w.from)
		}
		c.TrackState(w, http.StateHijacked)
	}
	if len(c.all) != 0 || len(c.each) != 0 || c.idle.Len() != 0 {
		t.Errorf("after all were closed %d, %d, %d are left", len(c.all), len(c.each), c.idle.Len())
	}
}

func TestDefaultLimit(t *testing.T) {
	t.Parallel()
	if n := DefaultLimit(); n < 100 || n > maxConnections {
		t.Errorf("the limit is %d", n)
	}
}
