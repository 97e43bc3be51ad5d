package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"munadi/appliance/admin"
	"munadi/appliance/apimodel"
	"munadi/appliance/config"
	"munadi/appliance/monitor/support"
	"munadi/assets/ort"
)

// writeBundle writes the support bundle: a ZIP of text files, which the operator can read before sending it.
func writeBundle(ctx context.Context, path string, cfg *config.Config, findings string) error {
	inside, running, err := admin.AskSupport(ctx, cfg.Data)
	if err != nil {
		return err
	}
	parts := [][2]string{
		{"versions.txt", describeVersions(inside, running)},
		{"doctor.txt", apimodel.ScrubText(findings)},
	}
	if running {
		parts = append(parts, [][2]string{
			{"settings.txt", inside.Settings},
			{"metrics.txt", inside.Metrics},
			{"log.txt", strings.Join(inside.Log, "\n") + "\n"},
			{"goroutines.txt", inside.Goroutines},
		}...)
		if len(inside.Signalling) > 0 {
			parts = append(parts, [2]string{"signalling.txt", strings.Join(inside.Signalling, "\n")})
		}
	} else {
		parts = append(parts, [2]string{"settings.txt", support.SettingsText(cfg)})
	}
	return writeZip(path, parts)
}

// describeVersions returns the versions of the program, its libraries and the machine.
func describeVersions(inside admin.SupportReport, running bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "munadi %s, %s %s/%s, ONNX Runtime %s\n", versionString(), runtime.Version(),
		runtime.GOOS, runtime.GOARCH, ort.Version)
	if running {
		fmt.Fprintf(&b, "running: %s, for %s\n", inside.Version, time.Since(inside.Started).Round(time.Second))
	} else {
		fmt.Fprintln(&b, "not running: the bundle has no metrics, log or goroutines")
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		fmt.Fprintf(&b, "kernel %s %s\n", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]))
	}
	fmt.Fprintf(&b, "%d processors\nwritten %s\n", runtime.NumCPU(), time.Now().UTC().Format(time.RFC3339))
	return b.String()
}

// writeZip writes files, name and text, to a new ZIP file with mode 0600.
func writeZip(path string, parts [][2]string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	z := zip.NewWriter(file)
	for _, part := range parts {
		w, err := z.Create("munadi/" + part[0])
		if err != nil {
			return err
		}
		if _, err := w.Write([]byte(part[1])); err != nil {
			return err
		}
	}
	return z.Close()
}
