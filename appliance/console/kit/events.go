package kit

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/ssehub"
)

// StreamEvents serves an SSE topic, or only an End event if over: a page that was open during a restart would otherwise
// wait forever for the end of a call that has ended meanwhile.
func (s *Console) StreamEvents(c echo.Context, name string, over bool) error {
	if over {
		return c.Blob(http.StatusOK, "text/event-stream", []byte("event: "+ssehub.End+"\ndata: {}\n\n"))
	}
	return s.ServeTopic(c, ssehub.EventTopic{OrgID: RequestVisitor(c).Org.ID, Name: name})
}

// ServeTopic serves an SSE topic while the visitor's access is valid.
func (s *Console) ServeTopic(c echo.Context, topic ssehub.EventTopic) error {
	err := s.Events.ServeTopic(c.Response(), c.Request(), topic)
	if errors.Is(err, ssehub.ErrFull) || errors.Is(err, ssehub.ErrClosed) {
		c.Response().Header().Set(echo.HeaderRetryAfter, "10")
		return c.String(http.StatusServiceUnavailable, err.Error()+"\n") // read by a script: no HTML page
	}
	return err
}
