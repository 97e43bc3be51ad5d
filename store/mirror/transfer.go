package mirror

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"time"

	"munadi/store"
)

// incomingName is the temporary file of a download. Comparisons run one at a time.
const incomingName = ".incoming"

// uploadFile uploads a file of the folder.
func (r *mirrorComparison) uploadFile(ctx context.Context, name string) error {
	content, err := r.root.ReadFile(name)
	if err != nil {
		return err
	}
	if err := r.Bucket.PutObject(ctx, r.Prefix+name, bytes.NewReader(content), int64(len(content))); err != nil {
		return err
	}
	r.Log.Info("a file was uploaded to the bucket", "file", r.Prefix+name)
	r.uploaded, r.changed = append(r.uploaded, name), true
	return nil
}

// noteUploaded records the versions of uploaded files as the bucket lists them.
func (r *mirrorComparison) noteUploaded(ctx context.Context) (err error) {
	if len(r.uploaded) == 0 {
		return nil
	}
	if r.there, err = r.listBucket(ctx); err != nil {
		return err
	}
	for _, name := range r.uploaded {
		if there, ok := r.there[name]; ok && there.Size == r.here[name].Size {
			r.seen[name] = seenFile{r.here[name], there}
		}
	}
	return nil
}

// fetchFile writes a file of the bucket to the folder.
func (r *mirrorComparison) fetchFile(ctx context.Context, name string) error {
	content, err := r.readObject(ctx, name)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	return r.storeFile(name, content)
}

// readObject reads a file of the bucket.
func (r *mirrorComparison) readObject(ctx context.Context, name string) ([]byte, error) {
	object, err := r.Bucket.OpenObject(ctx, r.Prefix+name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(object, maxSize))
	return content, errors.Join(err, object.Close())
}

// storeFile writes a file of the folder and records both versions.
func (r *mirrorComparison) storeFile(name string, content []byte) error {
	if err := r.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if err := writeWhole(r.root, name, content); err != nil {
		return err
	}
	info, err := r.root.Stat(name)
	if err != nil {
		return err
	}
	r.Log.Info("a file was fetched from the bucket", "file", r.Prefix+name)
	r.seen[name] = seenFile{fileStamp{Size: info.Size(), Modified: info.ModTime()}, r.there[name]}
	return nil
}

// settleBoth resolves a file that is new or was changed on both sides: equal content needs no copy, otherwise the newer
// one wins.
func (r *mirrorComparison) settleBoth(ctx context.Context, name string) error {
	there, err := r.readObject(ctx, name)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil // removed meanwhile: left to the next comparison
	}
	if err != nil {
		return err
	}
	here, err := r.root.ReadFile(name)
	if err != nil {
		return err
	}
	if bytes.Equal(here, there) {
		r.seen[name] = seenFile{r.here[name], r.there[name]}
		return nil
	}
	r.Log.Warn("a file was changed on two appliances; the newer one is kept", "file", r.Prefix+name,
		"here", r.here[name].Modified.UTC().Format(time.RFC3339),
		"in the bucket", r.there[name].Modified.UTC().Format(time.RFC3339))
	if r.here[name].Modified.After(r.there[name].Modified) {
		return r.uploadFile(ctx, name)
	}
	return r.storeFile(name, there)
}
