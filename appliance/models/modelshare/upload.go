package modelshare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"munadi/engine/checksum"
	"munadi/engine/model"
)

// UploadItem uploads an installed model and writes its record, unless the bucket has the same. A model of that name
// that is unknown here is replaced only by one that was installed after its removal here.
func (r *shareRound) UploadItem(ctx context.Context, name string) error {
	here, err := r.hashModel(ctx, name)
	there, isThere := r.index[name]
	switch {
	case err != nil:
		return r.reportModelFault(ctx, name, err)
	case isThere && here.Revision == there.Revision:
		return errors.Join(r.recordSeen(name, there.Revision), r.Models.ForgetRemoved(name))
	case isThere && !slices.Contains(r.Models.RemovedNames(), name):
		r.addProblem(ShareProblem{Kind: NameInUse, Model: name})
		return nil
	}
	return r.uploadRecord(ctx, here)
}

// SettleItem implements [mirror.ItemMover].
func (r *shareRound) SettleItem(ctx context.Context, name string) error {
	return r.UploadItem(ctx, name)
}

// reportModelFault reports a fault of one model, so that the others are shared nevertheless; the end of the context
// ends the round.
func (r *shareRound) reportModelFault(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.addProblem(ShareProblem{Kind: NotShared, Model: name, Detail: err.Error()})
	return nil
}

// hashModel returns the record of an installed model, whose files must not be damaged. Their list of checksums is not
// shared: the record holds them.
func (r *shareRound) hashModel(ctx context.Context, name string) (ModelRecord, error) {
	record := ModelRecord{Name: name, At: r.Now().UTC()}
	if _, _, err := checksum.VerifyFolder(r.Models.Folder(name), model.MappedMark); err != nil {
		return record, err
	}
	entries, err := os.ReadDir(r.Models.Folder(name))
	if err != nil {
		return record, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == checksum.ListFile {
			continue
		}
		f, err := hashFile(ctx, filepath.Join(r.Models.Folder(name), e.Name()))
		if err != nil {
			return record, err
		}
		if !validFile.MatchString(f.Name) {
			return record, errors.New("the name of its file " + f.Name + " has characters other than letters, digits, . _ + -")
		}
		record.Files = append(record.Files, f)
	}
	if len(record.Files) == 0 || len(record.Files) > maxFiles || record.Bytes() > maxBytes {
		return record, errors.New("it has no files, or too many")
	}
	record.Revision = revisionOf(record.Files)
	return record, nil
}

// hashFile returns name, size and SHA-256 of a file.
func hashFile(ctx context.Context, path string) (SharedFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return SharedFile{}, err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, &contextReader{ctx, file, nil})
	return SharedFile{Name: filepath.Base(path), Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// uploadRecord uploads the files of an installed model, then its record.
func (r *shareRound) uploadRecord(ctx context.Context, record ModelRecord) error {
	r.Log.Info("uploading a model to the bucket", "model", record.Name, "bytes", record.Bytes())
	stop := r.beginTransfer(record, true)
	defer stop()
	for _, f := range record.Files {
		if err := r.uploadFile(ctx, record, f); err != nil {
			return err
		}
	}
	if err := writeObject(ctx, r.Bucket, indexObject(record.Name), record); err != nil {
		return err
	}
	r.index[record.Name], r.changed = record, true
	r.Log.Info("the model was uploaded to the bucket; the other appliances download it", "model", record.Name,
		"revision", record.Revision)
	return errors.Join(r.recordSeen(record.Name, record.Revision), r.Models.ForgetRemoved(record.Name))
}

// uploadFile uploads a file, unless an interrupted upload has done so.
func (r *shareRound) uploadFile(ctx context.Context, record ModelRecord, f SharedFile) error {
	object := fileObject(record, f.Name)
	for _, o := range r.objects {
		if o.Name == object && o.Size == f.Size {
			r.addTransferred(f.Size)
			return nil
		}
	}
	file, err := os.Open(filepath.Join(r.Models.Folder(record.Name), f.Name))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := r.Bucket.PutObject(ctx, object, file, f.Size); err != nil {
		return err
	}
	r.addTransferred(f.Size)
	return nil
}

// contextReader stops reading when its context ends, and reports progress.
type contextReader struct {
	ctx      context.Context //nolint:containedctx // of one copy
	from     io.Reader
	progress func(n int64) // may be nil
}

// Read implements io.Reader.
func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	if c.progress != nil {
		c.progress(int64(n))
	}
	return n, err
}

// RemoveThere removes a model from the bucket that was removed here, once no appliance uses it.
func (r *shareRound) RemoveThere(ctx context.Context, name string) error {
	if _, there := r.index[name]; there {
		users, err := r.UsedBy(ctx, name)
		if err != nil {
			return r.reportModelFault(ctx, name, err)
		}
		if len(users) > 0 {
			r.Log.Info("a removed model stays in the bucket while other appliances use it", "model", name,
				"used by", strings.Join(users, ", "))
			return nil
		}
		if err := r.Bucket.RemoveObject(ctx, indexObject(name)); err != nil {
			return err
		}
		delete(r.index, name)
		r.changed = true
	}
	for _, o := range r.objects {
		if strings.HasPrefix(o.Name, filesPrefix+name+"/") {
			if err := r.Bucket.RemoveObject(ctx, o.Name); err != nil {
				return err
			}
		}
	}
	r.Log.Info("a removed model was deleted from the bucket", "model", name)
	delete(r.state.Models, name)
	return errors.Join(r.state.writeState(r.path), r.Models.ForgetRemoved(name))
}

// RemoveHere removes a model here that another appliance has removed from the bucket.
func (r *shareRound) RemoveHere(_ context.Context, name string) error {
	r.Log.Info("a model was removed on another appliance", "model", name)
	err := errors.Join(r.Models.Remove(name), r.Models.ForgetRemoved(name))
	if err != nil {
		return err
	}
	delete(r.state.Models, name)
	return r.state.writeState(r.path)
}

// removeOrphans removes files without a record: those of an interrupted upload, and of a replaced model.
func (r *shareRound) removeOrphans(ctx context.Context) error {
	for _, o := range r.objects {
		name, rest, _ := strings.Cut(strings.TrimPrefix(o.Name, filesPrefix), "/")
		revision, _, _ := strings.Cut(rest, "/")
		if r.damaged[name] || r.index[name].Revision == revision || r.Now().Sub(o.Modified) < orphanAfter {
			continue
		}
		if err := r.Bucket.RemoveObject(ctx, o.Name); err != nil {
			return err
		}
	}
	return nil
}
