// Package systemd tells the service manager how the appliance fares, by systemd's protocol (sd_notify(3)): one datagram
// of NAME=value lines to the unix socket that NOTIFY_SOCKET names.
//
// Without that variable nothing is told, so that a program on a terminal behaves the same. It knows nothing of what it
// tells about.
package systemd

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The states that there are.
const (
	Ready    = "READY=1"
	Stopping = "STOPPING=1"
	Alive    = "WATCHDOG=1"
)

// ReloadingState is the state of a service that reads its settings again; [Ready] ends it. The manager wants to know when it
// began, by a clock that nobody sets.
func ReloadingState() string {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // it cannot fail for this clock
	return "RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(now.Nano()/int64(time.Microsecond), 10)
}

// ServiceManager is who started the process; the zero value is one that wants to know nothing.
type ServiceManager struct {
	address  *net.UnixAddr
	watchdog time.Duration
}

// FromEnvironment is the manager that the variables name. They are taken out of the environment: children must not
// speak for the appliance.
func FromEnvironment() ServiceManager {
	var m ServiceManager
	if path := os.Getenv("NOTIFY_SOCKET"); strings.HasPrefix(path, "/") || strings.HasPrefix(path, "@") {
		m.address = &net.UnixAddr{Name: path, Net: "unixgram"} // "@" is an abstract one, for net as for systemd
	}
	m.watchdog = parseWatchdog(os.Getenv("WATCHDOG_USEC"), os.Getenv("WATCHDOG_PID"))
	for _, name := range []string{"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} {
		_ = os.Unsetenv(name) // it cannot fail for a name like these
	}
	return m
}

// parseWatchdog is the time within which a sign of life is wanted; 0 when none is, or from another process.
func parseWatchdog(micros, pid string) time.Duration {
	n, err := strconv.ParseInt(micros, 10, 64)
	if err != nil || n <= 0 || n > int64(time.Hour/time.Microsecond)*24 {
		return 0
	}
	if pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return 0
	}
	return time.Duration(n) * time.Microsecond
}

// WatchdogInterval is the time within which the manager wants [Alive]; 0 for no such wish.
func (m ServiceManager) WatchdogInterval() time.Duration {
	if m.address == nil {
		return 0
	}
	return m.watchdog
}

// NotifyState sends a state, and a sentence for `systemctl status` unless it is empty.
func (m ServiceManager) NotifyState(state, sentence string) error {
	if m.address == nil {
		return nil
	}
	if sentence != "" {
		state += "\nSTATUS=" + strings.ReplaceAll(sentence, "\n", " ")
	}
	socket, err := net.DialUnix("unixgram", nil, m.address)
	if err != nil {
		return fmt.Errorf("tell the service manager: %w", err)
	}
	defer socket.Close() //nolint:errcheck // a datagram is gone already
	if _, err := socket.Write([]byte(state)); err != nil {
		return fmt.Errorf("tell the service manager: %w", err)
	}
	return nil
}
