package badger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"munadi/store"
)

// dirLock is an exclusive advisory file lock (flock) on a database's folder. The kernel releases it when the process
// ends. Badger has such a lock too, but reports it without an error value.
type dirLock struct{ file *os.File }

// lockDir takes the lock of dir; [store.CodeInUse], with the process id of the holder, when it is held.
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

// writePID writes this process's id into the lock file, for the error message of other processes.
func (l *dirLock) writePID() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// inUse returns the error text for a held lock, with the process id if the file holds one.
func inUse(dir string, file *os.File) string {
	var pid int
	if _, err := fmt.Fscan(file, &pid); err != nil {
		return fmt.Sprintf("the database in %s is in use by another process", dir)
	}
	return fmt.Sprintf("the database in %s is in use by process %d", dir, pid)
}

// releaseLock releases the lock. The file stays: removing it would let two processes lock two files of one name.
func (l *dirLock) releaseLock() {
	if l == nil {
		return
	}
	// Unlock explicitly: a child process between fork and exec holds a copy of the descriptor, so closing alone would
	// leave the lock with it.
	_ = syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	_ = l.file.Close() // no unsaved data
}

// LockDatabase prevents other processes from opening the database in dir until release is called, without opening it:
// [store.CodeInUse] when a process has it open already.
func LockDatabase(dir string) (release func(), err error) {
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	return lock.releaseLock, nil
}
