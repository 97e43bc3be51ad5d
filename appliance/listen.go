package appliance

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"munadi/store"
	"munadi/store/disk"
)

// openListeners opens the listener, and the one that redirects plain HTTP if configured.
func (a *Appliance) openListeners() (err error) {
	if a.listener, err = net.Listen("tcp", a.config.Listen.String()); err != nil {
		return explainListen("listen", a.config.Listen.String(), err)
	}
	if a.config.Redirect == "" {
		return nil
	}
	if a.redirect, err = net.Listen("tcp", a.config.Redirect); err != nil {
		return explainListen("redirect", a.config.Redirect, err)
	}
	return nil
}

// explainListen wraps the error of a listen address with what to do.
func explainListen(setting, address string, err error) error {
	advice := "choose another address with --" + setting
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		advice = "another program has it (`ss -lntup` shows which); stop that, or " + advice
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		advice = "this machine has no such address (`ip addr` shows those it has); " + advice
	case errors.Is(err, fs.ErrPermission):
		advice = "ports below 1024 need a right: with systemd, see the unit's lines about CAP_NET_BIND_SERVICE; else " +
			"`setcap cap_net_bind_service=+ep` on the program; or " + advice
	}
	return fmt.Errorf("cannot listen on %s: %s: %w", address, advice, err)
}

// ExplainData wraps the error of an unusable data folder with what to do. The cause stays in the chain.
func ExplainData(folder string, err error) error {
	switch {
	case err == nil:
		return nil
	case store.CodeOf(err) == store.CodeInUse:
		return fmt.Errorf("another appliance runs on the data folder %s; stop it, or name another folder with --data: %w",
			folder, err)
	case errors.Is(err, syscall.EROFS), readOnly(folder):
		return fmt.Errorf("the data folder %s is on a file system that is read-only; mount it for writing, or name another "+
			"folder with --data: %w", folder, err)
	case store.IsNoRoom(err):
		return fmt.Errorf("there is no room left for the data folder %s; make some, or name another folder with --data: %w",
			folder, err)
	case isFolderError(folder, err, fs.ErrPermission), isUnwritable(folder):
		return fmt.Errorf("user %d may not write to the data folder %s; give it to that user (chown -R), run as the user "+
			"that it belongs to, or name another folder with --data: %w", os.Geteuid(), folder, err)
	case isFolderError(folder, err, syscall.ENOTDIR):
		return fmt.Errorf("the data folder %s cannot be: there is a file in its place; name another with --data: %w",
			folder, err)
	case isFolderError(folder, err, err):
		return fmt.Errorf("the data folder %s cannot be used; name another with --data: %w", folder, err)
	}
	return err
}

// explainCache wraps the error of an unusable cache folder, into which the model is unpacked, with what to do.
func explainCache(folder string, err error) error {
	if !isFolderError(folder, err, err) {
		return err
	}
	return fmt.Errorf("the cache folder %s cannot be used; name another with --cache: %w", folder, err)
}

// isFolderError reports whether err is the system error what on the folder itself, on a file in it or on a folder
// above it: a key file or a certificate elsewhere has errors of its own.
func isFolderError(folder string, err, what error) bool {
	var at *fs.PathError
	if !errors.Is(err, what) || !errors.As(err, &at) {
		return false
	}
	here, there := filepath.Clean(folder), filepath.Clean(at.Path)
	return here == there || isBelow(here, there) || isBelow(there, here)
}

func isBelow(inner, outer string) bool {
	return strings.HasPrefix(inner, strings.TrimSuffix(outer, "/")+"/")
}

// readOnly reports whether the folder's file system is mounted read-only.
func readOnly(folder string) bool {
	s, err := disk.ReadState(folder)
	return err == nil && s.ReadOnly
}

// isUnwritable probes whether the folder is not writable, which the database's own errors do not tell.
func isUnwritable(folder string) bool {
	probe, err := os.CreateTemp(folder, ".probe-*")
	if err != nil {
		return strings.Contains(err.Error(), syscall.EACCES.Error())
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name()) // empty; the start fails anyway
	return false
}
