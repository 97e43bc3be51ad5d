package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"munadi/store/delivery"
	"munadi/store/excerpt"
)

// TryOutcome is the result of an attempt, as a metrics label.
type TryOutcome string

// Outcomes.
const (
	Delivered  TryOutcome = "delivered"  // answered 2xx
	BadStatus  TryOutcome = "status"     // answered with another status
	TimedOut   TryOutcome = "timeout"    // no answer in time
	Broken     TryOutcome = "network"    // no connection, a broken one, or not HTTP
	Refused    TryOutcome = "refused"    // forbidden address (SSRF guard)
	Unsendable TryOutcome = "unsendable" // no body, or no receiver
)

// maxWords limits foreign text in an error message, in characters.
const maxWords = 200

// judgeAnswer classifies an answer by its status.
func judgeAnswer(answer *http.Response) (TryOutcome, error) {
	status := answer.StatusCode
	switch location := answer.Header.Get("Location"); {
	case status >= 200 && status < 300:
		return Delivered, nil
	case status >= 300 && status < 400 && location != "":
		return BadStatus, fmt.Errorf("answered %d, a redirect to %q, which is not followed", status, clipText(location))
	case http.StatusText(status) == "":
		return BadStatus, fmt.Errorf("answered %d instead of 2xx", status)
	default:
		return BadStatus, fmt.Errorf("answered %d %s instead of 2xx", status, http.StatusText(status))
	}
}

// explainError returns in plain words why there is no answer. met reports whether a connection was made.
func explainError(err error, met bool) (TryOutcome, error) {
	if refusal, ok := errors.AsType[*AddressRefusal](err); ok {
		return Refused, refusal
	}
	if words := explainDNSError(err); words != "" {
		return Broken, errors.New(words)
	}
	switch seconds := int(delivery.Timeout.Seconds()); {
	case isTimeout(err) && met:
		return TimedOut, fmt.Errorf("connected, but not answered within %d seconds", seconds)
	case isTimeout(err):
		return TimedOut, fmt.Errorf("no connection within %d seconds", seconds)
	}
	for _, explainer := range []func(error) string{explainTLSError, explainConnectionError} {
		if words := explainer(err); words != "" {
			return Broken, errors.New(words)
		}
	}
	words := strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: ")
	return Broken, errors.New("the exchange failed: " + clipText(words))
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// explainDNSError explains failures of name resolution.
func explainDNSError(err error) string {
	var lookup *net.DNSError
	switch {
	case !errors.As(err, &lookup):
		return ""
	case lookup.IsNotFound:
		return fmt.Sprintf("the host name %q does not exist", clipText(lookup.Name))
	default:
		return fmt.Sprintf("the host name %q could not be looked up", clipText(lookup.Name))
	}
}

// explainTLSError explains failures of TLS.
func explainTLSError(err error) string {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		other     *tls.CertificateVerificationError
		plain     tls.RecordHeaderError
		remote    *net.OpError
	)
	switch {
	case errors.As(err, &authority):
		return "the certificate is signed by an authority that this machine does not know"
	case errors.As(err, &host):
		return "the certificate is for another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid"
	case errors.As(err, &other):
		return "the certificate is not valid: " + clipText(other.Err.Error())
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "no TLS is spoken at this port: is it http instead of https?"
	case errors.As(err, &remote) && remote.Op == "remote error":
		return "the receiver refused the TLS handshake: " + clipText(remote.Err.Error())
	}
	return ""
}

// explainConnectionError explains failures of the connection.
func explainConnectionError(err error) string {
	var dial *net.OpError
	at := ""
	if errors.As(err, &dial) && dial.Op == "dial" && dial.Addr != nil {
		at = " at " + dial.Addr.String()
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused: nothing listens" + at
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "the network has no way to the receiver" + at
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "this machine has no socket left"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE), strings.Contains(err.Error(), "server closed idle connection"):
		return "the receiver closed the connection without an answer"
	}
	return ""
}

// clipText truncates foreign text.
func clipText(words string) string {
	return strings.ToValidUTF8(excerpt.TruncateText(words, maxWords), "\uFFFD")
}
