package launcher

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// TestMain prints the time instead when it is run as a process of TestClockIsMoved.
func TestMain(m *testing.M) {
	if os.Getenv("LAUNCHER_TELLS_TIME") == "1" {
		began := time.Now()
		time.Sleep(10 * time.Millisecond)
		_, _ = os.Stdout.WriteString(strconv.FormatInt(began.Add(time.Since(began)).Unix(), 10))
		return
	}
	m.Run()
}

// TestClockIsMoved: a program in Go sees a wall clock that is ahead or behind.
func TestClockIsMoved(t *testing.T) {
	t.Parallel()
	for _, wrong := range []time.Duration{0, time.Minute, -time.Hour} {
		var out bytes.Buffer
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stdout = append(os.Environ(), "LAUNCHER_TELLS_TIME=1"), &out
		if err := startWithClock(cmd, wrong); errors.Is(err, errNoClock) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		said, err := strconv.ParseInt(out.String(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Unix(said, 0).Sub(time.Now().Add(wrong)).Abs(); off > 20*time.Second {
			t.Errorf("with a clock wrong by %v it says %v, which is %v off", wrong, time.Unix(said, 0), off)
		}
	}
}
