package realtime

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/auth"
)

// closeTimeout is the close timeout.
const closeTimeout = time.Second

var errClosedByServer = errors.New("the session was ended by the server")

// limitAccess ends the session when its key is revoked or its maximum age is reached, independently of the worker. It
// returns nil when ctx ends first.
func (s *realtimeSession) limitAccess(ctx context.Context) error {
	guarded, stop := auth.GuardAccess(ctx, s.who.Alive, auth.ErrRevoked)
	defer stop()
	age := time.NewTimer(s.Limits.Age)
	defer age.Stop()
	select {
	case <-age.C:
		s.closeSession(ctx, &protocolError{
			Code: "session_expired", Message: "The session has reached its maximum duration; connect again.",
		})
		return errClosedByServer
	case <-guarded.Done():
		if ctx.Err() != nil {
			return nil
		}
		s.closeSession(ctx, &protocolError{Code: "invalid_api_key", Message: "The credential of this session was revoked."})
		return errClosedByServer
	}
}

// closeSession sends the client the reason for the end of its session and closes the socket, within [closeTimeout].
func (s *realtimeSession) closeSession(ctx context.Context, f *protocolError) {
	s.ended.Store(f)
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.sendClosing(ctx, f)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
	}
}
