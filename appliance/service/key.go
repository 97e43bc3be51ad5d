package service

import (
	"context"

	"munadi/store/account"
)

// CreateKey creates an API key and returns its record and the key itself, which cannot be shown again.
func (u *UseCases) CreateKey(
	ctx context.Context, who Caller, name string, scopes []string,
) (account.APIKey, string, error) {
	var found FieldViolations
	parsed, err := account.ParseScopes(scopes)
	if err != nil {
		found.AddViolation("scopes", "%s", err.Error())
	}
	if err := account.CheckKeyName(name); err != nil {
		found.AddViolation("name", "%s", err.Error())
	}
	if err := violationError(found...); err != nil {
		return account.APIKey{}, "", err
	}
	return u.Keys.IssueKey(ctx, who.OrgID, name, parsed, who.Actor)
}

// RevokeKey revokes a key of the organization at once.
func (u *UseCases) RevokeKey(ctx context.Context, who Caller, id string) (account.APIKey, error) {
	return u.Keys.RevokeOwn(ctx, who.OrgID, id, who.Actor)
}
