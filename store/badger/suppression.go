package badger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
)

// Suppression implements [store.Dialling].
func (s *Store) Suppression(
	ctx context.Context, orgID, phone string, now time.Time,
) (*dialling.Suppression, error) {
	var entry *dialling.Suppression
	err := s.read(ctx, func(v view) (err error) {
		entry, err = edit{v, &changes{}}.suppression(orgID, phone)
		return err
	})
	if err != nil || entry == nil || !entry.Active(now) {
		return nil, err
	}
	return entry, nil
}

// suppression is the entry for a number, active or not; nil without one.
func (e edit) suppression(orgID, phone string) (*dialling.Suppression, error) {
	if !plain(orgID) || !plain(phone) {
		return nil, nil
	}
	var entry dialling.Suppression
	found, err := e.get(key(kindSuppression, orgID, phone), &entry)
	if err != nil || !found {
		return nil, err
	}
	return &entry, nil
}

// Suppressions implements [store.Dialling].
func (s *Store) Suppressions(
	ctx context.Context, orgID string, limit int, after string,
) (store.Page[dialling.Suppression], error) {
	page := store.Page[dialling.Suppression]{Items: []dialling.Suppression{}}
	if err := checkLimit(limit); err != nil || !plain(orgID) {
		return page, err
	}
	names := []string{"suppressions", orgID}
	from, err := placeOfCursor(names, after)
	if err != nil {
		return page, err
	}
	err = s.read(ctx, func(v view) error {
		return eachFrom(v, prefix(kindSuppression, orgID), from, func(number string, value []byte) (bool, error) {
			switch {
			case number == from:
				return true, nil
			case len(page.Items) == limit:
				page.Next = cursor(names, page.Items[limit-1].PhoneNumber)
				return false, nil
			}
			var entry dialling.Suppression
			err := decode([]byte(number), value, &entry)
			page.Items = append(page.Items, entry)
			return err == nil, err
		})
	})
	return page, err
}

// suppressBatch is how many entries one transaction adds.
const suppressBatch = 500

// Suppress implements [store.Dialling]. A long list is made in parts of [suppressBatch], each whole and on the audit
// trail; whoever is told of an error may give the list again.
func (s *Store) Suppress(ctx context.Context, entries []dialling.Suppression, actor string, now time.Time) error {
	for _, entry := range entries {
		if !plain(entry.PhoneNumber) {
			return store.Errorf(store.CodeInvalid, "a suppression needs a number without '/'")
		}
	}
	for part := range slices.Chunk(entries, suppressBatch) {
		if err := s.edit(ctx, func(e edit) error { return e.suppress(part, actor, now) }); err != nil {
			return err
		}
	}
	return nil
}

// suppress adds entries, with a line of the audit trail for each organization that has some.
func (e edit) suppress(entries []dialling.Suppression, actor string, now time.Time) error {
	numbers, owners := map[string][]string{}, []string{}
	for _, entry := range entries {
		if numbers[entry.OrgID] == nil {
			if err := e.needOrganization(entry.OrgID); err != nil {
				return err
			}
			owners = append(owners, entry.OrgID)
		}
		numbers[entry.OrgID] = append(numbers[entry.OrgID], entry.PhoneNumber)
		e.put(key(kindSuppression, entry.OrgID, entry.PhoneNumber), entry)
	}
	for _, owner := range owners {
		subject := call.Mask(numbers[owner][0])
		if n := len(numbers[owner]); n > 1 {
			subject = fmt.Sprintf("%d numbers", n)
		}
		line := store.Change{At: now, Actor: actor, Action: "suppression.put", Subject: subject}
		if err := e.audit(owner, line); err != nil {
			return err
		}
	}
	return nil
}

// suppressInCall adds what a person asked for in a call, for that call's number where none is said.
func (e edit) suppressInCall(entry dialling.Suppression, c call.Call, now time.Time) error {
	entry.OrgID = c.OrgID
	if entry.PhoneNumber == "" {
		entry.PhoneNumber = c.PhoneNumber
	}
	if !plain(entry.PhoneNumber) {
		return store.Errorf(store.CodeInvalid, "a suppression needs a number without '/'")
	}
	return e.suppress([]dialling.Suppression{entry}, byCaller, now)
}

// Unsuppress implements [store.Dialling].
func (s *Store) Unsuppress(ctx context.Context, orgID, phone, actor string, now time.Time) error {
	return s.edit(ctx, func(e edit) error {
		entry, err := e.suppression(orgID, phone)
		if err != nil {
			return err
		}
		if entry == nil {
			return store.Errorf(store.CodeNotFound, "this number is not suppressed")
		}
		e.drop(key(kindSuppression, orgID, phone))
		line := store.Change{At: now, Actor: actor, Action: "suppression.delete", Subject: call.Mask(phone)}
		return e.audit(orgID, line)
	})
}
