package console

import (
	"context"

	"munadi/store"
	"munadi/store/org"
)

// issue makes a key, which the next page shows once, and notes it in the audit trail.
func (s *Service) issue(ctx context.Context, v visitor, name string, scopes []org.Scope) error {
	key, plain, err := s.Keys.Issue(ctx, v.Org.ID, name, scopes)
	if err != nil {
		return err
	}
	s.once.put(v.Session, onceKey, plain)
	return s.Store.Note(ctx, v.Org.ID, store.Change{
		At: s.Now().UTC(), Actor: v.actor(), Action: "key.create", Subject: key.Prefix, Note: name + ": " + org.Join(scopes),
	})
}
