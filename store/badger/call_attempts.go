package badger

import (
	"context"
	"strings"
	"time"
)

// CountAttempts implements [store.CallStore].
func (s *BadgerStore) CountAttempts(ctx context.Context, orgID, phone string, since, until time.Time) (int, error) {
	n := 0
	if !isKeyPart(orgID) || !isKeyPart(phone) {
		return 0, nil
	}
	last := encodeTime(until) + "/" + strings.Repeat(beyond, 2)
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		v.keysFrom(joinPrefix(kindCallDial, orgID, phone), encodeTime(since), func(rest string) bool {
			if rest > last {
				return false
			}
			n++
			return true
		})
		return nil
	})
	return n, err
}
