package launcher

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// errNoClock says that a wrong clock cannot be given to a process here.
var errNoClock = errors.New("only on linux/amd64 can a process get a clock of its own")

// moveClock moves a stopped process's wall clock by whole seconds. Programs in Go read the clock from the code that the
// kernel maps into each process (vDSO), where neither LD_PRELOAD (libfaketime) nor a time namespace affects
// CLOCK_REALTIME: so that code is replaced by a system call with an adjusted result. The monotonic clock is unchanged,
// as on a machine with a wrong clock.
func moveClock(pid int, by time.Duration) error {
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = memory.Close() }() // what was written is written
	start, size, err := findVDSO(pid)
	if err != nil {
		return err
	}
	image := make([]byte, size)
	if _, err := memory.ReadAt(image, start); err != nil {
		return err
	}
	at, err := findSymbol(image, "__vdso_clock_gettime")
	if err != nil {
		return err
	}
	_, err = memory.WriteAt(clockCode(by), start+at)
	return err
}

// clockCode is clock_gettime(2) in x86-64's machine code, with CLOCK_REALTIME moved.
func clockCode(by time.Duration) []byte {
	code := []byte{
		0xb8, 0xe4, 0, 0, 0, // mov eax, 228 (clock_gettime)
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi (0: CLOCK_REALTIME)
		0x75, 0x07, // jnz to the end
		0x48, 0x81, 0x06, // add qword [rsi], the seconds
	}
	code = binary.LittleEndian.AppendUint32(code, uint32(int32(by/time.Second)))
	return append(code, 0xc3) // ret
}

// findVDSO returns where the kernel's code is mapped into a process.
func findVDSO(pid int) (start, size int64, err error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(maps)) {
		if !strings.HasSuffix(strings.TrimSpace(line), "[vdso]") {
			continue
		}
		place, _, _ := strings.Cut(line, " ")
		from, to, _ := strings.Cut(place, "-")
		if start, err = strconv.ParseInt(from, 16, 64); err != nil {
			return 0, 0, err
		}
		end, err := strconv.ParseInt(to, 16, 64)
		return start, end - start, err
	}
	return 0, 0, errors.New("the kernel maps no vDSO")
}

// findSymbol returns the offset of a function in an ELF image.
func findSymbol(image []byte, name string) (int64, error) {
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return 0, err
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return 0, err
	}
	for _, s := range symbols {
		if s.Name == name {
			return int64(s.Value), nil
		}
	}
	return 0, fmt.Errorf("the vDSO has no %s", name)
}
