package service

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/siptrunk"
)

const maxTrunkPassword = 1000 // bytes

// TrunkRequest is a SIP trunk as an administrator sets it.
type TrunkRequest struct {
	siptrunk.Trunk        // its Password is not read
	Password       string // empty: the kept one stays, for the same address and user
	New            bool   // it is added; otherwise it replaces the one of its name
	Seen           Precondition[siptrunk.Setting]
}

// ChangeTrunk adds or replaces a SIP trunk of the installation. The fields of a [*ViolationError] are those of the
// setting sip-trunks and password; a [*ConflictError] when another change came first. CodeNotFound for one that is
// replaced, but not there.
func (u *UseCases) ChangeTrunk(ctx context.Context, actor string, r TrunkRequest) error {
	wanted := r.Trunk
	wanted.Password = nil
	if err := violationError(u.checkTrunk(r)...); err != nil {
		return err
	}
	if r.Password != "" {
		sealed, err := u.SealTrunkPassword(wanted, r.Password)
		if err != nil {
			return err
		}
		wanted.Password = sealed
	}
	return u.changeTrunks(ctx, actor, func(kept *siptrunk.Setting) error {
		if err := r.Seen.check(*kept); err != nil {
			return err
		}
		return r.replaceIn(kept, wanted)
	})
}

// replaceIn adds the wanted trunk, or puts it in place of the one of its name.
func (r TrunkRequest) replaceIn(kept *siptrunk.Setting, wanted siptrunk.Trunk) error {
	before, at := kept.Find(wanted.Name)
	switch {
	case r.New && at >= 0:
		return violationError(FieldViolation{Field: "name", Message: "is taken by another trunk"})
	case r.New && len(kept.Trunks) == siptrunk.MaxTrunks:
		return violationError(FieldViolation{Field: "name", Message: "there are 50 trunks, the most that are possible"})
	case !r.New && at < 0:
		return store.Errorf(store.CodeNotFound, "there is no trunk %q", wanted.Name)
	}
	isTaken := func(other siptrunk.Trunk) bool { return other.Name != wanted.Name && other.Listen == wanted.Listen }
	if wanted.Listen != "" && slices.ContainsFunc(kept.Trunks, isTaken) {
		return violationError(FieldViolation{Field: "listen", Message: "is the address of another trunk"})
	}
	if wanted.User != "" && wanted.Password == nil {
		if before.Password == nil || before.Address != wanted.Address || before.User != wanted.User {
			return violationError(FieldViolation{Field: "password", Message: "is required for this address and user"})
		}
		wanted.Password = before.Password
	}
	kept.Trunks = slices.Clone(kept.Trunks)
	if r.New {
		kept.Trunks = append(kept.Trunks, wanted)
	} else {
		kept.Trunks[at] = wanted
	}
	return nil
}

// checkTrunk returns the violations of a trunk.
func (u *UseCases) checkTrunk(r TrunkRequest) (found FieldViolations) {
	found = u.CheckTrunk(r.Trunk)
	switch {
	case len(r.Password) > maxTrunkPassword || strings.ContainsFunc(r.Password, unicode.IsControl):
		found.AddViolation("password", "must have at most 1000 bytes and no control characters")
	case r.Password != "" && r.User == "":
		found.AddViolation("user", "is required with a password")
	}
	return found
}

// RemoveTrunk removes a SIP trunk of the installation; its calls go on. CodeNotFound without it.
func (u *UseCases) RemoveTrunk(ctx context.Context, actor, name string) error {
	return u.changeTrunks(ctx, actor, func(kept *siptrunk.Setting) error {
		_, at := kept.Find(name)
		if at < 0 {
			return store.Errorf(store.CodeNotFound, "there is no trunk %q", name)
		}
		kept.Trunks = slices.Delete(slices.Clone(kept.Trunks), at, at+1)
		return nil
	})
}

func (u *UseCases) changeTrunks(ctx context.Context, actor string, change func(*siptrunk.Setting) error) error {
	err := u.Store.ChangeTrunks(ctx, account.Default, actor, u.now().Truncate(time.Millisecond), change)
	if err == nil && u.TrunksChanged != nil {
		u.TrunksChanged()
	}
	return err
}
