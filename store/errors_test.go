package store_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"munadi/store"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	caused := &store.Error{Code: store.CodeCorrupt, Message: "a record cannot be read", Err: io.ErrUnexpectedEOF}
	for _, c := range []struct {
		err  error
		want store.ErrorCode
	}{
		{nil, ""},
		{io.EOF, store.CodeInternal},
		{store.Errorf(store.CodeNotFound, "no key %q", "k"), store.CodeNotFound},
		{fmt.Errorf("auth: %w", store.Errorf(store.CodeConflict, "taken")), store.CodeConflict},
		{caused, store.CodeCorrupt},
	} {
		if got := store.CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
	if !errors.Is(caused, io.ErrUnexpectedEOF) || caused.Error() != "a record cannot be read: unexpected EOF" {
		t.Errorf("the cause is lost: %v", caused)
	}
}
