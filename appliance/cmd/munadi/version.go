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

// Run prints the versions of the program, Go and ONNX Runtime.
func (VersionCmd) Run(out io.Writer) error {
	_, err := fmt.Fprintf(out, "munadi %s (%s %s/%s, ONNX Runtime %s)\n",
		versionString(), runtime.Version(), runtime.GOOS, runtime.GOARCH, ort.Version)
	return err
}

// revision is the commit of the build, set by the linker.
var revision string

// versionString returns the module's version, else the commit of the build.
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
