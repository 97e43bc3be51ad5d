// Command sbom lists the components of a finished munadi: an SBOM (CycloneDX 1.6, JSON) and their licence texts, which
// most of those licences require to be distributed.
//
//	go run ./packaging/sbom -binary FILE -version V -docs DIR -out DIR
//
// Run it in the project's root. The Go modules are those that the linker put into the binary, with the licence files
// of their sources; what lies in assets comes from assets/SOURCES; the three C libraries' copyright files come from
// Debian's packages (-docs is the usr/share/doc that holds them). A module without a licence file, or with an unknown
// one, is an error. The output depends on its input only (SOURCE_DATE_EPOCH is its timestamp).
package main

import (
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	var o billOptions
	flag.StringVar(&o.binary, "binary", "", "the finished `file`")
	flag.StringVar(&o.version, "version", "", "its version")
	flag.StringVar(&o.docs, "docs", "/usr/share/doc", "the `folder` of Debian's copyright files")
	flag.StringVar(&o.out, "out", "", "the `folder` to write into")
	flag.Parse()
	if err := writeBill(o); err != nil {
		fmt.Fprintln(os.Stderr, "bill:", err)
		os.Exit(1) //nolint:forbidigo // a program for developers
	}
}

type billOptions struct{ binary, version, docs, out string }

// writeBill makes sbom.cdx.json and licences.txt.
func writeBill(o billOptions) error {
	info, err := buildinfo.ReadFile(o.binary)
	if err != nil {
		return err
	}
	arch := buildSetting(info, "GOARCH")
	parts, err := goModules(info)
	if err != nil {
		return err
	}
	for _, more := range []func() ([]billPart, error){
		goItself, func() ([]billPart, error) { return linkedLibraries(o.docs) },
		func() ([]billPart, error) { return shippedAssets(arch) },
	} {
		some, err := more()
		if err != nil {
			return err
		}
		parts = append(parts, some...)
	}
	sbom, err := marshalCycloneDX(o.version, arch, parts)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(o.out, "sbom.cdx.json"), sbom, 0o644),
		os.WriteFile(filepath.Join(o.out, "licences.txt"), joinLicences(parts), 0o644),
	)
}

// buildSetting returns a build setting of the binary.
func buildSetting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
