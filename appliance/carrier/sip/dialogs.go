package sip

import (
	"sync"

	"github.com/emiago/sipgo/sip"
)

// dialogTable holds the active calls by Call-ID, which we generate, or the caller of an inbound one. The zero value is
// ready.
type dialogTable struct {
	mu sync.Mutex
	by map[string]*inviteDialog
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
	id, from, to := req.CallID(), req.From(), req.To()
	if id == nil || from == nil || to == nil {
		return nil
	}
	s.mu.Lock()
	d := s.by[id.Value()]
	s.mu.Unlock()
	if d == nil || from.Params.GetOr("tag", "") != d.to.Params.GetOr("tag", "") ||
		to.Params.GetOr("tag", "") != d.from.Params.GetOr("tag", "") {
		return nil
	}
	return d
}
