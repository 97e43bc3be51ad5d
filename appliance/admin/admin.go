// Package admin executes the operator's commands that need the database: in the running appliance, through its admin
// socket (a unix socket in the data folder), or on the database itself when no appliance runs on it.
//
// Only one process can have the database open, and callers need not know which: [OpenAdmin] chooses. [LocalAdmin] works
// on the open database; [NewHandler] serves a LocalAdmin on the socket, and [AdminService] calls either. Each operation
// is declared once, in the tables of operation.go, with its request, its answer and what executes it. Access to the
// socket (0600, in a folder of the appliance's user) is full control of the appliance; there is no other credential. It
// is not reachable over the network.
//
// The package depends on the store and auth, not on the HTTP APIs or the commands' output.
package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"munadi/store/account"
	"munadi/store/call"
)

// AdminService executes operations on the open database or in the running appliance. Errors are the store's, see
// [store.CodeOf].
type AdminService struct {
	local  *LocalAdmin  // nil: in the running appliance
	client *http.Client // of its socket
}

// CreateKey creates an API key and returns its record and the key itself, which cannot be shown again. CodeNotFound
// without the organization, CodeInvalid for an invalid name or scope.
func (s AdminService) CreateKey(ctx context.Context, orgID, name string, scopes []string) (KeyView, string, error) {
	made, err := createKey.run(ctx, s, newKeyRequest{orgID, name, scopes})
	return made.Key, made.Plain, err
}

// ListKeys lists an organization's keys, oldest first; all organizations' for an empty id. CodeNotFound without it.
func (s AdminService) ListKeys(ctx context.Context, orgID string) ([]KeyView, error) {
	return listKeys.run(ctx, s, orgID)
}

// RevokeKey revokes a key at once. CodeNotFound without it.
func (s AdminService) RevokeKey(ctx context.Context, id string) (KeyView, error) {
	return revokeKey.run(ctx, s, id)
}

// CreateOrganization adds an organization; an empty name defaults to the id. CodeInvalid for an invalid id,
// CodeConflict for one in use.
func (s AdminService) CreateOrganization(ctx context.Context, id, name string) (account.Organization, error) {
	return createOrganization.run(ctx, s, account.Organization{ID: id, Name: name})
}

// ListOrganizations lists all, sorted by id.
func (s AdminService) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	return listOrganizations.run(ctx, s, nothing{})
}

// CreateUser adds a console user. CodeNotFound without the organization, CodeInvalid for an invalid name, role or
// password, CodeConflict for a name in use.
func (s AdminService) CreateUser(
	ctx context.Context, orgID, name string, role account.UserRole, password string,
) (UserView, error) {
	return createUser.run(ctx, s, userRequest{orgID, name, role, password})
}

// ListUsers lists an organization's users, by name; all for an empty id.
func (s AdminService) ListUsers(ctx context.Context, orgID string) ([]UserView, error) {
	return listUsers.run(ctx, s, orgID)
}

// SetPassword sets a user's password and ends its sessions. CodeNotFound without it.
func (s AdminService) SetPassword(ctx context.Context, name, password string) (UserView, error) {
	return setPassword.run(ctx, s, userRequest{Name: name, Password: password})
}

// RemoveSecondFactor removes a user's second factor and ends its sessions. CodeNotFound without the user, CodeConflict
// without a second factor.
func (s AdminService) RemoveSecondFactor(ctx context.Context, name string) (UserView, error) {
	return removeSecondFactor.run(ctx, s, userRequest{Name: name})
}

// VerifyAudit verifies the audit log of every organization, by id.
func (s AdminService) VerifyAudit(ctx context.Context) ([]AuditReport, error) {
	return verifyAudit.run(ctx, s, nothing{})
}

// FindTrace returns the line trace of a call of any organization. CodeNotFound without the call.
func (s AdminService) FindTrace(ctx context.Context, callID string) (call.LineTrace, error) {
	return findTrace.run(ctx, s, callID)
}

// WriteBackup writes a consistent snapshot of the database; an incomplete one lacks its end marker, which its reader
// detects.
func (s AdminService) WriteBackup(ctx context.Context, w io.Writer) error {
	if s.local != nil {
		return s.local.store.WriteBackup(ctx, w)
	}
	return s.copyAnswer(ctx, "/backup", w)
}

// copyAnswer writes what the appliance answers to a GET.
func (s AdminService) copyAnswer(ctx context.Context, path string, w io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://appliance"+path, nil)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return decodeRefusal(response.Status, json.NewDecoder(io.LimitReader(response.Body, maxAnswer)))
	}
	_, err = io.Copy(w, response.Body)
	return err
}

// Close closes the connection or the database.
func (s AdminService) Close() error {
	if s.local != nil {
		return s.local.close()
	}
	s.client.CloseIdleConnections()
	return nil
}
