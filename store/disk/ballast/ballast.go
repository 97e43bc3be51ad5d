// Package ballast keeps a process alive that writes to memory-mapped files on a disk that another process fills. A
// write to a page for which the disk has no space raises SIGBUS, which ends the process; checking the free space before
// is too early, and Badger maps its files without allocating them.
//
// A ballast is disk space that the process holds in an allocated file without a name. The handler of SIGBUS gives a
// part of it back to the file system and returns, so that the write is repeated and finds space. When nothing is left,
// and for other bus errors, it calls the handler of the Go runtime.
//
// It is C because a signal handler of a Go program cannot be Go code. It only calls ftruncate, which is
// async-signal-safe, and uses the alternate stack, as the runtime requires.
package ballast

/*
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { most = 16 };
static const long long step = 4 << 20;

// The files of the ballasts, plus one; 0 is a free place.
static _Atomic int files[most];
static _Atomic(long long) held[most];
static struct sigaction previous;

// give shortens each ballast by a step, and says whether one was.
static int give(void) {
	int given = 0;
	for (int i = 0; i < most; i++) {
		int file = atomic_load(&files[i]);
		long long size = atomic_load(&held[i]);
		while (file != 0 && size > 0) {
			long long less = size > step ? size - step : 0;
			if (atomic_compare_exchange_weak(&held[i], &size, less)) {
				given |= ftruncate(file - 1, less) == 0;
				break;
			}
		}
	}
	return given;
}

static void on_sigbus(int signal, siginfo_t *info, void *context) {
	int before = errno;
	int given = info->si_code == BUS_ADRERR && give();
	errno = before;
	if (!given)
		previous.sa_sigaction(signal, info, context);
}

// install chains the handler before that of the Go runtime, with its flags and mask.
static int install(void) {
	if (sigaction(SIGBUS, NULL, &previous) != 0)
		return errno;
	if (!(previous.sa_flags & SA_SIGINFO))
		return EINVAL;
	struct sigaction handler = previous;
	handler.sa_sigaction = on_sigbus;
	handler.sa_flags |= SA_ONSTACK;
	return sigaction(SIGBUS, &handler, NULL) == 0 ? 0 : errno;
}

static int add(int file) {
	for (int i = 0; i < most; i++) {
		int none = 0;
		if (atomic_compare_exchange_strong(&files[i], &none, file + 1))
			return i;
	}
	return -1;
}

static void take(int place, long long size) { atomic_store(&held[place], size); }
static long long left(int place) { return atomic_load(&held[place]); }

static void drop(int place) {
	atomic_store(&held[place], 0);
	atomic_store(&files[place], 0);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// installHandler installs the signal handler once.
var installHandler = sync.OnceValue(func() error {
	if code := C.install(); code != 0 {
		return fmt.Errorf("handle SIGBUS: %w", unix.Errno(code))
	}
	return nil
})

// Ballast is disk space that is held for the pages of mapped files on the same file system.
type Ballast struct {
	file  *os.File
	place C.int
	size  int64
}

// HoldSpace allocates size bytes on the file system of a folder.
func HoldSpace(dir string, size int64) (*Ballast, error) {
	if err := installHandler(); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, ".ballast-*")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Remove(file.Name()), unix.Fallocate(int(file.Fd()), 0, 0, size)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	b := &Ballast{file: file, place: C.add(C.int(file.Fd())), size: size}
	if b.place < 0 {
		return nil, errors.Join(errors.New("too many ballasts"), file.Close())
	}
	C.take(b.place, C.longlong(size))
	return b, nil
}

// MissingSpace returns how many bytes were given back.
func (b *Ballast) MissingSpace() int64 {
	if b == nil {
		return 0
	}
	return b.size - int64(C.left(b.place))
}

// HoldAgain allocates what was given back.
func (b *Ballast) HoldAgain() error {
	if err := unix.Fallocate(int(b.file.Fd()), 0, 0, b.size); err != nil {
		return err
	}
	C.take(b.place, C.longlong(b.size))
	return nil
}

// ReleaseSpace frees the space; the ballast must not be used any more.
func (b *Ballast) ReleaseSpace() {
	if b == nil {
		return
	}
	C.drop(b.place)
	_ = b.file.Close() // it has no name, and nothing to be written
}
