package admin

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/evidence"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/record"
	"munadi/store/scenario"
)

// actor is the actor of commands in the audit trail.
const actor = "command line"

// LocalAdmin executes the operations on an open database.
type LocalAdmin struct {
	auth     *auth.KeyVerifier
	accounts *auth.AccountService
	store    store.Store
	signer   evidence.SigningKey
	cases    *service.UseCases   // of the running appliance; nil without one
	builtIn  []scenario.Scenario // without a running appliance
	models   func() []string     // installed speech models, without a running appliance
	close    func() error

	recordings func() (service.RecordingFiles, error) // of calls
}

// NewLocal returns a LocalAdmin over an open store. a must be the verifier of requests, so that a revocation takes
// effect at once.
func NewLocal(a *auth.KeyVerifier, s store.Store) *LocalAdmin {
	return &LocalAdmin{
		auth: a, accounts: a.NewAccountService(s), store: s, signer: evidence.NewSigningKey(a.SigningSeed()),
	}
}

// WithRecordings reads recordings of calls from files.
func (l *LocalAdmin) WithRecordings(files service.RecordingFiles) *LocalAdmin {
	l.recordings = func() (service.RecordingFiles, error) { return files, nil }
	return l
}

// WithAccounts uses the account service of the console, so that a new password ends a lockout.
func (l *LocalAdmin) WithAccounts(accounts *auth.AccountService) *LocalAdmin {
	l.accounts = accounts
	return l
}

// KeyView is an API key for display, without its hash.
type KeyView struct {
	ID         string             `json:"id"`
	OrgID      string             `json:"org"`
	Name       string             `json:"name"`
	Prefix     string             `json:"prefix"`
	Scopes     []account.KeyScope `json:"scopes"`
	CreatedAt  time.Time          `json:"created_at"`
	LastUsedAt *time.Time         `json:"last_used_at"`
	RevokedAt  *time.Time         `json:"revoked_at"`
}

// newKeyView returns a key without its hash.
func newKeyView(k account.APIKey) KeyView {
	return KeyView{
		ID: k.ID, OrgID: k.OrgID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes,
		CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
	}
}

// newKeyRequest is the request for a new API key.
type newKeyRequest struct {
	OrgID  string   `json:"org"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes"`
}

// newKeyAnswer is a new API key.
type newKeyAnswer struct {
	Key   KeyView `json:"key"`
	Plain string  `json:"plain"`
}

func (l *LocalAdmin) createKey(ctx context.Context, q newKeyRequest) (newKeyAnswer, error) {
	cases := service.UseCases{Keys: l.auth}
	key, plain, err := cases.CreateKey(ctx, service.Caller{OrgID: q.OrgID, Actor: actor}, q.Name, q.Scopes)
	return newKeyAnswer{newKeyView(key), plain}, err
}

func (l *LocalAdmin) listKeys(ctx context.Context, orgID string) ([]KeyView, error) {
	owners, err := l.listOwners(ctx, orgID)
	if err != nil {
		return nil, err
	}
	all := []KeyView{}
	for _, owner := range owners {
		keys, err := l.store.ListKeys(ctx, owner.ID)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			all = append(all, newKeyView(k))
		}
	}
	return all, nil
}

// listOwners returns the organization of that id, or all for an empty one.
func (l *LocalAdmin) listOwners(ctx context.Context, orgID string) ([]account.Organization, error) {
	if orgID == "" {
		return l.store.ListOrganizations(ctx)
	}
	owner, err := l.store.FindOrganization(ctx, orgID)
	return []account.Organization{owner}, err
}

func (l *LocalAdmin) revokeKey(ctx context.Context, id string) (KeyView, error) {
	key, err := l.auth.RevokeKey(ctx, id, actor)
	return newKeyView(key), err
}

func (l *LocalAdmin) createOrganization(ctx context.Context, q account.Organization) (account.Organization, error) {
	cases := service.UseCases{Store: l.store, Now: time.Now}
	return cases.CreateOrganization(ctx, actor, q.ID, q.Name)
}

func (l *LocalAdmin) listOrganizations(ctx context.Context, _ nothing) ([]account.Organization, error) {
	return l.store.ListOrganizations(ctx)
}

// UserView is a console user for display, without the password hash.
type UserView struct {
	ID           string           `json:"id"`
	OrgID        string           `json:"org"`
	Name         string           `json:"name"`
	Role         account.UserRole `json:"role"`
	CreatedAt    time.Time        `json:"created_at"`
	LastSignInAt *time.Time       `json:"last_sign_in_at"`
	DisabledAt   *time.Time       `json:"disabled_at"`
	SecondFactor bool             `json:"second_factor"` // whether one is set up
}

// viewUser returns a user without the password hash.
func viewUser(u account.User) UserView {
	return UserView{
		ID: u.ID, OrgID: u.OrgID, Name: u.Name, Role: u.Role,
		CreatedAt: u.CreatedAt, LastSignInAt: u.LastSignInAt, DisabledAt: u.DisabledAt,
		SecondFactor: u.SecondFactor != nil,
	}
}

// userRequest is the request for a new user, or for a new password of one.
type userRequest struct {
	OrgID    string           `json:"org"`
	Name     string           `json:"name"`
	Role     account.UserRole `json:"role"`
	Password string           `json:"password"`
}

func (l *LocalAdmin) createUser(ctx context.Context, q userRequest) (UserView, error) {
	u, err := l.accounts.InviteUser(ctx, q.OrgID, q.Name, q.Role, q.Password, actor)
	return viewUser(u), markWeakPassword(err)
}

func (l *LocalAdmin) listUsers(ctx context.Context, orgID string) ([]UserView, error) {
	if _, err := l.listOwners(ctx, orgID); err != nil {
		return nil, err
	}
	all := []UserView{}
	users, err := l.store.ListUsers(ctx, orgID)
	for _, u := range users {
		all = append(all, viewUser(u))
	}
	return all, err
}

func (l *LocalAdmin) setPassword(ctx context.Context, q userRequest) (UserView, error) {
	u, err := l.store.UserByName(ctx, q.Name)
	if err != nil {
		return UserView{}, err
	}
	return viewUser(u), markWeakPassword(l.accounts.SetPassword(ctx, u, q.Password, actor, nil))
}

// removeSecondFactor removes the second factor of the user that q names.
func (l *LocalAdmin) removeSecondFactor(ctx context.Context, q userRequest) (UserView, error) {
	u, err := l.store.UserByName(ctx, q.Name)
	if err == nil {
		err = l.accounts.RemoveSecondFactor(ctx, u, actor)
	}
	u.SecondFactor = nil
	return viewUser(u), err
}

// markWeakPassword converts a WeakPassword into a store error with a code, which the socket's protocol can transfer.
func markWeakPassword(err error) error {
	if w, ok := errors.AsType[*auth.WeakPassword](err); ok {
		return store.Errorf(store.CodeInvalid, "%v", w)
	}
	return err
}

// AuditReport is the verification of one organization's audit log.
type AuditReport struct {
	OrgID string `json:"org"`
	store.AuditVerification
}

func (l *LocalAdmin) verifyAudit(ctx context.Context, _ nothing) ([]AuditReport, error) {
	return VerifyTrails(ctx, l.store)
}

// VerifyTrails verifies the audit log of every organization.
func VerifyTrails(ctx context.Context, s store.Store) ([]AuditReport, error) {
	orgs, err := s.ListOrganizations(ctx)
	if err != nil {
		return nil, err
	}
	all := []AuditReport{}
	for _, o := range orgs {
		found, err := s.VerifyAudit(ctx, o.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, AuditReport{o.ID, found})
	}
	faults, err := s.VerifyOrganizations(ctx)
	for _, id := range slices.Sorted(maps.Keys(faults)) {
		all = append(all, AuditReport{id, store.AuditVerification{Fault: faults[id]}})
	}
	return all, err
}

// findTrace finds the line trace of a call of any organization.
func (l *LocalAdmin) findTrace(ctx context.Context, callID string) (call.LineTrace, error) {
	orgs, err := l.store.ListOrganizations(ctx)
	if err != nil {
		return call.LineTrace{}, err
	}
	for _, o := range orgs {
		trace, err := l.store.FindTrace(ctx, o.ID, callID)
		if store.CodeOf(err) != store.CodeNotFound {
			return trace, err
		}
	}
	return call.LineTrace{}, record.NoCall(callID)
}
