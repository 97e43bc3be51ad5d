package records

import (
	"context"

	"munadi/store"
	"munadi/store/driver"
)

// findSetting returns an organization's setting of a kind; its zero value without one.
func findSetting[T any](ctx context.Context, s *Records, k kindOf[T], orgID string) (setting T, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		setting, _, err = k.find(tx, orgID)
		return err
	})
	return setting, err
}

// changeSetting is a read-modify-write of an organization's setting. The error of change is returned unchanged.
func changeSetting[T any](tx driver.Tx, k kindOf[T], orgID string, change func(*T) error) (setting T, err error) {
	if err = LockOrganization(tx, orgID); err != nil {
		return setting, err
	}
	if setting, _, err = k.find(tx, orgID); err != nil {
		return setting, err
	}
	return applyTo(tx, k, orgID, setting, change)
}

// changeState is [changeSetting] for what the appliance keeps for itself: one that cannot be read begins anew.
func changeState[T any](tx driver.Tx, k kindOf[T], orgID string, change func(*T) error) (state T, err error) {
	if err = LockOrganization(tx, orgID); err != nil {
		return state, err
	}
	state, _, err = k.find(tx, orgID)
	if store.CodeOf(err) == store.CodeCorrupt {
		var fresh T
		state, err = fresh, nil
	}
	if err != nil {
		return state, err
	}
	return applyTo(tx, k, orgID, state, change)
}

func applyTo[T any](tx driver.Tx, k kindOf[T], orgID string, one T, change func(*T) error) (T, error) {
	if err := change(&one); err != nil {
		return one, err
	}
	return one, k.put(tx, one, orgID)
}
