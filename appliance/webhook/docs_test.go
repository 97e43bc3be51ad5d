package webhook_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"munadi/appliance/webhook"
	"munadi/store/delivery"
)

// documentedCheck is the signature check of docs/webhooks.md in one language, with a main program around it that takes
// secret, id, timestamp, signatures and body as arguments and says true or false.
type documentedCheck struct {
	language, program string // of the code block; the program that must be installed
	file, main        string // the file of the block; its last lines
	run               []string
}

func documentedChecks() []documentedCheck {
	return []documentedCheck{
		{
			"python", "python3", "check.py", "import sys\nprint(verify(*sys.argv[1:5], sys.argv[5].encode()))\n",
			[]string{"python3", "check.py"},
		},
		{
			"javascript", "node", "check.js",
			"const a = process.argv.slice(2);\nconsole.log(verify(a[0], a[1], a[2], a[3], Buffer.from(a[4])));\n",
			[]string{"node", "check.js"},
		},
		{
			"go", "go", "check.go",
			"func main() { a := os.Args; fmt.Println(verify(a[1], a[2], a[3], a[4], []byte(a[5]))) }\n",
			[]string{"go", "run", "check.go"},
		},
		{
			"java", "java", "Signature.java",
			"class Main { public static void main(String[] a) throws Exception {\n" +
				"System.out.println(Signature.verify(a[0], a[1], a[2], a[3], a[4].getBytes(StandardCharsets.UTF_8))); } }\n",
			[]string{"java", "-cp", ".", "Main"},
		},
		{
			"php", "php", "check.php", "echo verify(...array_slice($argv, 1)) ? 'true' : 'false';\n",
			[]string{"php", "check.php"},
		},
	}
}

// TestDocumentedSignatureChecks runs the checks of docs/webhooks.md on what is sent.
func TestDocumentedSignatureChecks(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range documentedChecks() {
		t.Run(check.language, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(check.program); err != nil {
				t.Skip(check.program + " is not installed")
			}
			run := check.prepare(t, string(page))
			for _, one := range signatureCases(t) {
				got := strings.ToLower(run(one.args...))
				if got != strconv.FormatBool(one.valid) {
					t.Errorf("%s: %s", one.name, got)
				}
			}
		})
	}
}

// prepare writes the program, compiles it if the language needs that, and returns how it is run.
func (c documentedCheck) prepare(t *testing.T, page string) func(args ...string) string {
	t.Helper()
	_, block, there := strings.Cut(page, "```"+c.language+"\n")
	block, _, _ = strings.Cut(block, "```")
	if !there {
		t.Fatalf("no block of %s", c.language)
	}
	block = strings.Replace(block, "import (\n", "import (\n\t\"fmt\"\n\t\"os\"\n", 1)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, c.file), []byte(block+c.main), 0o600); err != nil {
		t.Fatal(err)
	}
	output := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = folder
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		return strings.TrimSpace(string(said))
	}
	run := c.run
	switch c.language {
	case "java":
		output("javac", c.file)
	case "go":
		output("go", "build", "-o", "check", c.file)
		run = []string{"./check"}
	}
	return func(args ...string) string { return output(append(run[:len(run):len(run)], args...)...) }
}

type signatureCase struct {
	name  string
	args  []string // secret, id, timestamp, signatures, body
	valid bool
}

// signatureCases are bodies signed by [webhook.SignHeaders], and what must be refused.
func signatureCases(t *testing.T) []signatureCase {
	t.Helper()
	now := time.Now()
	older, newer := delivery.NewSecret(now), delivery.NewSecret(now)
	const id, body = "evt_1", `{"name":"سارة"}`
	sign := func(at time.Time, secrets ...delivery.SigningSecret) (timestamp, signatures string) {
		h := http.Header{}
		if err := webhook.SignHeaders(h, secrets, id, at, []byte(body)); err != nil {
			t.Fatal(err)
		}
		return h.Get("Webhook-Timestamp"), h.Get("Webhook-Signature")
	}
	stamp, signed := sign(now, older)
	_, rotated := sign(now, newer, older)
	old, late := sign(now.Add(-time.Hour), older)
	secret := older.Value
	return []signatureCase{
		{"as sent", []string{secret, id, stamp, signed, body}, true},
		{"while the secret is changed", []string{secret, id, stamp, rotated, body}, true},
		{"another body", []string{secret, id, stamp, signed, body + " "}, false},
		{"another id", []string{secret, "evt_2", stamp, signed, body}, false},
		{"another secret", []string{newer.Value, id, stamp, signed, body}, false},
		{"an hour ago", []string{secret, id, old, late, body}, false},
		{"no time", []string{secret, id, "soon", signed, body}, false},
		{"no signature", []string{secret, id, stamp, "", body}, false},
	}
}
