package arrows_test

import (
	"fmt"
	"slices"
	"strings"
)

const module = "munadi/"

// rooms are the top-level folders with Go code.
var rooms = []string{"appliance", "assets", "docs", "engine", "packaging", "store", "ui"}

// homes names the one folder that may import a dependency: replacing it touches that folder only.
var homes = map[string]string{
	"github.com/dgraph-io/badger":      "store/badger",
	"github.com/go-webauthn/webauthn":  "appliance/auth",
	"github.com/pquerna/otp":           "appliance/auth",
	"github.com/boombuler/barcode":     "ui/component",
	"github.com/coreos/go-oidc":        "appliance/oidc",
	"golang.org/x/oauth2":              "appliance/oidc",
	"github.com/go-ldap/ldap":          "appliance/ldap",
	"github.com/go-asn1-ber/asn1-ber":  "appliance/ldap",
	"github.com/jackc/pgx":             "store/postgres",
	"github.com/pressly/goose":         "store/postgres",
	"github.com/minio/minio-go":        "store/bucket",
	"github.com/yalue/onnxruntime_go":  "engine/ort",
	"github.com/gen2brain/malgo":       "engine/mic",
	"gonum.org/v1/gonum":               "engine/crosstalk",
	"github.com/r3labs/sse":            "appliance/ssehub",
	"github.com/emiago/sipgo":          "appliance/carrier/sip",
	"github.com/pion/opus":             "engine/audio",
	"github.com/pion/sdp":              "appliance/carrier/sip/sdp",
	"github.com/pion/rtp":              "appliance/carrier/sip/media",
	"github.com/pion/rtcp":             "appliance/carrier/sip/media",
	"github.com/pion/srtp":             "appliance/carrier/sip/media",
	"github.com/icholy/digest":         "appliance/carrier/sip",
	"filippo.io/age":                   "appliance/backup",
	"golang.org/x/crypto/acme":         "appliance/tlscert",
	"github.com/wneessen/go-mail":      "appliance/mailer",
	"github.com/emersion/go-smtp":      "appliance/mailer/mailtest",
	"golang.org/x/time/rate":           "appliance/httpserver/ratelimit",
	"github.com/xuri/excelize":         "appliance/contactfile",
	"github.com/aymanbagabas/go-udiff": "appliance/console",
	"github.com/nyaruka/phonenumbers":  "store/phonenumber",
	"github.com/yuin/goldmark":         "appliance/manual",

	"github.com/modelcontextprotocol/go-sdk": "appliance/mcp",
}

// inner lists what a package of the engine or the store may import of its own top-level folder, in addition to its
// subfolders. A package that is not listed may import all except those that only other folders use.
var inner = map[string][]string{
	"engine/audio":      {"engine/kernel"},
	"engine/features":   {"engine/kernel"},
	"engine/vad":        {"engine/kernel"},
	"engine/decode":     {"engine/kernel"},
	"engine/mic":        {},
	"engine/crosstalk":  {"engine/audio"},
	"engine/queue":      {},
	"engine/processors": {},
	"engine/grammar":    {},
	"engine/arabic":     {},
	"engine/tokenizer":  {},
	"engine/kernel":     {},
	"engine/checksum":   {},
	"engine/ort":        {"engine/checksum"},
	"engine/silero":     {"engine/kernel"},
	"engine/model": {
		"engine/checksum", "engine/ort", "engine/decode", "engine/kernel", "engine/silero", "engine/tokenizer", "engine/nemo",
	},
	"engine/nemo":       {},
	"engine/voice":      {"engine/ort", "engine/model"},
	"store/call":        {"store/jsontext"},
	"store/phonenumber": {},
	"store/callerid":    {"store/phonenumber"},
	"store/callrules":   {"store/call", "store/callerid", "store/phonenumber", "store/strictjson"},
	"store/account":     {},
	"store/alert":       {"store/excerpt"},
	"store/excerpt":     {},
	"store/siptrunk":    {"store/callerid"},
	"store/scenario":    {"store/call", "store/callrules", "store/jsontext", "store/phonenumber", "store/strictjson"},
	"store/jsontext":    {},
	"store/strictjson":  {"store/jsontext"},
	"store/delivery":    {"store/strictjson"},
	"store/inbound":     {"store/phonenumber", "store/strictjson"},
	"store/job":         {},
	"store/restaurant":  {},
	"store/blob":        {"store/call", "store/disk"},
	"store/disk":        {},
	"store/bucket":      {"store", "store/freeport"},
	"store/driver":      {"store", "store/record"},
	"store/spool":       {"store", "store/blob", "store/bucket"},
	"store/mirror":      {"store", "store/bucket"},
}

// The parts of the appliance: doors receive requests, workers run in the background and read what is to be done from the
// store. The other packages are shared by both.
var (
	doors   = []string{"api", "stt", "console", "demo", "mcp"}
	workers = []string{
		"scheduler", "dialer", "inboundrouter", "conversation", "publisher", "webhook", "live", "backup", "alerting", "replayer",
		"takeover",
	}
)

// The use cases (appliance/service) are between doors and store: callers are those that may call them, needs what they
// may import of the appliance.
var (
	callersOfService = []string{"api", "console", "admin", "mcp"}
	needsOfService   = []string{"csvcell", "recovery"}
)

// shownRecords are leaf packages of records and pure rules, which templates show as they are.
var shownRecords = []string{
	"store/account", "store/alert", "store/bulk", "store/call", "store/callerid", "store/callrules", "store/campaign",
	"store/delivery", "store/excerpt", "store/inbound", "store/jsontext", "store/live", "store/replay", "store/restaurant",
	"store/scenario", "store/siptrunk",
}

// findFaults returns one sentence for each forbidden import.
func findFaults(packages []listedPackage) []string {
	var found []string
	for _, p := range packages {
		from := strings.TrimPrefix(p.ImportPath, module)
		for _, to := range p.Imports {
			if reason := forbiddenReason(from, to); reason != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", from, strings.TrimPrefix(to, module), reason))
			}
		}
	}
	return found
}

// forbiddenReason returns why from must not import to; empty if it may.
func forbiddenReason(from, to string) string {
	own, isOurs := strings.CutPrefix(to, module)
	switch {
	case !isOurs:
		return isForeign(from, to)
	case firstElement(from) != firstElement(own):
		return acrossRooms(from, own)
	case firstElement(from) == "appliance":
		return insideAppliance(from, own)
	default:
		return insideRoom(from, own)
	}
}

func isForeign(from, to string) string {
	for dependency, home := range homes {
		if isBelow(to, dependency) && !isBelow(from, home) {
			return "only " + home + " does"
		}
	}
	return ""
}

func acrossRooms(from, to string) string {
	switch {
	case firstElement(to) == "packaging":
		return "packaging holds programs for developers, no library"
	case firstElement(from) == "packaging":
		return ""
	case firstElement(to) == "assets" && firstElement(from) == "appliance":
		if from == "appliance" || isBelow(from, "appliance/cmd") || from == "appliance/auth" && to == "assets/passwords" {
			return ""
		}
		return "only the appliance's wiring hands assets out"
	case firstElement(from) == "appliance":
		return ""
	case isBelow(from, "ui") && (to == "assets/web" || slices.Contains(shownRecords, to)):
		return ""
	case firstElement(to) == "appliance":
		return "nothing knows the appliance"
	}
	return "ui, engine, store and assets don't know each other"
}

func insideRoom(from, to string) string {
	if isBelow(to, from) {
		return ""
	}
	if isBelow(to, "store/storetest") {
		return "a conformance suite is for tests"
	}
	for name, may := range inner {
		if isBelow(from, name) && !isBelow(to, name) && !slices.Contains(may, to) {
			return fmt.Sprintf("%s imports %v of its room", name, may)
		}
	}
	if _, listed := inner[to]; listed && isBelow(from, to) {
		return "what lies inside " + to + " doesn't know it"
	}
	return ""
}

func insideAppliance(from, to string) string {
	if isBelow(from, "appliance/cmd") {
		return ""
	}
	fromPart, toPart := secondElement(from), secondElement(to)
	switch {
	case from != "appliance/console" && isBelow(from, "appliance/console") && isBelow(to, "appliance/console") &&
		!isSharedBySections(to):
		return "sections of the console share kit and booking, and don't know each other"
	case toPart == "cmd":
		return "nothing imports a command"
	case from == "appliance" || fromPart == toPart:
		return ""
	case toPart == "callplatform":
		return "only the wiring constructs the call platform"
	case fromPart == "callplatform" && to != "appliance": // the wiring of calls
		return ""
	case to == "appliance":
		return "the wiring knows its parts, not the other way round"
	case toPart == "service" && !slices.Contains(callersOfService, fromPart):
		return "only doors and the operator's commands call use cases"
	case fromPart == "service" && !slices.Contains(needsOfService, toPart):
		return "a use case knows the store, and no HTTP, page or worker"
	case slices.Contains(doors, toPart) && slices.Contains(doors, fromPart):
		return "doors don't call each other"
	case slices.Contains(doors, toPart):
		return "only the wiring knows doors"
	case slices.Contains(workers, toPart) && !slices.Contains(workers, fromPart):
		return "only the wiring and workers know workers: a door writes an intent into the store"
	}
	return ""
}

// isSharedBySections reports whether a package of the console is no section.
func isSharedBySections(path string) bool {
	return path == "appliance/console/kit" || path == "appliance/console/booking"
}

// firstElement returns a path's first element, part its second.
func firstElement(path string) string { return strings.SplitN(path, "/", 2)[0] }

func secondElement(path string) string {
	if elements := strings.Split(path, "/"); len(elements) > 1 {
		return elements[1]
	}
	return ""
}

// isBelow reports whether path is folder, or lies in it.
func isBelow(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }
