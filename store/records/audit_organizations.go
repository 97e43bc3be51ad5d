package records

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// The place of the sealed list of organizations among the heads of audit trails; no organization has such an id. An
// organization that is removed by hand takes its trail with it, but not its place in the list.
const (
	listOwner = "*"
	listLane  = "organizations"
)

// enrollOrganizations adds organizations to the sealed list of them. One that is created although the list has it was
// removed by hand before, which the list keeps.
func enrollOrganizations(tx driver.Tx, now time.Time, created bool, ids ...string) error {
	if err := tx.LockNames([]string{"audit", listOwner}); err != nil {
		return err
	}
	list, found, err := auditHeads.get(tx, driver.RowLock, []string{listOwner, listLane})
	damaged := store.IsUnreadable(err)
	if err != nil && !damaged {
		return err
	}
	all := append(slices.Clone(list.Organizations), ids...)
	slices.Sort(all)
	all = slices.Compact(all)
	known := len(all) == len(list.Organizations)
	if found && known && !created {
		return nil
	}
	switch {
	case damaged:
		list = record.AuditHead{Began: now, Broken: &now}
	case !found:
		list = record.AuditHead{Began: now}
	case list.Broken == nil && (known || !fitsList(tx, list)):
		list.Broken = &now
	}
	list.Organizations, list.Seq, list.Hash = all, uint64(len(all)), hashList(all)
	list.Seal = record.SealHead(tx.AuditKey(), listOwner, listLane, list)
	return auditHeads.put(tx, list, listOwner, listLane)
}

// hashList returns the hash of a list of organizations; an id has no space.
func hashList(ids []string) []byte {
	return record.HashAudit(nil, listOwner, listLane, uint64(len(ids)), []byte(strings.Join(ids, " ")))
}

// fitsList reports whether the list of organizations is as it was sealed.
func fitsList(tx driver.Tx, list record.AuditHead) bool {
	return record.FitsSeal(tx.AuditKey(), listOwner, listLane, list) &&
		bytes.Equal(list.Hash, hashList(list.Organizations))
}

// VerifyOrganizations implements [store.AuditStore].
func (s *Records) VerifyOrganizations(ctx context.Context) (map[string]string, error) {
	return read(ctx, s, func(tx driver.Tx) (map[string]string, error) {
		list, found, err := auditHeads.find(tx, listOwner, listLane)
		faults := map[string]string{}
		switch {
		case store.IsUnreadable(err), err == nil && !found:
			faults[store.AllOrganizations] = "their list is missing or cannot be read; after an upgrade it is made at " +
				"the first start"
			return faults, nil
		case err != nil:
			return nil, err
		case !fitsList(tx, list):
			faults[store.AllOrganizations] = "their list was changed: it does not fit its seal"
		case list.Broken != nil:
			faults[store.AllOrganizations] = "one or their list was removed or changed by hand before " +
				formatTime(*list.Broken)
		}
		there, err := organizations.list(tx, driver.Query{})
		for _, o := range there {
			list.Organizations = slices.DeleteFunc(list.Organizations, func(id string) bool { return id == o.ID })
		}
		for _, id := range list.Organizations {
			faults[id] = "the organization was removed from the database by hand: its entries are missing, or belong to nobody"
		}
		return faults, err
	})
}
