package arrows_test

import (
	"os"
	"os/exec"
	"testing"
)

// TestKernelBuildsWithoutAssembly compiles the SIMD kernels as other machines do: arm64 has none of the assembly, and
// no other test here compiles its files.
func TestKernelBuildsWithoutAssembly(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the kernel for two architectures")
	}
	for _, arch := range []string{"arm64", "amd64"} {
		cmd := exec.Command("go", "vet", "-tags", "purego", "munadi/engine/kernel")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH="+arch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", arch, err, out)
		}
	}
}
