package modelshare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"munadi/store/bucket"
	"munadi/store/disk"
)

// spareDisk is the disk space, in bytes, that a fetched model leaves free.
const spareDisk = 256 << 20

// FetchItem downloads a model, verifies it and replaces an older revision, if there is one. After an interruption the
// files that were downloaded are kept. A model that was removed here is selected or was replaced elsewhere: it stays.
func (r *shareRound) FetchItem(ctx context.Context, name string) error {
	record := r.index[name]
	if slices.Contains(r.Models.RemovedNames(), name) {
		delete(r.state.Models, name)
		if err := r.Models.ForgetRemoved(name); err != nil {
			return err
		}
	}
	folder := r.Models.Fetched("bucket-" + record.Name + "-" + record.Revision[:16])
	if now, err := disk.ReadState(r.Models.Folder("")); err == nil && int64(now.Free) < record.Bytes()+spareDisk {
		r.addProblem(ShareProblem{Kind: NoDiskRoom, Model: record.Name, Need: record.Bytes(), Free: int64(now.Free)})
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	r.Log.Info("downloading a model from the bucket", "model", record.Name, "bytes", record.Bytes())
	stop := r.beginTransfer(record, false)
	defer stop()
	for _, f := range record.Files {
		err := r.fetchFile(ctx, record, f, filepath.Join(folder, f.Name))
		if isMissing(err) {
			return nil // it is being replaced or removed: the next round continues
		}
		if errors.Is(err, errContent) {
			r.addProblem(ShareProblem{Kind: DamagedModel, Model: record.Name, Detail: err.Error()})
			return nil
		}
		if err != nil {
			return err
		}
	}
	return r.adoptModel(record, folder)
}

// adoptModel installs a downloaded model. If an older revision of it serves, the new one is opened.
func (r *shareRound) adoptModel(record ModelRecord, folder string) error {
	replaced, err := r.Models.ReplaceModel(folder, record.Name)
	if err == nil {
		err = r.recordSeen(record.Name, record.Revision)
	}
	if err != nil {
		return err
	}
	r.Log.Info("a model of the bucket was verified and installed", "model", record.Name, "revision", record.Revision)
	if serving, known := r.Serving(); replaced && known && serving == record.Name {
		return r.Use(record.Name)
	}
	return nil
}

// errContent means that an object does not match its record.
var errContent = errors.New("its content does not match its SHA-256")

// fetchFile downloads a file, unless it is present, and verifies it.
func (r *shareRound) fetchFile(ctx context.Context, record ModelRecord, f SharedFile, path string) error {
	if had, err := hashFile(ctx, path); err == nil && had.SHA256 == f.SHA256 {
		r.addTransferred(f.Size)
		return nil
	}
	object, err := r.Bucket.OpenObject(ctx, fileObject(record, f.Name))
	if err != nil {
		return err
	}
	defer object.Close()
	sum, err := r.copyObject(ctx, object, f.Size, path)
	if err == nil && sum != f.SHA256 {
		return errors.Join(fmt.Errorf("%s: %w", f.Name, errContent), os.Remove(path))
	}
	return err
}

// copyObject writes at most size+1 bytes to a file, and returns their SHA-256.
func (r *shareRound) copyObject(
	ctx context.Context, object bucket.OpenedObject, size int64, path string,
) (sum string, err error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	from := &contextReader{ctx, io.LimitReader(object, size+1), r.addTransferred}
	_, err = io.Copy(io.MultiWriter(out, hash), from)
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, out.Sync(), out.Close())
}
