package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"munadi/assets/ort"
)

// VersionCmd is munadi version.
type VersionCmd struct{}

// Run prints the version, what it was built from and with, and ONNX Runtime's.
func (VersionCmd) Run(out io.Writer) error {
	_, err := fmt.Fprintf(out, "munadi %s (%s %s/%s, ONNX Runtime %s)\n",
		versionString(), runtime.Version(), runtime.GOOS, runtime.GOARCH, ort.Version)
	return err
}

// revision is the commit that make built; the linker sets it.
var revision string

// versionString is the module's, else the commit that the binary was built from.
func versionString() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case ok && info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	case revision != "":
		return revision
	}
	return "development"
}
