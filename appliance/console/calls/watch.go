package calls

import (
	"context"
	"encoding/binary"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/ssehub"
	"munadi/store"
)

// watchCalls streams changes of the organization's calls to the list (SSE).
func (s handlers) watchCalls(c echo.Context) error { return s.StreamEvents(c, "calls", false) }

// watchCall streams a call's events to its page (SSE).
func (s handlers) watchCall(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	return s.StreamEvents(c, "call/"+found.ID, found.Status.IsFinal())
}

const (
	// soundWriteTimeout is the write timeout of a listener's connection for a chunk of audio.
	soundWriteTimeout = 5 * time.Second
	// maxSoundAge is the longest response with audio; the page then reconnects.
	maxSoundAge = time.Hour
)

// streamCallSound streams a running call's audio: 16-bit little-endian PCM, 8 kHz, stereo with the customer on the
// left. Listening is recorded in the audit trail.
func (s handlers) streamCallSound(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), maxSoundAge)
	defer cancel()
	v := kit.RequestVisitor(c)
	if !found.Status.IsRunning() {
		return echo.NewHTTPError(http.StatusConflict, "the call is not running")
	}
	listener, err := s.Sound.JoinTopic(ssehub.EventTopic{OrgID: v.Org.ID, Name: "call/" + found.ID})
	if err != nil {
		return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
	}
	defer s.Sound.LeaveTopic(listener)
	note := store.AuditEntry{At: s.Now().UTC(), Actor: v.AuditActor(), Action: "call.listen", Subject: found.ID}
	if err := s.Store.AddAudit(ctx, v.Org.ID, note); err != nil {
		return err
	}
	relaySound(ctx, c, listener.C)
	return nil
}

// relaySound sends the chunks of a running call's audio as they come, until the call or ctx ends.
func relaySound(ctx context.Context, c echo.Context, chunks <-chan []int16) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "application/octet-stream")
	h.Set(echo.HeaderCacheControl, "no-store")
	h.Set("X-Accel-Buffering", "no")
	c.Response().WriteHeader(http.StatusOK)
	control := http.NewResponseController(c.Response())
	_ = control.Flush() // sends the headers at once
	for {
		select {
		case <-ctx.Done():
			return
		case chunk, on := <-chunks:
			if !on || !sendSound(c, control, chunk) {
				return
			}
		}
	}
}

// sendSound sends a chunk; false if the listener has disconnected or is too slow.
func sendSound(c echo.Context, control *http.ResponseController, chunk []int16) bool {
	raw := make([]byte, 0, 2*len(chunk))
	for _, sample := range chunk {
		raw = binary.LittleEndian.AppendUint16(raw, uint16(sample))
	}
	if control.SetWriteDeadline(time.Now().Add(soundWriteTimeout)) != nil {
		return false
	}
	if _, err := c.Response().Write(raw); err != nil {
		return false
	}
	return control.Flush() == nil
}
