package nemo

import (
	"encoding/binary"
	"fmt"
	"io"
)

func (u *tensorUnpickler) readByte() (byte, error) {
	b, err := u.readBytes(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// readBytes reads n bytes.
func (u *tensorUnpickler) readBytes(n int) ([]byte, error) {
	if u.read += n; u.read > maxPickle {
		return nil, errTooLarge
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(u.in, b); err != nil {
		return nil, fmt.Errorf("the pickle is truncated: %w", err)
	}
	return b, nil
}

// readUnsigned reads a little-endian unsigned integer of n bytes.
func (u *tensorUnpickler) readUnsigned(n int) (uint64, error) {
	b, err := u.readBytes(n)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(append(b, make([]byte, 8-n)...)), nil
}

func (u *tensorUnpickler) pushValue(v any) error {
	u.stack = append(u.stack, v)
	return nil
}

// pushContainer pushes a new tuple, list or dictionary, up to [maxContainers].
func (u *tensorUnpickler) pushContainer(v any) error {
	if u.containers++; u.containers > maxContainers {
		return errTooLarge
	}
	return u.pushValue(v)
}

func (u *tensorUnpickler) popValue() (any, error) {
	if len(u.stack) == 0 {
		return nil, errUnderflow
	}
	v := u.stack[len(u.stack)-1]
	u.stack = u.stack[:len(u.stack)-1]
	return v, nil
}

// topValue returns the top of the stack without popping it.
func (u *tensorUnpickler) topValue() (any, error) {
	if len(u.stack) == 0 {
		return nil, errUnderflow
	}
	return u.stack[len(u.stack)-1], nil
}

// popMarked pops the values pushed since the last mark, and the mark.
func (u *tensorUnpickler) popMarked() ([]any, error) {
	for i := len(u.stack) - 1; i >= 0; i-- {
		if _, ok := u.stack[i].(pickleMark); ok {
			items := append([]any(nil), u.stack[i+1:]...)
			u.stack = u.stack[:i]
			return items, nil
		}
	}
	return nil, errUnderflow
}

// popN pops the last n values.
func (u *tensorUnpickler) popN(n int) ([]any, error) {
	if len(u.stack) < n {
		return nil, errUnderflow
	}
	items := append([]any(nil), u.stack[len(u.stack)-n:]...)
	u.stack = u.stack[:len(u.stack)-n]
	return items, nil
}
