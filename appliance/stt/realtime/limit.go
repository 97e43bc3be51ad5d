package realtime

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/auth"
)

// byePatience is how long a client that is sent away may take to close the socket itself.
const byePatience = time.Second

var errSentAway = errors.New("the session was ended by the server")

// limitAccess ends the session when its access is revoked and when it reaches its longest age, whatever the worker does
// at that time. It returns nil when ctx ends first.
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

// sendAway tells the client why its session ends and closes the socket, within [byePatience].
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
