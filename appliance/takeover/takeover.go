// Package takeover lets a member of staff take a running call over with the microphone and speaker of a browser, over a
// WebSocket: the platform's side of the call becomes theirs, until they hand it back to the dialogue.
//
// Sound goes as in package browsercall: binary messages of 16-bit little-endian samples at 16000 Hz in both directions.
// Texts are JSON. To the browser:
//
//	taken   {}        the platform's side is the browser's now
//	refused {}        the call cannot be taken over: it ends, or somebody on a telephone has it
//	over    {reason}  handed_back, ended (the call) or lost (no sound of the browser came for some seconds)
//
// The browser may send {"hand_back": true, "step": "ID"}; without a step, or with one that the scenario lacks, the
// dialogue goes on where it was left. A connection that ends hands the call back, too.
//
// It is no WebRTC, since neither echo nor jitter demands it: the browser cancels the echo of what the page plays, and
// what TCP holds up is evened out by a cushion, and dropped where it would delay the talk for good. Sound takes the
// console's own way, without UDP ports, ICE or DTLS.
package takeover

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/conversation"
)

// Errors of calls that cannot be taken over.
var (
	// ErrNotHere means that the call's conversation does not run on this appliance, or not any more.
	ErrNotHere = errors.New("the conversation of the call does not run on this machine")
	// ErrTaken means that another member of staff has the call.
	ErrTaken = errors.New("another member of staff has taken the call over")
)

// startWait is how long a conversation may take to give its side away.
const startWait = 3 * time.Second

// callKey names a call.
type callKey struct{ orgID, id string }

// Desk holds the conversations that can be taken over. It is safe for concurrent use; the zero value is ready.
type Desk struct {
	mu    sync.Mutex
	calls map[callKey]*openCall
}

// openCall is a conversation that can be taken over.
type openCall struct {
	requests chan *conversation.TakeOver
	taken    bool
}

// OpenCall makes a conversation known, until it is closed; it receives the takeovers.
func (d *Desk) OpenCall(orgID, id string) (requests <-chan *conversation.TakeOver, closeCall func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.calls == nil {
		d.calls = map[callKey]*openCall{}
	}
	key, c := callKey{orgID, id}, &openCall{requests: make(chan *conversation.TakeOver)}
	d.calls[key] = c
	return c.requests, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.calls[key] == c {
			delete(d.calls, key)
		}
	}
}

// seize marks a call as taken; only one person has it at a time.
func (d *Desk) seize(orgID, id string) (*openCall, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch c := d.calls[callKey{orgID, id}]; {
	case c == nil:
		return nil, ErrNotHere
	case c.taken:
		return nil, ErrTaken
	default:
		c.taken = true
		return c, nil
	}
}

func (d *Desk) release(c *openCall) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c.taken = false
}

// Request is a member of staff who takes a call over.
type Request struct {
	OrgID, CallID string
	Actor         string // user:ID
	// Begun is called when the platform's side is theirs; an error ends the takeover. HandedBack is called when the
	// dialogue goes on, also where the browser was lost.
	Begun      func(ctx context.Context) error
	HandedBack func(ctx context.Context)
}

// ServeTakeOver upgrades a request to a WebSocket and gives it the platform's side of a call. Before the upgrade it
// returns [ErrNotHere] or [ErrTaken], afterwards nil or the error of Begun. Requests of other origins are refused.
func (d *Desk) ServeTakeOver(w http.ResponseWriter, r *http.Request, q Request) error {
	c, err := d.seize(q.OrgID, q.CallID)
	if err != nil {
		return err
	}
	defer d.release(c)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil // the response was written
	}
	defer func() { _ = conn.CloseNow() }()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	line := newLine(conn)
	go line.receiveMessages(ctx)
	go line.sendSound(ctx)
	t := conversation.NewTakeOver(line, q.Actor, line.handedBack)
	if !offer(ctx, c, t) {
		line.SendEvent(ctx, map[string]string{"type": "refused"})
		return conn.Close(websocket.StatusNormalClosure, "")
	}
	if err := q.Begun(ctx); err != nil {
		line.Hangup()
		<-t.Over()
		_ = conn.Close(websocket.StatusInternalError, "the takeover could not be recorded")
		return err
	}
	line.SendEvent(ctx, map[string]string{"type": "taken"})
	<-t.Over()
	if t.How() != conversation.CallEnded {
		q.HandedBack(context.WithoutCancel(ctx))
	}
	line.SendEvent(ctx, map[string]string{"type": "over", "reason": t.How()})
	_ = conn.Close(websocket.StatusNormalClosure, "")
	return nil
}

// offer gives a takeover to a call's conversation; false if it does not take it in time.
func offer(ctx context.Context, c *openCall, t *conversation.TakeOver) bool {
	late := time.NewTimer(startWait)
	defer late.Stop()
	select {
	case c.requests <- t:
		return true
	case <-late.C:
		return false
	case <-ctx.Done():
		return false
	}
}
