// Package systemd notifies the service manager of readiness, reload, shutdown and watchdog keep-alives by systemd's
// protocol (sd_notify(3)): one datagram of NAME=value lines to the unix socket that NOTIFY_SOCKET names.
//
// Without that variable no message is sent, so that a program on a terminal behaves the same.
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

// The states to notify.
const (
	Ready    = "READY=1"
	Stopping = "STOPPING=1"
	Alive    = "WATCHDOG=1"
)

// ReloadingState returns the state of a service that reloads its settings; [Ready] ends it. It holds the start of the
// reload by the monotonic clock.
func ReloadingState() string {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // cannot fail for this clock
	return "RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(now.Nano()/int64(time.Microsecond), 10)
}

// ServiceManager is the service manager's notification socket; the zero value drops all messages.
type ServiceManager struct {
	address  *net.UnixAddr
	watchdog time.Duration
}

// FromEnvironment returns the manager of the environment variables, which are then unset: child processes must not
// notify for the appliance.
func FromEnvironment() ServiceManager {
	var m ServiceManager
	if path := os.Getenv("NOTIFY_SOCKET"); strings.HasPrefix(path, "/") || strings.HasPrefix(path, "@") {
		m.address = &net.UnixAddr{Name: path, Net: "unixgram"} // "@" means an abstract socket, for net as for systemd
	}
	m.watchdog = parseWatchdog(os.Getenv("WATCHDOG_USEC"), os.Getenv("WATCHDOG_PID"))
	for _, name := range []string{"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} {
		_ = os.Unsetenv(name) // cannot fail for these names
	}
	return m
}

// parseWatchdog returns the watchdog interval; 0 if it is off, or meant for another process.
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

// WatchdogInterval returns the longest time between two [Alive] notifications; 0 if the watchdog is off.
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
	defer socket.Close() //nolint:errcheck // the datagram was sent
	if _, err := socket.Write([]byte(state)); err != nil {
		return fmt.Errorf("tell the service manager: %w", err)
	}
	return nil
}
