package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/database"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/bucket"
	"munadi/store/call"
)

const (
	recordingsTime = 20 * time.Second // how long recordings are verified
	maxNamed       = 5                // damaged recordings that are named
)

// RecordingOpener opens recordings; every [blob.RecordingStore] is one.
type RecordingOpener interface {
	OpenRecording(ctx context.Context, name string) (blob.RecordingFile, error)
}

// recordingCheck is the state of CheckRecordings.
type recordingCheck struct {
	files             RecordingOpener
	verified, unknown int // unknown: of an older version, without a sum
	bad               []string
	missing           int
	oldest            time.Time // creation of the last verified call
	cut               bool      // the time was over
	err               error
}

// CheckRecordings verifies the recordings of calls by size and SHA-256, the latest first, as many as it can in 20
// seconds. elsewhere: missing ones may lie on other appliances.
func CheckRecordings(ctx context.Context, s store.Store, files RecordingOpener, elsewhere bool) admin.CheckFinding {
	f := admin.CheckFinding{Name: "call audio", State: admin.StateFailed}
	organizations, err := s.ListOrganizations(ctx)
	if err != nil {
		f.Text = err.Error()
		return f
	}
	c, end := recordingCheck{files: files}, time.Now().Add(recordingsTime)
	for i, o := range organizations {
		share := time.Until(end) / time.Duration(len(organizations)-i)
		part, cancel := context.WithTimeout(ctx, share)
		c.checkOrganization(part, s, o.ID)
		cancel()
	}
	if c.err != nil || ctx.Err() != nil {
		f.Text = errors.Join(c.err, ctx.Err()).Error()
		return f
	}
	if len(c.bad) == 0 && (c.missing == 0 || elsewhere) {
		f.State = admin.StateOK
	}
	f.Text = c.describe(elsewhere)
	return f
}

// checkOrganization verifies an organization's recordings until ctx ends.
func (c *recordingCheck) checkOrganization(ctx context.Context, s store.Store, orgID string) {
	for filter := (store.CallFilter{Limit: 200}); ; {
		page, err := s.CallsPage(ctx, orgID, filter)
		if err != nil && ctx.Err() == nil {
			c.err = errors.Join(c.err, err)
			return
		}
		for _, found := range page.Items {
			if found.Recording == "" || !found.Status.IsFinal() {
				continue
			}
			err := c.verifyRecording(ctx, found)
			if ctx.Err() != nil {
				break
			}
			if c.noteResult(found, err); c.err != nil {
				return
			}
		}
		if c.cut = c.cut || ctx.Err() != nil; c.cut || page.Next == "" {
			return
		}
		filter.Cursor = page.Next
	}
}

func (c *recordingCheck) verifyRecording(ctx context.Context, found call.Call) error {
	file, err := c.files.OpenRecording(ctx, found.Recording)
	if err != nil {
		return err
	}
	defer file.Close()
	if found.RecordingSum == nil {
		return nil
	}
	return new(blob.RecordingVerifier).VerifyRecording(stoppingFile{ctx, file}, found.Recording, *found.RecordingSum)
}

func (c *recordingCheck) noteResult(found call.Call, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist) || store.CodeOf(err) == store.CodeNotFound:
		c.missing++
	case errors.Is(err, blob.ErrDamaged):
		c.bad = append(c.bad, found.Recording)
	case err != nil:
		c.err = errors.Join(c.err, fmt.Errorf("recording %s: %w", found.Recording, err))
	case found.RecordingSum == nil:
		c.unknown++
	default:
		c.verified, c.oldest = c.verified+1, found.CreatedAt
	}
}

// describe says what was found.
func (c *recordingCheck) describe(elsewhere bool) string {
	text := fmt.Sprintf("%d recordings of calls are as they were written", c.verified)
	if c.cut {
		text += fmt.Sprintf(" (the latest, back to %s: as many as %v allow)", c.oldest.UTC().Format(time.DateOnly),
			recordingsTime)
	}
	if n := len(c.bad); n > 0 {
		text += fmt.Sprintf("; %d are damaged: %s: check the disk, and restore them from a backup", n,
			strings.Join(c.bad[:min(n, maxNamed)], ", "))
	}
	if c.missing > 0 && elsewhere {
		text += fmt.Sprintf("; %d are not on this machine", c.missing)
	} else if c.missing > 0 {
		text += fmt.Sprintf("; the files of %d are missing: restore them from a backup", c.missing)
	}
	if c.unknown > 0 {
		text += fmt.Sprintf("; %d of an older version have no checksum", c.unknown)
	}
	return text
}

// stoppingFile stops reading when its context ends.
type stoppingFile struct {
	ctx context.Context //nolint:containedctx // of one verification
	blob.RecordingFile
}

// Read implements io.Reader.
func (f stoppingFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.RecordingFile.Read(p)
}

// storedFiles are the recordings of the settings, without an appliance: on this disk, else in the bucket.
type storedFiles struct {
	local *blob.RecordingFolder // nil: there is none
	away  bucket.ObjectBucket   // nil: there is none
}

// OpenRecording implements [RecordingOpener].
func (f storedFiles) OpenRecording(ctx context.Context, name string) (blob.RecordingFile, error) {
	if f.local != nil {
		if file, err := f.local.OpenRecording(ctx, name); !errors.Is(err, fs.ErrNotExist) || f.away == nil {
			return file, err
		}
	}
	if f.away == nil {
		return nil, fs.ErrNotExist
	}
	return f.away.OpenObject(ctx, "recordings/"+name)
}

// checkStoredRecordings verifies the recordings of the settings.
func checkStoredRecordings(ctx context.Context, cfg *config.Config, s *database.Database) admin.CheckFinding {
	f := admin.CheckFinding{Name: "call audio", State: admin.StateFailed}
	var files storedFiles
	var err error
	dir := filepath.Join(cfg.Data, "recordings")
	if _, missing := os.Stat(dir); missing == nil { // opening it would create it
		if files.local, err = blob.OpenFolder(dir); err != nil {
			f.Text = err.Error()
			return f
		}
		defer func() { _ = files.local.Close() }()
	}
	if cfg.KeepsElsewhere() {
		if files.away, err = bucket.OpenBucket(cfg.Recordings, os.LookupEnv); err != nil {
			f.Text = err.Error()
			return f
		}
	}
	return CheckRecordings(ctx, s, files, s.Shared != nil && files.away == nil)
}
