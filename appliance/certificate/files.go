package certificate

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// lookEvery is how often files are looked at.
const lookEvery = 3 * time.Second

// files is a pair in files of the operator's.
type files struct {
	cert, key string
	log       *slog.Logger
	seen      pairFiles // as it was last looked at, right or wrong
	fault     string    // what was last said about it
	serving   atomic.Pointer[tls.Certificate]
	warner    warner
}

// Files is the pair in these files. It must be right now: an error says what is wrong with it.
func Files(cert, key string, log *slog.Logger) (Source, error) {
	read, err := readPair(cert, key)
	if err != nil {
		return nil, err
	}
	pair, err := read.parse(cert, key)
	if err != nil {
		return nil, err
	}
	if err := current(pair.Leaf, time.Now()); err != nil {
		return nil, fmt.Errorf("tls-cert: the certificate in %s %w", cert, err)
	}
	f := &files{cert: cert, key: key, log: log, seen: read, warner: warner{log: log}}
	f.serving.Store(pair)
	return f, nil
}

// Config implements [Source].
func (f *files) Config() *tls.Config {
	return base(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.serving.Load(), nil })
}

// Run implements [Source].
func (f *files) Run(ctx context.Context) error {
	return every(ctx, lookEvery, func() {
		f.look(time.Now())
		f.warner.look(f.serving.Load().Leaf, time.Now())
	})
}

// look takes over a pair that changed. The contents are compared, not the times: they are short, and a file that was
// moved into its place may be older than the one before.
func (f *files) look(now time.Time) {
	read, err := readPair(f.cert, f.key)
	if err != nil {
		f.complain(err)
		return
	}
	if read.equal(f.seen) {
		f.fault = ""
		return
	}
	f.seen = read
	pair, err := read.parse(f.cert, f.key)
	if err == nil && current(f.serving.Load().Leaf, now) == nil {
		err = current(pair.Leaf, now)
	}
	if err != nil {
		f.complain(err)
		return
	}
	f.fault = ""
	f.serving.Store(pair)
	f.log.Info("a new TLS certificate serves", "names", Names(pair.Leaf), "until", pair.Leaf.NotAfter.UTC())
}

// complain says a fault once. A pair that is being replaced may be wrong for a moment.
func (f *files) complain(err error) {
	if f.fault == err.Error() {
		return
	}
	f.fault = err.Error()
	f.log.Warn("the new TLS certificate cannot be used; the old one serves on", "err", err)
}

// Challenge implements [Source].
func (*files) Challenge(next http.Handler) http.Handler { return next }

// Current implements [Source].
func (f *files) Current() *tls.Certificate { return f.serving.Load() }

// Root implements [Source].
func (*files) Root() []byte { return nil }
