package modelhub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	maxRedirects    = 5
	responseTimeout = time.Minute // for the headers of a response
	maxWait         = time.Minute // longest Retry-After that is waited for
)

// UnreachableError means that the hub is unreachable, as on a machine without a network.
type UnreachableError struct {
	Address string
	Err     error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the model hub %s can't be reached: %v", e.Address, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// sendRequest sends a GET, with a Range from a byte on. It follows no redirect. Only the hub gets the access token.
func (h *Hub) sendRequest(ctx context.Context, address string, from int64, toHub bool) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "munadi")
	req.Header.Set("Accept-Encoding", "identity") // sizes and checksums are those of the file
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	if h.Token != "" && toHub {
		req.Header.Set("Authorization", "Bearer "+h.Token)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(responseTimeout, func() { cancel(errors.New("no response within a minute")) })
	transport := h.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	res, err := transport.RoundTrip(req.WithContext(ctx))
	timer.Stop()
	if cause := context.Cause(ctx); cause != nil {
		if err == nil {
			_ = res.Body.Close()
		}
		err = cause
	}
	if err != nil {
		cancel(nil)
		return nil, &UnreachableError{Address: hostOf(address), Err: err}
	}
	res.Body = &cancelledBody{res.Body, cancel}
	return res, nil
}

// followRedirects is sendRequest with the token; it follows redirects that stay on the hub: a renamed model has one.
func (h *Hub) followRedirects(ctx context.Context, address string) (*http.Response, error) {
	for range maxRedirects {
		res, err := h.sendRequest(ctx, address, 0, true)
		if err != nil || res.StatusCode < 300 || res.StatusCode >= 400 {
			return res, err
		}
		_ = res.Body.Close()
		if address, err = nextAddress(address, res.Header.Get("Location")); err != nil {
			return nil, err
		}
		if !sameOrigin(address, h.Base) {
			return nil, newFault(HubFault,
				"the hub redirects to %s, which is another server; set --model-hub if that is the hub", hostOf(address))
		}
	}
	return nil, newFault(HubFault, "more than %d redirects", maxRedirects)
}

// cancelledBody cancels its request's context when it is closed.
type cancelledBody struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *cancelledBody) Close() error {
	b.cancel(nil)
	return b.ReadCloser.Close()
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(an invalid URL)"
	}
	return u.Scheme + "://" + u.Host
}

// nextAddress returns the target of a redirect, which must not lead from https to http.
func nextAddress(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", err
	}
	next, err := base.Parse(location)
	if err != nil || location == "" || next.Host == "" || next.Scheme != "http" && next.Scheme != "https" {
		return "", newFault(HubFault, "the hub redirects to %q, which is not a URL", sanitizeText(location))
	}
	if base.Scheme == "https" && next.Scheme == "http" {
		return "", newFault(HubFault, "the hub redirects to %s, which is not encrypted", hostOf(next.String()))
	}
	return next.String(), nil
}

// sameOrigin reports whether an address is the hub's own: the token must not go elsewhere.
func sameOrigin(address, hub string) bool {
	a, errA := url.Parse(address)
	b, errB := url.Parse(hub)
	return errA == nil && errB == nil && a.Scheme == b.Scheme && a.Host == b.Host
}

// busyError holds the hub's Retry-After.
type busyError struct{ wait time.Duration }

func (e *busyError) Error() string {
	return fmt.Sprintf("the hub is busy; try again in %d s", int(e.wait.Seconds()))
}

// explainRefusal turns a failure status into an error for people; nil for success.
func (h *Hub) explainRefusal(res *http.Response, name, revision string) error {
	if res.StatusCode < 300 {
		return nil
	}
	code := res.Header.Get("X-Error-Code")
	switch {
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable:
		seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			seconds = 5
		}
		return &FaultError{HubBusy, &busyError{time.Duration(seconds) * time.Second}}
	case code == "GatedRepo":
		return newFault(Gated,
			"%w: accept its conditions at %s, then set a token of that account by HF_TOKEN or --token-file",
			ErrGated, h.urlOf("/"+name))
	case code == "RevisionNotFound":
		return newFault(NoRevision, "%s has no revision %s", name, revision)
	case code == "EntryNotFound":
		return newFault(NoRevision, "%s has no such file at revision %s any more", name, revision)
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return newFault(NoModel,
			"the hub refuses %s (%s): there is no such model, or it is private and the token (HF_TOKEN or "+
				"--token-file) is missing or not allowed to read it", name, res.Status)
	case res.StatusCode == http.StatusNotFound:
		return newFault(NoModel, "the hub has no model %s", name)
	}
	if res.StatusCode >= http.StatusInternalServerError {
		return newFault(HubFault, "%w: it responded %s", errServer, res.Status)
	}
	return newFault(HubFault, "the hub responded %s", res.Status)
}

// errServer is a temporary fault of the hub or its storage.
var errServer = errors.New("the hub has an internal error")

// FaultKind is the kind of a fault of a model on the hub, of its download, or of the hub.
type FaultKind string

// Kinds of faults. A hub that cannot be reached is an [UnreachableError].
const (
	BadName         FaultKind = "bad_name"          // not ORGANIZATION/NAME
	BadRevision     FaultKind = "bad_revision"      // no commit, branch or tag
	NoModel         FaultKind = "no_such_model"     // or a private one, which the hub does not distinguish
	NoRevision      FaultKind = "no_such_revision"  // or a file that it no longer has
	Gated           FaultKind = "gated"             // its conditions must be accepted first
	NothingToImport FaultKind = "nothing_to_import" // neither a checkpoint nor an ONNX export
	HubBusy         FaultKind = "hub_busy"          // it requests a wait (Retry-After)
	HubFault        FaultKind = "hub_fault"         // an error response, or an invalid one
	BadChecksum     FaultKind = "bad_checksum"      // the downloaded file differs from the hub's
	ConnectionBroke FaultKind = "connection_broke"  // repeatedly interrupted
)

// FaultError is an error with its kind; its text is that of Err.
type FaultError struct {
	Kind FaultKind
	Err  error
}

func (e *FaultError) Error() string { return e.Err.Error() }

func (e *FaultError) Unwrap() error { return e.Err }

func newFault(kind FaultKind, format string, args ...any) error {
	return &FaultError{kind, fmt.Errorf(format, args...)}
}
