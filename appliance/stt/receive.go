package stt

import (
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/form"
)

// patience is how long an upload may stand still.
const patience = time.Minute

// receive reads the form into dst. An upload may take any time as long as it moves. Its deadline must be gone
// before decoding begins: net/http watches the idle connection for a client that leaves, and would take an old
// deadline for one.
func (s *Service) receive(c echo.Context, d form.Decoder, dst any) error {
	control := http.NewResponseController(c.Response())
	r := c.Request()
	body := r.Body
	r.Body = &watched{body, control}
	err := d.Decode(r, dst)
	r.Body = body                            // what is left of a refused upload is read under another deadline
	_ = control.SetReadDeadline(time.Time{}) // a writer without deadlines (a test's) has none to take back
	if err != nil {
		return s.explain(err, d, 0)
	}
	return nil
}

// watched gives every read its own deadline.
type watched struct {
	io.ReadCloser
	control *http.ResponseController
}

func (w *watched) Read(p []byte) (int, error) {
	_ = w.control.SetReadDeadline(time.Now().Add(patience))
	return w.ReadCloser.Read(p)
}
