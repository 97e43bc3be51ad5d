package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	// socketFile is the name of the admin socket in the data folder.
	socketFile = "munadi.sock"
	// maxPath is the longest path of a unix socket on Linux, without its terminating zero.
	maxPath = 107
	// dialTimeout is the connection timeout; a socket without a listener refuses at once.
	dialTimeout = 2 * time.Second
)

// socketPath returns the admin socket of a data folder.
func socketPath(dir string) string { return filepath.Join(dir, socketFile) }

// socketAddress returns the socket's name for the kernel, valid until release is called. A path that is too long is
// replaced by the short name of the opened folder in /proc.
func socketAddress(dir string) (name string, release func(), err error) {
	if len(socketPath(dir)) <= maxPath {
		return socketPath(dir), func() {}, nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	name = fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), socketFile)
	return name, func() { _ = folder.Close() }, nil
}

// ListenSocket listens on the admin socket of a data folder, with access for its owner only. The caller has the
// folder's database open, so an existing socket was left by a crash and is replaced. Close the socket before the
// database.
func ListenSocket(dir string) (net.Listener, error) {
	name, release, err := socketAddress(dir)
	if err != nil {
		return nil, fmt.Errorf("open the administration socket: %w", err)
	}
	defer release()
	if err := os.Remove(socketPath(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("remove the old administration socket: %w", err)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("open the administration socket: %w", err)
	}
	listener.SetUnlinkOnClose(false) // it would use name, which is no longer valid then
	if err := os.Chmod(socketPath(dir), 0o600); err != nil {
		_ = listener.Close() // report the first error
		return nil, fmt.Errorf("restrict the administration socket to its owner: %w", err)
	}
	return &socketListener{listener, socketPath(dir)}, nil
}

// socketListener removes the socket file when it is closed.
type socketListener struct {
	*net.UnixListener
	path string
}

// Close implements net.Listener.
func (s *socketListener) Close() error {
	err := s.UnixListener.Close()
	if err == nil {
		err = os.Remove(s.path)
	}
	return err
}

// dialSocket connects to the admin socket of a data folder.
func dialSocket(ctx context.Context, dir string) (net.Conn, error) {
	name, release, err := socketAddress(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	dialer := net.Dialer{Timeout: dialTimeout}
	return dialer.DialContext(ctx, "unix", name)
}

// IsRunning reports whether an appliance answers on the data folder dir.
func IsRunning(ctx context.Context, dir string) bool {
	conn, err := dialSocket(ctx, dir)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

// connectRunning connects to the appliance on a data folder; false when none answers.
func connectRunning(ctx context.Context, dir string) (AdminService, bool) {
	if !IsRunning(ctx, dir) {
		return AdminService{}, false
	}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dialSocket(ctx, dir) },
	}
	return AdminService{client: &http.Client{Transport: transport}}, true
}
