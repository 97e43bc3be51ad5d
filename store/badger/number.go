package badger

import (
	"encoding/binary"
	"fmt"

	"munadi/store"
)

// encodeCounter writes a counter's value.
func encodeCounter(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// decodeCounter reads one.
func decodeCounter(key, value []byte) (uint64, error) {
	if len(value) != 8 {
		return 0, &store.Error{
			Code: store.CodeCorrupt, Message: "a record cannot be read",
			Err: fmt.Errorf("counter %s has %d bytes", key, len(value)),
		}
	}
	return binary.BigEndian.Uint64(value), nil
}

// encodeRank writes a number into a key so that text order is its order.
func encodeRank(n uint64) string { return fmt.Sprintf("%016x", n) }
