package records

import (
	"errors"
	"testing"

	"munadi/store/driver"
	"munadi/store/record"
)

// lostRecord is a transaction whose queries find one record, which cannot be read.
type lostRecord struct {
	driver.Tx
	scans int
}

// Scan implements [driver.Tx]. A row that an index entry given whole leads to has no place in an order.
func (l *lostRecord) Scan(_ driver.Query, visit func(driver.Row) (bool, error)) error {
	if l.scans++; l.scans > 2 {
		return errors.New("it is scanned again and again")
	}
	_, err := visit(driver.Row{Err: errors.New("lost")})
	return err
}

// TestOneLostRecordEndsAQuery checks that a query for one record ends when that record is lost, with or without a limit.
func TestOneLostRecordEndsAQuery(t *testing.T) {
	t.Parallel()
	for limit := range 3 {
		tx, rows := &lostRecord{}, 0
		err := deliveries.visitAll(tx, driver.Query{Limit: limit}, func(driver.Row, record.DeliveryRecord) (bool, error) {
			rows++
			return true, nil
		})
		if err != nil || rows != 1 {
			t.Errorf("limit %d: %d rows, %v", limit, rows, err)
		}
	}
}
