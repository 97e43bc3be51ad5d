package middleware

import (
	"io"
	"net/http"
	"time"
)

// lingerTime is how long the rest of a refused upload is read (nginx's lingering_close, lingering_timeout).
const lingerTime = 5 * time.Second

// drainBody reads the rest of the body after the answer has been sent (lingering close). Closing a socket with unread
// bytes makes TCP reset the connection, and the reset can overtake the answer.
func drainBody(control *http.ResponseController, r *http.Request) {
	if control.Flush() != nil || control.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // ends with the connection
}
