package httpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
)

// ListenTCP listens on an address; setting is the name of its setting, for errors that name the remedy.
func ListenTCP(setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, ExplainListenError(setting, address, err)
	}
	return l, nil
}

// ExplainListenError wraps the error of a listen address with the remedy.
func ExplainListenError(setting, address string, err error) error {
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
