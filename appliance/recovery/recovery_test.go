package recovery_test

import (
	"errors"
	"strings"
	"testing"

	"munadi/appliance/recovery"
)

func TestPanic(t *testing.T) {
	t.Parallel()
	own := errors.New("own")
	if err := recovery.RecoverPanic(func() error { return own }); !errors.Is(err, own) {
		t.Errorf("an error became %v", err)
	}
	if err := recovery.RecoverPanic(func() error { return nil }); err != nil {
		t.Errorf("nothing became %v", err)
	}
	var list []int
	err := recovery.RecoverPanic(func() error { list[3]++; return nil })
	if err == nil || !strings.Contains(err.Error(), "index out of range") || !strings.Contains(err.Error(), "recovery_test.go:") {
		t.Errorf("a panic became %v", err)
	}
}
