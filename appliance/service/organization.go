package service

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"munadi/store/account"
)

// maxOrganizationName is the longest name of an organization, in characters.
const maxOrganizationName = 200

// CreateOrganization adds an organization; an empty name defaults to the id. [store.CodeInvalid] for an invalid id,
// [store.CodeConflict] for one in use. actor is the actor of the first audit entry.
func (u *UseCases) CreateOrganization(ctx context.Context, actor, id, name string) (account.Organization, error) {
	made := account.Organization{ID: id, Name: cmp.Or(strings.TrimSpace(name), id), CreatedAt: u.now()}
	if utf8.RuneCountInString(made.Name) > maxOrganizationName {
		var found FieldViolations
		found.AddViolation("name", "must have at most %d characters", maxOrganizationName)
		return made, violationError(found...)
	}
	return made, u.Store.CreateOrganization(ctx, made, actor)
}

// RequireSecondFactor sets whether the users of the caller's organization must have a second factor.
func (u *UseCases) RequireSecondFactor(ctx context.Context, who Caller, required bool) error {
	return u.Store.RequireSecondFactor(ctx, who.OrgID, who.Actor, u.now(), required)
}
