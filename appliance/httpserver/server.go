// Package httpserver is the HTTP infrastructure below the doors (API, console, demo page): listeners, limits and
// timeouts of the server, its base URL, and in its folders the middleware, client addresses, cookies, signed links,
// connection and rate limits. It imports no door.
package httpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"munadi/appliance/httpserver/connlimit"
)

const (
	// headerTimeout limits how long a client may take to send a request's headers; bodies have separate deadlines.
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10 // bytes
)

// NewServer returns a server with bounded headers, idle time and connections, which logs failed connections. share is
// the part of this process's connection limit that it may use: 1 for all, 4 for a quarter.
func NewServer(handler http.Handler, share int, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          newErrorLog(log),
		ConnState:         connlimit.NewLimiter(connlimit.DefaultLimit() / share).TrackState,
	}
}

// NewShortServer returns a server for exchanges without bodies: the whole exchange has the timeout of headers, and it
// may use a quarter of the connections.
func NewShortServer(handler http.Handler, log *slog.Logger) *http.Server {
	server := NewServer(handler, 4, log)
	server.ReadTimeout, server.WriteTimeout, server.IdleTimeout = headerTimeout, headerTimeout, headerTimeout
	return server
}

// HandlerSwitch is a handler that can be replaced while requests are served. Set one before the first request.
type HandlerSwitch struct{ current atomic.Pointer[http.Handler] }

// ReplaceHandler makes h the handler of all new requests.
func (s *HandlerSwitch) ReplaceHandler(h http.Handler) { s.current.Store(&h) }

// ServeHTTP implements [http.Handler].
func (s *HandlerSwitch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*s.current.Load()).ServeHTTP(w, r)
}

// newErrorLog returns an HTTP server's error log.
func newErrorLog(to *slog.Logger) *log.Logger { return log.New(serverLog{to}, "", 0) }

// serverLog is the error log of the HTTP server. Failed TLS handshakes are logged at debug level: scanners cause them
// on every open port.
type serverLog struct{ to *slog.Logger }

// maxConnectionLine truncates such a line, in bytes: the server name of a TLS handshake is chosen by the client.
const maxConnectionLine = 1024

// Write implements io.Writer; p is a line.
func (l serverLog) Write(p []byte) (int, error) {
	line := strings.TrimSpace(strings.ToValidUTF8(string(p[:min(len(p), maxConnectionLine)]), ""))
	if strings.Contains(line, "TLS handshake error") {
		l.to.Debug("connection", "err", line)
	} else {
		l.to.Warn("connection", "err", line)
	}
	return len(p), nil
}

// ListenTCP listens on an address; setting is the name of its setting, for errors that name the remedy.
func ListenTCP(setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, ExplainListenError(setting, address, err)
	}
	return l, nil
}

// ExplainListenError wraps the error of a listen address with the remedy.
func ExplainListenError(setting, address string, err error) error {
	advice := "choose another address with --" + setting
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		advice = "another program has it (`ss -lntup` shows which); stop that, or " + advice
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		advice = "this machine has no such address (`ip addr` shows those it has); " + advice
	case errors.Is(err, fs.ErrPermission):
		advice = "ports below 1024 need a right: with systemd, see the unit's lines about CAP_NET_BIND_SERVICE; else " +
			"`setcap cap_net_bind_service=+ep` on the program; or " + advice
	}
	return fmt.Errorf("cannot listen on %s: %s: %w", address, advice, err)
}
