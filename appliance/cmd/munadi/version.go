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
		version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, ort.Version)
	return err
}

// version is the module's, or the commit that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	switch {
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	case revision != "":
		return revision + dirty
	}
	return "development"
}
