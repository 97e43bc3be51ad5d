// Package httpserver is the HTTP infrastructure below the doors (API, console, demo page): listeners, limits and
// timeouts of the server, its base URL, and in its folders the middleware, client addresses, cookies, signed links,
// connection and rate limits. It imports no door.
package httpserver

import (
	"log/slog"
	"net/http"
	"sync/atomic"
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
