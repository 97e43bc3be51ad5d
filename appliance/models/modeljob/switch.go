package modeljob

import (
	"context"

	"munadi/appliance/models"
	"munadi/store"
)

// UseModel makes the appliance serve with an installed model, or with the built-in one if name is empty, without a
// restart. If the model can't be opened the serving one is kept.
func (w *ModelWorker) UseModel(ctx context.Context, name, orgID, actor string) error {
	if name != "" && w.Models.CheckInstalled(name) != nil {
		return ErrNoModel
	}
	return w.switchModel(ctx, name, orgID, actor)
}

func (w *ModelWorker) switchModel(ctx context.Context, name, orgID, actor string) error {
	if w.Fixed() != "" {
		return ErrFixed
	}
	w.switching.Lock()
	defer w.switching.Unlock()
	if err := w.comparison.closeEngine(); err != nil { // at most two models are open at once
		return err
	}
	e := store.AuditEntry{At: w.Now().UTC(), Actor: actor, Action: "model.use", Subject: name}
	if name == "" {
		e.Subject = models.BuiltIn
	}
	if _, err := w.Models.SwitchModel(name, w.Reload); err != nil {
		return err
	}
	return w.AddAudit(ctx, orgID, e)
}

// FollowSelection serves with a model that was selected on another appliance, whose audit log names the actor; an empty
// name is the built-in one.
func (w *ModelWorker) FollowSelection(name string) error {
	if w.Fixed() != "" {
		return ErrFixed
	}
	w.switching.Lock()
	defer w.switching.Unlock()
	if err := w.comparison.closeEngine(); err != nil {
		return err
	}
	_, err := w.Models.SwitchModel(name, w.Reload)
	return err
}

// RemoveModel deletes an installed model that is not in use.
func (w *ModelWorker) RemoveModel(ctx context.Context, name, orgID, actor string) error {
	if w.Models.CheckInstalled(name) != nil {
		return ErrNoModel
	}
	w.switching.Lock()
	defer w.switching.Unlock()
	if err := w.comparison.closeEngine(); err != nil {
		return err
	}
	if current, err := w.Models.CurrentModel(); err == nil && current == w.Models.Folder(name) {
		return ErrInUse
	}
	if fixed := w.Fixed(); fixed != "" && w.Models.IsFolderOf(fixed, name) {
		return ErrInUse
	}
	users, err := w.UsedBy(ctx, name)
	if err != nil {
		return err
	}
	if len(users) > 0 {
		return ErrInUse
	}
	if err := w.Models.Remove(name); err != nil {
		return err
	}
	w.Share.WakeUp()
	return w.AddAudit(ctx, orgID, store.AuditEntry{At: w.Now().UTC(), Actor: actor, Action: "model.remove", Subject: name})
}
