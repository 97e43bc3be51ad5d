package admin

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/bucket"
	"munadi/store/spool"
)

// ExportPerson writes all that an organization stores of the person with a number as a ZIP archive, see
// [service.UseCases.ExportPerson]. A number without a country code is one of the organization's country. CodeInvalid of
// a text that is no number, CodeNotFound of a person who was never called. What an error leaves behind is not whole.
func (s AdminService) ExportPerson(ctx context.Context, orgID, number string, w io.Writer) error {
	if s.local != nil {
		return s.local.exportPerson(ctx, orgID, number, w)
	}
	return s.copyAnswer(ctx, "/people/export?"+url.Values{"org": {orgID}, "number": {number}}.Encode(), w)
}

func (l *LocalAdmin) exportPerson(ctx context.Context, orgID, text string, w io.Writer) error {
	if _, err := l.store.FindOrganization(ctx, orgID); err != nil {
		return err
	}
	memory, err := l.store.FindImportMemory(ctx, orgID)
	if err != nil {
		return err
	}
	rules, err := l.store.FindRules(ctx, orgID)
	if err != nil {
		return err
	}
	number, ok := contactfile.NormalizeNumber(text, contactfile.ChooseRegion(memory.Region, rules))
	if !ok {
		return store.Errorf(store.CodeInvalid, "%q is no telephone number; write it like +966512345601", text)
	}
	files, err := l.recordings()
	if err != nil {
		return err
	}
	cases := service.UseCases{
		Store: l.store, Recordings: files, Verifier: &blob.RecordingVerifier{}, Now: time.Now,
	}
	ctx, _ = store.CollectDamage(ctx)
	err = cases.ExportPerson(ctx, service.Caller{OrgID: orgID, Actor: actor}, number, func() {}, w)
	if store.CodeOf(err) == store.CodeNotFound {
		return store.Errorf(store.CodeNotFound, "%s was never called and is not suppressed", number)
	}
	return err
}

// servePerson answers with an export.
func (l *LocalAdmin) servePerson(w http.ResponseWriter, r *http.Request) {
	serveFile(r.Context(), w, func(ctx context.Context, w io.Writer) error {
		return l.exportPerson(ctx, r.URL.Query().Get("org"), r.URL.Query().Get("number"), w)
	})
}

// openRecordings opens the recordings of calls as the appliance does: those of the data folder, and of the bucket.
func openRecordings(cfg *config.Config) (service.RecordingFiles, error) {
	folder := filepath.Join(cfg.Data, "recordings")
	if !cfg.KeepsElsewhere() {
		return blob.OpenFolder(folder)
	}
	objects, err := bucket.OpenBucket(cfg.Recordings, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.DiscardHandler)
	return spool.OpenSpool(spool.Options{
		Dir: folder, Bucket: &spool.SharedBucket{ObjectBucket: objects, Data: cfg.Data, Log: log},
		Prefix: "recordings/", Waveforms: "waveforms/", Log: log,
	})
}
