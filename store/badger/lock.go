package badger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"munadi/store"
)

// dirLock is held on a database's folder by the one process that has it open. The kernel lets go of it when the
// process ends, however it ends. Badger has such a lock too, but reports it as text only.
type dirLock struct{ file *os.File }

// lockDir takes the lock of dir, or says [store.CodeInUse] and by which process.
func lockDir(dir string) (*dirLock, error) {
	file, err := os.OpenFile(filepath.Join(dir, "munadi.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the database's folder: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &store.Error{Code: store.CodeInUse, Message: inUse(dir, file), Err: err}
		}
		return nil, fmt.Errorf("lock the database's folder: %w", err)
	}
	lock := &dirLock{file}
	if err := lock.writePID(); err != nil {
		lock.releaseLock()
		return nil, fmt.Errorf("lock the database's folder: %w", err)
	}
	return lock, nil
}

// writePID writes our process id into the lock's file, for whoever finds it held.
func (l *dirLock) writePID() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// inUse says who holds the lock of dir, as far as its file tells.
func inUse(dir string, file *os.File) string {
	var pid int
	if _, err := fmt.Fscan(file, &pid); err != nil {
		return fmt.Sprintf("the database in %s is in use by another process", dir)
	}
	return fmt.Sprintf("the database in %s is in use by process %d", dir, pid)
}

// releaseLock lets go of the lock. The file stays: removing it would let two processes lock two files of one name.
func (l *dirLock) releaseLock() {
	if l == nil {
		return
	}
	// A process that is being started at this moment has a copy of the file until it runs its program: closing ours
	// alone would leave the lock to it.
	_ = syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	_ = l.file.Close() // nothing was written that matters
}

// LockDatabase keeps every other process from opening the database in dir until release is called, without opening it:
// [store.CodeInUse] when one has it open already.
func LockDatabase(dir string) (release func(), err error) {
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	return lock.releaseLock, nil
}
