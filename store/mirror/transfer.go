package mirror

import (
	"bytes"
	"context"
	"path"
	"time"

	"munadi/store"
	"munadi/store/bucket"
)

// incomingName is the temporary file of a download. Comparisons run one at a time.
const incomingName = ".incoming"

// UploadItem uploads a file of the folder.
func (r *mirrorComparison) UploadItem(ctx context.Context, name string) error {
	content, err := r.root.ReadFile(name)
	if err != nil {
		return err
	}
	if err := bucket.PutBytes(ctx, r.Bucket, r.Prefix+name, content); err != nil {
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

// FetchItem writes a file of the bucket to the folder.
func (r *mirrorComparison) FetchItem(ctx context.Context, name string) error {
	content, err := bucket.ReadObject(ctx, r.Bucket, r.Prefix+name, maxSize)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	return r.storeFile(name, content)
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

// SettleItem resolves a file that is new or was changed on both sides: equal content needs no copy, otherwise the newer
// one wins.
func (r *mirrorComparison) SettleItem(ctx context.Context, name string) error {
	there, err := bucket.ReadObject(ctx, r.Bucket, r.Prefix+name, maxSize)
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
		return r.UploadItem(ctx, name)
	}
	return r.storeFile(name, there)
}
