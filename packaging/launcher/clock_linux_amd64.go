package launcher

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// startWithClock starts a command whose wall clock is wrong by whole seconds: it is stopped before its first
// instruction (ptrace), its clock is moved, and it goes on by itself.
func startWithClock(cmd *exec.Cmd, wrong time.Duration) error {
	if wrong == 0 {
		return cmd.Start()
	}
	runtime.LockOSThread() // only the thread that starts it may go on with it
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	_, err := syscall.Wait4(pid, &status, 0, nil)
	if err == nil {
		err = errors.Join(moveClock(pid, wrong), syscall.PtraceDetach(pid))
	}
	if err != nil {
		return errors.Join(err, cmd.Process.Kill(), cmd.Wait())
	}
	return nil
}
