package realtime

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/auth"
)

// byePatience is the close timeout.
const byePatience = time.Second

var errSentAway = errors.New("the session was ended by the server")

// limitAccess ends the session when its key is revoked or its maximum age is reached, independently of the worker. It
// returns nil when ctx ends first.
func (s *realtimeSession) limitAccess(ctx context.Context) error {
	guarded, stop := auth.GuardAccess(ctx, s.who.Alive, auth.ErrRevoked)
	defer stop()
	age := time.NewTimer(s.Limits.Age)
	defer age.Stop()
	select {
	case <-age.C:
		s.sendAway(ctx, &protocolError{
			Code: "session_expired", Message: "The session has reached its maximum duration; connect again.",
		})
		return errSentAway
	case <-guarded.Done():
		if ctx.Err() != nil {
			return nil
		}
		s.sendAway(ctx, &protocolError{Code: "invalid_api_key", Message: "The credential of this session was revoked."})
		return errSentAway
	}
}

// sendAway sends the client the reason for the end of its session and closes the socket, within [byePatience].
func (s *realtimeSession) sendAway(ctx context.Context, f *protocolError) {
	s.ended.Store(f)
	ctx, cancel := context.WithTimeout(ctx, byePatience)
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
