package systemd_test

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"munadi/appliance/monitor/systemd"
)

// fakeManager is a socket that receives notifications like systemd, with its environment variables set.
func fakeManager(t *testing.T, variables map[string]string) *net.UnixConn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	t.Setenv("NOTIFY_SOCKET", path)
	for name, value := range variables {
		t.Setenv(name, value)
	}
	return socket
}

func TestTell(t *testing.T) {
	socket := fakeManager(t, map[string]string{"WATCHDOG_USEC": "90000000", "WATCHDOG_PID": strconv.Itoa(os.Getpid())})
	m := systemd.FromEnvironment()
	if m.WatchdogInterval() != 90*time.Second {
		t.Errorf("watchdog %v", m.WatchdogInterval())
	}
	if err := m.NotifyState(systemd.Ready, "serves\non 1"); err != nil {
		t.Fatal(err)
	}
	var got [200]byte
	n, err := socket.Read(got[:])
	if want := "READY=1\nSTATUS=serves on 1"; err != nil || string(got[:n]) != want {
		t.Errorf("got %q, %v, want %q", got[:n], err, want)
	}
	for _, name := range []string{"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} {
		if value, there := os.LookupEnv(name); there {
			t.Errorf("children would get %s=%s", name, value)
		}
	}
}

func TestWatchdogOfAnother(t *testing.T) {
	for _, c := range []map[string]string{
		{"WATCHDOG_USEC": "90000000", "WATCHDOG_PID": "1"},
		{"WATCHDOG_USEC": "soon"},
		{"WATCHDOG_USEC": "-1"},
		{"WATCHDOG_USEC": "9223372036854775807"},
		{},
	} {
		fakeManager(t, c)
		if got := systemd.FromEnvironment().WatchdogInterval(); got != 0 {
			t.Errorf("%v: watchdog %v", c, got)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	if err := systemd.FromEnvironment().NotifyState(systemd.Ready, ""); err != nil {
		t.Errorf("without a manager: %v", err)
	}
	t.Setenv("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "gone"))
	if err := systemd.FromEnvironment().NotifyState(systemd.Ready, ""); err == nil {
		t.Error("a socket that is not there took it")
	}
}
