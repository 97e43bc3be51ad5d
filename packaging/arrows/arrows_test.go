// Package arrows_test checks the import rules of the module's packages against `go list`. Test files may import more
// than the code they test, so only the imports of the code itself are checked.
package arrows_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// listedPackage is what we need of `go list -json`.
type listedPackage struct {
	ImportPath string
	Imports    []string
}

func TestArrows(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	if len(packages) < 10 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, fault := range findFaults(packages) {
		t.Error(fault)
	}
}

func TestForbiddenArrowsAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to string }{
		{"appliance/stt", "github.com/dgraph-io/badger/v4"},
		{"store", "github.com/dgraph-io/badger/v4/options"},
		{"engine", "github.com/yalue/onnxruntime_go"},
		{"engine/audio", "github.com/gen2brain/malgo"},
		{"appliance/console", "github.com/r3labs/sse/v2"},
		{"store/badger", "github.com/jackc/pgx/v5"},
		{"store/spool", "github.com/minio/minio-go/v7"},
		{"appliance/dialer", "github.com/emiago/sipgo"},
		{"appliance", "golang.org/x/crypto/acme/autocert"},
		{"store", "appliance/config"},
		{"ui/calls", "appliance"},
		{"engine", "appliance/monitor/metrics"},
		{"assets/web", "ui/calls"},
		{"ui/calls", "store"},
		{"ui/calls", "store/records"},
		{"ui/calls", "engine"},
		{"ui/asset", "assets/model"},
		{"engine", "store"},
		{"engine", "assets/model"},
		{"store", "engine/arabic"},
		{"engine/arabic", "engine"},
		{"engine/decode", "engine/ort"},
		{"engine/audio/internal/ogg", "engine/audio"},
		{"engine/kernel", "engine/decode"},
		{"engine/vad", "engine/ort"},
		{"engine/ort", "engine/model"},
		{"engine/model", "engine/features"},
		{"appliance/api", "appliance/dialer"},
		{"appliance/service", "appliance/auth"},
		{"appliance/service", "appliance/apimodel"},
		{"appliance/scheduler", "appliance/service"},
		{"appliance/apimodel", "appliance/service"},
		{"appliance/httpserver/middleware", "appliance/live"},
		{"appliance/console", "appliance/api"},
		{"appliance/console/calls", "appliance/console/campaigns"},
		{"appliance/console/kit", "appliance/console/keys"},
		{"appliance/mcp", "appliance/api"},
		{"appliance/api", "github.com/modelcontextprotocol/go-sdk/mcp"},
		{"appliance/webhook", "appliance/api"},
		{"appliance/ssehub", "appliance/scheduler"},
		{"appliance/monitor/metrics", "appliance/stt"},
		{"appliance/stt", "appliance"},
		{"appliance/callplatform", "appliance"},
		{"appliance/api", "appliance/callplatform"},
		{"appliance/stt", "assets/model"},
		{"appliance/auth", "assets/model"},
		{"appliance/console", "assets/passwords"},
		{"appliance", "appliance/cmd/munadi"},
		{"store/call", "store"},
		{"store/badger", "store/storetest"},
		{"store/postgres", "store/storetest/fixture"},
		{"engine", "packaging/bench/munadibench"},
	} {
		if got := findFaults([]listedPackage{{withModule(c.from), []string{"fmt", withModule(c.to)}}}); len(got) == 0 {
			t.Errorf("%s → %s is forbidden, and was not found", c.from, c.to)
		}
	}
}

func TestArrowsOfThePictureAreAllowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to string }{
		{"appliance/cmd/munadi", "appliance"},
		{"appliance/cmd/munadi", "appliance/config"},
		{"appliance", "appliance/stt"},
		{"appliance", "appliance/scheduler"},
		{"appliance", "appliance/callplatform"},
		{"appliance/callplatform", "appliance/scheduler"},
		{"appliance", "assets/model"},
		{"appliance/stt", "engine"},
		{"appliance/stt", "appliance/httpserver/middleware"},
		{"appliance/stt", "appliance/monitor/metrics"},
		{"appliance/api", "store/strictjson"},
		{"appliance/admin", "appliance/service"},
		{"appliance/service", "store/call"},
		{"appliance/demo", "ui/calls"},
		{"appliance/auth", "assets/passwords"},
		{"appliance/dialer", "appliance/carrier"},
		{"appliance/carrier/sip", "github.com/emiago/sipgo/sip"},
		{"ui/asset", "assets/web"},
		{"ui/keys", "store/account"},
		{"engine", "engine/decode"},
		{"engine/model", "engine/ort"},
		{"engine/decode", "engine/kernel"},
		{"engine/audio", "engine/audio/internal/ogg"},
		{"store", "store/call"},
		{"store/badger", "store"},
		{"store/badger", "github.com/dgraph-io/badger/v4"},
	} {
		if got := findFaults([]listedPackage{{withModule(c.from), []string{"fmt", withModule(c.to)}}}); len(got) > 0 {
			t.Errorf("%s → %s is allowed, but: %v", c.from, c.to, got)
		}
	}
}

// withModule puts the module before a room's path and leaves other modules' paths alone.
func withModule(path string) string {
	if slices.Contains(rooms, firstElement(path)) {
		return module + path
	}
	return path
}

// listPackages returns every package of the module.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []listedPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
