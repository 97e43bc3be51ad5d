package postgrestest

import (
	"errors"
	"net"
	"path/filepath"
	"sync"
)

// NetworkLink is a TCP proxy to the server that can simulate a network partition: no data passes in either direction,
// and no connection is closed.
type NetworkLink struct {
	server   *Server
	listener net.Listener
	all      sync.WaitGroup

	mu    sync.Mutex
	open  chan struct{} // closed while bytes pass
	conns map[net.Conn]struct{}
	over  bool
}

// OpenLink opens a link to the server.
func (s *Server) OpenLink() (*NetworkLink, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &NetworkLink{server: s, listener: listener, open: make(chan struct{}), conns: map[net.Conn]struct{}{}}
	close(l.open)
	l.all.Go(l.acceptAll)
	return l, nil
}

// URL returns the URL of the cluster's database over the link.
func (l *NetworkLink) URL() string {
	return "postgres://munadi@" + l.listener.Addr().String() + "/postgres?sslmode=disable"
}

// Cut cuts the link until Heal.
func (l *NetworkLink) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = make(chan struct{})
}

// Heal resumes forwarding, including data in flight at the cut.
func (l *NetworkLink) Heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.open)
}

// Close closes the link, which must not be cut.
func (l *NetworkLink) Close() error {
	l.mu.Lock()
	l.over = true
	err := l.listener.Close()
	for c := range l.conns {
		err = errors.Join(err, c.Close())
	}
	l.mu.Unlock()
	l.all.Wait()
	return err
}

func (l *NetworkLink) acceptAll() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.all.Go(func() { l.connect(near) })
	}
}

// connect forwards between a connection and a new one to the server.
func (l *NetworkLink) connect(near net.Conn) {
	far, err := net.Dial("unix", filepath.Join(l.server.folder, ".s.PGSQL.5432"))
	if err != nil || !l.keepConns(near, far) {
		_ = near.Close() // the server is down, or the link is closed
		return
	}
	var both sync.WaitGroup
	both.Go(func() { l.relayBytes(far, near) })
	both.Go(func() { l.relayBytes(near, far) })
	both.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, near)
	delete(l.conns, far)
}

func (l *NetworkLink) keepConns(conns ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range conns {
		if l.over {
			_ = c.Close() // the link is closed
			continue
		}
		l.conns[c] = struct{}{}
	}
	return !l.over
}

// relayBytes copies bytes while the link is not cut, and closes to at the end.
func (l *NetworkLink) relayBytes(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		l.mu.Lock()
		open := l.open
		l.mu.Unlock()
		<-open
		if _, broken := to.Write(buffer[:n]); err != nil || broken != nil {
			_ = to.Close() // ends the other direction, too
			return
		}
	}
}
