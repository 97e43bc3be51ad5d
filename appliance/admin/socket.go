package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"
)

const (
	// socketFile is its name in the data folder.
	socketFile = "munadi.sock"
	// maxPath is the longest path that a socket's address holds on Linux, without its closing zero.
	maxPath = 107
	// dialTimeout is for the connection; a socket that nobody listens on refuses at once.
	dialTimeout = 2 * time.Second
)

// socketPath is the socket of a data folder.
func socketPath(dir string) string { return filepath.Join(dir, socketFile) }

// socketAddress is the socket as the kernel takes it, until release is called. Where the path is too long, it goes through
// the open folder's entry in /proc, whose name is always short.
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

// ListenSocket opens the socket of a data folder, for its owner alone. The caller has the folder's database open, so that a
// socket that lies there is a dead appliance's and is replaced; and closes the socket first, then the database.
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
	listener.SetUnlinkOnClose(false) // it would use name, which is gone by then
	if err := os.Chmod(socketPath(dir), 0o600); err != nil {
		_ = listener.Close() // the first error is the one to report
		return nil, fmt.Errorf("close the administration socket to others: %w", err)
	}
	return &socketListener{listener, socketPath(dir)}, nil
}

// socketListener removes its file when it is closed.
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

// dialSocket connects to the socket of a data folder.
func dialSocket(ctx context.Context, dir string) (net.Conn, error) {
	name, release, err := socketAddress(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	dialer := net.Dialer{Timeout: dialTimeout}
	return dialer.DialContext(ctx, "unix", name)
}
