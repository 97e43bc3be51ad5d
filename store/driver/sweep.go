package driver

import (
	"context"

	"munadi/store"
)

// RunSweep is the [Driver.Sweep] of a driver: transactions of at most a number of records, quartered when a batch does
// not fit. They may use the reserve of a full disk, since sweeps free space.
func RunSweep(ctx context.Context, d Driver, b Batch, most int) error {
	for {
		n, more := 0, true
		if b.Find != nil {
			err := d.Read(ctx, func(tx Tx) (err error) {
				more, err = b.Find(tx, most)
				return err
			})
			if err != nil || !more {
				return err
			}
		}
		err := d.Update(ctx, func(tx Tx) (err error) {
			tx.MarkUrgent()
			n, err = b.Change(tx, most)
			return err
		})
		switch {
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		case err != nil || n == 0:
			return err
		default:
			b.Done()
		}
	}
}
