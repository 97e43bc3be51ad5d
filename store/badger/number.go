package badger

import (
	"encoding/binary"
	"fmt"

	"munadi/store"
)

// encodeCounter encodes a counter's value.
func encodeCounter(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// decodeCounter decodes a counter's value.
func decodeCounter(key, value []byte) (uint64, error) {
	if len(value) != 8 {
		return 0, &store.Error{
			Code: store.CodeCorrupt, Message: "a record cannot be read",
			Err: fmt.Errorf("counter %s has %d bytes", key, len(value)),
		}
	}
	return binary.BigEndian.Uint64(value), nil
}
