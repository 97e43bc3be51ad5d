package connlimit

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
)

// socket is a connection that knows when it is closed.
type socket struct {
	net.Conn
	from   string
	closed chan struct{}
	once   sync.Once
}

func (w *socket) RemoteAddr() net.Addr { return remote(w.from) }

func (w *socket) Close() error { w.once.Do(func() { close(w.closed) }); return nil }

func (w *socket) open() bool {
	select {
	case <-w.closed:
		return false
	default:
		return true
	}
}

type remote string

func (remote) Network() string  { return "tcp" }
func (r remote) String() string { return string(r) }

// connect opens n connections of an address and leaves them in a state.
func connect(c *ConnectionLimiter, from string, n int, state http.ConnState) []*socket {
	var all []*socket
	for i := range n {
		w := &socket{from: fmt.Sprintf("%s:%d", from, 1024+i), closed: make(chan struct{})}
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
	busy := connect(c, "192.0.2.1", 3, http.StateActive)
	idle := connect(c, "192.0.2.2", 3, http.StateIdle)
	fresh := connect(c, "192.0.2.3", 2, http.StateNew)
	late := connect(c, "192.0.2.4", 2, http.StateActive)
	<-idle[0].closed
	<-idle[1].closed
	for _, w := range append(append(append(busy, idle[2]), fresh...), late...) {
		if !w.open() {
			t.Errorf("%s was closed", w.from)
		}
	}
	for _, w := range busy {
		c.TrackState(w, http.StateClosed)
	}
	c.TrackState(idle[0], http.StateClosed) // the server reports a closed connection, too
	connect(c, "192.0.2.5", 3, http.StateActive)
	if len(c.all) != 8 || !idle[2].open() {
		t.Errorf("%d connections below the limit", len(c.all))
	}
}

// TestLimitPerAddress: an address has at most half of the connections, and active ones are never closed.
func TestLimitPerAddress(t *testing.T) {
	t.Parallel()
	c := NewLimiter(8)
	first := connect(c, "192.0.2.1", 4, http.StateActive)
	more := connect(c, "192.0.2.1", 20, http.StateNew)
	others := connect(c, "2001:db8::1", 4, http.StateNew)
	for i, w := range more {
		<-w.closed
		c.TrackState(w, http.StateActive) // too late
		c.TrackState(w, http.StateClosed)
		if i == 0 && len(c.all) != 8 {
			t.Errorf("%d connections", len(c.all))
		}
	}
	for _, w := range append(first, others...) {
		if !w.open() {
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
