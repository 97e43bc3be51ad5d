package sip

import (
	"context"
	"sync"

	"github.com/emiago/sipgo/sip"
)

// dialogTable holds the active calls by Call-ID, which we generate, or the caller of an inbound one. The zero value is
// ready.
type dialogTable struct {
	mu      sync.Mutex
	by      map[string]*inviteDialog
	dialled map[string]dialledInvite
}

// dialledInvite is an INVITE of ours that is not answered yet.
type dialledInvite struct {
	tag  string        // ours
	over chan struct{} // closed when it is answered and acknowledged, or has failed
}

// addInvite adds an INVITE of ours until it is over.
func (s *dialogTable) addInvite(invite *sip.Request) (over func()) {
	id, i := invite.CallID().Value(), dialledInvite{invite.From().Params.GetOr("tag", ""), make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dialled == nil {
		s.dialled = map[string]dialledInvite{}
	}
	s.dialled[id] = i
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.dialled, id)
		close(i.over)
	}
}

// awaitDialog is findDialog for a request that may have overtaken the 200 of our INVITE, by UDP or because requests and
// responses are handled concurrently: it waits until the INVITE is over. A BYE that was refused with 481 instead would
// leave us in a call without the other side.
func (s *dialogTable) awaitDialog(ctx context.Context, req *sip.Request) *inviteDialog {
	if over := s.findInvite(req); over != nil {
		select {
		case <-over:
		case <-ctx.Done():
		}
	}
	return s.findDialog(req)
}

// findInvite returns what is closed when our INVITE to which an in-dialog request belongs is over; nil without one.
func (s *dialogTable) findInvite(req *sip.Request) <-chan struct{} {
	id, to := req.CallID(), req.To()
	if id == nil || to == nil || !to.Params.Has("tag") {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, found := s.dialled[id.Value()]; found && to.Params.GetOr("tag", "") == i.tag {
		return i.over
	}
	return nil
}

func (s *dialogTable) addDialog(d *inviteDialog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[string]*inviteDialog{}
	}
	s.by[d.callID] = d
}

func (s *dialogTable) removeDialog(d *inviteDialog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.by, d.callID)
}

// hasCall reports whether there is a call with a Call-ID.
func (s *dialogTable) hasCall(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[id] != nil
}

func (s *dialogTable) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.by)
}

func (s *dialogTable) listDialogs() []*inviteDialog {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*inviteDialog
	for _, d := range s.by {
		out = append(out, d)
	}
	return out
}

// findDialog returns the dialog of an in-dialog request: Call-ID and both tags match (RFC 3261 §12.2.2).
func (s *dialogTable) findDialog(req *sip.Request) *inviteDialog {
	id := req.CallID()
	if id == nil {
		return nil
	}
	s.mu.Lock()
	d := s.by[id.Value()]
	s.mu.Unlock()
	if d == nil || !hasTags(req, d.to.Params.GetOr("tag", ""), d.from.Params.GetOr("tag", "")) {
		return nil
	}
	return d
}

// hasTags reports whether a request has the tags of a dialog: theirs in From, ours in To.
func hasTags(req *sip.Request, theirs, ours string) bool {
	from, to := req.From(), req.To()
	return from != nil && to != nil && from.Params.GetOr("tag", "") == theirs && to.Params.GetOr("tag", "") == ours
}

// ringingTable holds the inbound calls that are not answered yet, by Call-ID. The zero value is ready.
type ringingTable struct {
	mu sync.Mutex
	by map[string]*incomingCall
}

// add adds a call; false if one with its Call-ID rings.
func (r *ringingTable) add(in *incomingCall) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := in.req.CallID().Value()
	if r.by[id] != nil {
		return false
	}
	if r.by == nil {
		r.by = map[string]*incomingCall{}
	}
	r.by[id] = in
	return true
}

// find returns the call of an in-dialog request: Call-ID and both tags match; nil without one.
func (r *ringingTable) find(req *sip.Request) *incomingCall {
	id := req.CallID()
	if id == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.by[id.Value()]
	if in == nil || !hasTags(req, in.req.From().Params.GetOr("tag", ""), in.tag) {
		return nil
	}
	return in
}

func (r *ringingTable) remove(in *incomingCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, in.req.CallID().Value())
}
