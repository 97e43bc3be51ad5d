package modeljob

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"munadi/appliance/models"
	"munadi/store/disk"
)

// maxUpload is the largest checkpoint that a browser may send, in bytes.
const maxUpload = 16 << 30

// Upload is a checkpoint that a browser sends.
type Upload struct {
	FileName string
	Size     int64 // as announced; 0: not known
	Content  io.Reader
}

// ReceiveUpload stores a checkpoint that a browser sends, and returns its path for an InstallRequest. A file that
// breaks off is removed.
func (w *ModelWorker) ReceiveUpload(u Upload) (path string, err error) {
	base := filepath.Base(strings.ReplaceAll(u.FileName, `\`, "/"))
	name, isCheckpoint := strings.CutSuffix(base, ".nemo")
	switch {
	case !isCheckpoint:
		return "", ErrNoPath
	case models.CheckName(name) != nil:
		return "", ErrName
	}
	if j := w.CurrentJob(); j != nil && j.Phase.IsActive() {
		return "", ErrBusy
	}
	if err := errors.Join(w.checkNameFree(name), checkDisk(w.Models, u.Size)); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(w.Models.Folder(""), filepath.Base(w.Models.Fetched("upload-*")))
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, base)
	if err := w.storeUpload(path, u.Content); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	return path, nil
}

// storeUpload writes a file of unknown size as long as the disk has room.
func (w *ModelWorker) storeUpload(path string, content io.Reader) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	limit := int64(maxUpload)
	if now, err := disk.ReadState(filepath.Dir(path)); err == nil {
		limit = min(limit, int64(now.Free)-spareDisk)
	}
	n, err := io.Copy(out, io.LimitReader(content, limit+1))
	if err == nil && n > limit {
		err = &DiskFault{limit, n}
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%s is empty", filepath.Base(path))
	}
	return errors.Join(err, out.Sync(), out.Close())
}
