package engine

import (
	"fmt"
	"os"
	"testing"

	"munadi/engine/audio"
)

// TestMain lets this test binary be the process that decodes Ogg recordings; see [audio.RunHelper].
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "decode-audio" {
		if err := audio.RunHelper(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
