package httpserver

import (
	"log"
	"log/slog"
	"strings"
)

// newErrorLog returns an HTTP server's error log.
func newErrorLog(to *slog.Logger) *log.Logger { return log.New(serverLog{to}, "", 0) }

// serverLog is the error log of the HTTP server. Failed TLS handshakes are logged at debug level: scanners cause them
// on every open port.
type serverLog struct{ to *slog.Logger }

// maxConnectionLine truncates such a line, in bytes: the server name of a TLS handshake is chosen by the client.
const maxConnectionLine = 1024

// Write implements io.Writer; p is a line.
func (l serverLog) Write(p []byte) (int, error) {
	line := strings.TrimSpace(strings.ToValidUTF8(string(p[:min(len(p), maxConnectionLine)]), ""))
	if strings.Contains(line, "TLS handshake error") {
		l.to.Debug("connection", "err", line)
	} else {
		l.to.Warn("connection", "err", line)
	}
	return len(p), nil
}
