package audio

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allowedCalls is the seccomp allow-list: the system calls needed by the Go runtime, the C library's memory and
// threads, and I/O on open files. None opens, connects or executes.
func allowedCalls() []uint32 {
	return []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_CLOSE, unix.SYS_FSTAT,
		unix.SYS_LSEEK, unix.SYS_FCNTL, unix.SYS_PIPE2,
		unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MREMAP, unix.SYS_BRK,
		unix.SYS_MINCORE, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN,
		unix.SYS_SIGALTSTACK, unix.SYS_TGKILL, unix.SYS_FUTEX, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
		unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
		unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM,
		unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
		unix.SYS_RESTART_SYSCALL, unix.SYS_PRCTL, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	}
}

// auditArch returns the architecture constant in struct seccomp_data; 0 for an unsupported one.
func auditArch() uint32 {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64
	}
	return 0
}

// Offsets in struct seccomp_data (linux/seccomp.h), little-endian.
const (
	dataCall = 0
	dataArch = 4
	dataArg0 = 16
)

// filterSystemCalls installs the seccomp filter on every thread of this process; other calls fail with EPERM. New
// threads are allowed, new processes are not. On a kernel without seccomp only the resource limits apply.
func filterSystemCalls() error {
	arch := auditArch()
	if arch == 0 {
		return nil
	}
	program := filterProgram(arch, allowedCalls())
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(program)
	if errno == 0 || errors.Is(errno, unix.ENOSYS) || errors.Is(errno, unix.EINVAL) {
		return nil
	}
	return fmt.Errorf("system call filter: %w", errno)
}

// filterProgram returns the classic BPF program: architecture check, thread creation, allow-list.
func filterProgram(arch uint32, calls []uint32) []unix.SockFilter {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		hasBit = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		answer = unix.BPF_RET | unix.BPF_K
		deny   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	program := []unix.SockFilter{
		{Code: load, K: dataArch},
		{Code: equal, K: arch, Jt: 1},
		{Code: answer, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: dataCall},
		{Code: equal, K: unix.SYS_CLONE3, Jf: 1}, // its flags are in memory: the C library falls back to clone
		{Code: answer, K: absent},
		{Code: equal, K: unix.SYS_CLONE, Jf: 4},
		{Code: load, K: dataArg0},
		{Code: hasBit, K: unix.CLONE_THREAD, Jf: 1},
		{Code: answer, K: unix.SECCOMP_RET_ALLOW},
		{Code: answer, K: deny},
	}
	for _, call := range calls {
		program = append(program, unix.SockFilter{Code: equal, K: call, Jf: 1},
			unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW})
	}
	return append(program, unix.SockFilter{Code: answer, K: deny})
}
