package scheduler

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// rescueCalls is crash recovery: it fails the calls that were running when the process died, and repairs their
// recordings. It runs before the first release, when no call holds a line.
func (s *Scheduler) rescueCalls(ctx context.Context) error {
	calls, err := s.Store.RescueCalls(ctx, time.Now())
	if err != nil {
		return fmt.Errorf("the calls that were running cannot be ended: %w", err)
	}
	for _, c := range calls {
		s.Log.Warn("a call was cut off by a stop of the appliance", "call_id", c.ID, "org", c.OrgID)
		if c.Recording == "" || s.Mend == nil {
			continue
		}
		if err := s.Mend(ctx, c.Recording); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Log.Error("a recording cannot be repaired", "call_id", c.ID, "err", err)
		}
	}
	return nil
}
