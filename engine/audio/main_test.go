package audio_test

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"

	"munadi/engine/audio"
)

// TestMain lets this test binary run as a decoder process, or as one that misbehaves.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "decode-audio":
		exitCode(audio.RunHelper(os.Args[2:], os.Stdin, os.Stdout))
	case "hang":
		select {}
	case "die":
		os.Exit(3)
	case "babble":
		fmt.Println("this is not what was agreed on")
		os.Exit(0)
	case "confined":
		exitCode(attackSandbox(os.Args[2]))
	}
	os.Exit(m.Run())
}

func exitCode(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// attackSandbox does under the limits what a compromised decoder might do. It returns nil if that succeeded.
func attackSandbox(how string) error {
	if err := audio.ConfineDecoder(1); err != nil {
		return nil //nolint:nilerr // without limits everything works
	}
	switch how {
	case "file":
		_, err := os.Open("/etc/passwd")
		return err
	case "create":
		_, err := os.Create(os.TempDir() + "/munadi-audio-test")
		return err
	case "socket":
		_, err := net.Dial("udp", "127.0.0.1:9")
		return err
	case "program":
		return syscall.Exec("/bin/true", []string{"true"}, nil)
	case "memory":
		hog := make([][]byte, 0, 1024)
		for range 1024 {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			hog = append(hog, b)
		}
		return os.NewFile(uintptr(len(hog)), "").Close()
	case "time":
		for i := 0; ; i++ {
			if i < 0 {
				return nil
			}
		}
	}
	return nil
}
