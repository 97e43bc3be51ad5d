package middleware

import (
	"io"
	"net/http"

	"munadi/appliance/quota"
)

const (
	largeBody      = 64 << 10 // bytes from which a body is large
	largeBodies    = 16       // large bodies in memory at once
	largeBodyShare = 4        // of these, for one organization
)

// LargeBodies bounds the memory of large request bodies, and of what is parsed from them, which takes many times
// their size: beyond its first 64 KiB a body waits for one of its organization's slots.
type LargeBodies struct{ slots *quota.Semaphore }

// NewLargeBodies returns the bound of one endpoint.
func NewLargeBodies() *LargeBodies {
	return &LargeBodies{quota.NewSemaphore(largeBodies, largeBodyShare)}
}

// HoldBody makes the body of r, a request of the organization, wait when it turns out large. Call release at the end
// of the request.
func (l *LargeBodies) HoldBody(r *http.Request, orgID string) (release func()) {
	if r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	b := &heldBody{ReadCloser: r.Body, request: r, slots: l.slots, orgID: orgID}
	r.Body = b
	return b.releaseSlot
}

// heldBody is a body that waits for a slot when it turns out large.
type heldBody struct {
	io.ReadCloser
	request *http.Request
	slots   *quota.Semaphore
	orgID   string
	got     int64
	held    bool
}

// Read implements [io.Reader].
func (b *heldBody) Read(p []byte) (int, error) {
	if !b.held && b.got >= largeBody {
		if err := b.slots.AcquireSlot(b.request.Context(), b.orgID); err != nil {
			return 0, err
		}
		b.held = true
	}
	if !b.held {
		p = p[:min(int64(len(p)), largeBody-b.got)]
	}
	n, err := b.ReadCloser.Read(p)
	b.got += int64(n)
	return n, err
}

func (b *heldBody) releaseSlot() {
	if b.held {
		b.held = false
		b.slots.ReleaseSlot(b.orgID)
	}
}
