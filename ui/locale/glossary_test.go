package locale_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// droppedTerms are other words for the things of the glossary (docs/ar/glossary.md), with the term to use.
var droppedTerms = map[string]string{
	`خادمك`: "نظامك", `هذا الجهاز`: "هذا الخادم", `الأجهزة`: "الخوادم", `رقم الطلب"`: "معرّف الطلب",
	`المؤسسة`: "المنظمة", `مفتاح الإيقاف`: "إيقاف الاتصال", `الممنوعة\.`: "قائمة المنع", `الاتصال موقوف`: "الاتصال متوقف",
	`[^ء-يً-ْ]منادي`: "مُنادي", `جواب[^ء-ي]`: "إجابة", `مشغّل الخط`: "شركة الاتصالات", `ضبطه المشغّل`: "ضبطه مدير الخادم",
	`do-not-call list`: "suppression list", `on this machine`: "appliance", `[Tt]he server('s)? `: "the appliance",
	`[Nn]otification`: "webhook", `[Ss]erver microphone`: "Appliance microphone", `[Oo]pen hours`: "calling hours",
	`منذ"`: "a word before a time that says منذ itself", `ince"`: "a word before a time that says “ago” itself",
	`not found out"`: "unknown", `governor`: "administrator", `كلمة السر`: "كلمة المرور", `الجدار الناري`: "جدار الحماية",
}

// hasArabic matches a text of a section: its Arabic and English are on one line.
var hasArabic = regexp.MustCompile(`[ء-ي]`)

// TestDroppedTerms: texts use the terms of the glossary.
func TestDroppedTerms(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "*", "*.go"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		reportDroppedTerms(t, name, string(source))
	}
}

// reportDroppedTerms looks at each line; the texts of the browser's own microphone speak of the reader's device.
func reportDroppedTerms(t *testing.T, name, source string) {
	t.Helper()
	inLocale := !strings.Contains(name, "..")
	for number, line := range strings.Split(strings.ReplaceAll(source, "لا ميكروفون في هذا الجهاز", ""), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "//") || !inLocale && !hasArabic.MatchString(line) {
			continue
		}
		for dropped, term := range droppedTerms {
			if found := regexp.MustCompile(dropped).FindString(line); found != "" {
				t.Errorf("%s:%d says %q; the term is %q", name, number+1, found, term)
			}
		}
	}
}

// quotedExamples are quotations in the Arabic pages that are no texts of the interface.
var quotedExamples = []string{
	"الجهاز", "هذه مكالمة آلية من العيادة", "لا تتصلوا بي مرة أخرى", "23 نوفمبر 2026", "13 جمادى الآخرة 1448هـ", "4:30 م",
	"٤ عصراً", "الرابعة والنصف عصرا", "غدًا", "الخميس",
}

// emphasized is in bold in the Arabic pages, and no label of the interface.
var emphasized = []string{"تُعاد", "العربية"}

// TestArabicPages: the Arabic pages use the terms of the glossary, which are those of the interface; what they quote
// stands in the interface, and what is in bold is a label there.
func TestArabicPages(t *testing.T) {
	t.Parallel()
	words := interfaceWords(t)
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "ar", "*.md"))
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, name := range append(pages, filepath.Join("..", "..", "README.ar.md")) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for dropped, term := range droppedTerms {
			if found := regexp.MustCompile(dropped).FindString(string(source)); found != "" {
				t.Errorf("%s says %q; the term is %q", name, found, term)
			}
		}
		for _, quoted := range regexp.MustCompile(`«([^»]+)»`).FindAllStringSubmatch(string(source), -1) {
			if !slices.Contains(quotedExamples, quoted[1]) && !strings.Contains(words, quoted[1]) {
				t.Errorf("%s quotes %q, which is not in the interface", name, quoted[1])
			}
		}
		for _, bold := range regexp.MustCompile(`\*\*([^*]+)\*\*`).FindAllStringSubmatch(string(source), -1) {
			if !slices.Contains(emphasized, bold[1]) && !strings.Contains(words, `"`+bold[1]+`"`) {
				t.Errorf("%s has the label %q in bold, which is no text of the interface", name, bold[1])
			}
		}
		if filepath.Base(name) != "glossary.md" {
			continue
		}
		for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*[ء-ي][^|]*) \| [A-Za-z]`).FindAllStringSubmatch(string(source), -1) {
			for _, term := range strings.Split(row[1], "، ") {
				if !strings.Contains(words, term) {
					t.Errorf("the glossary's %q is not in the interface", term)
				}
			}
		}
	}
}

// TestEnglishPages: what is in italics in the English pages is a text of the interface.
func TestEnglishPages(t *testing.T) {
	t.Parallel()
	words, labels := interfaceWords(t), 0
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(pages, filepath.Join("..", "..", "README.md")) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`").ReplaceAllString(string(source), "")
		for _, label := range regexp.MustCompile(`(?:^|[^*\w])\*([A-Z][^*\n]+)\*(?:[^*\w]|$)`).FindAllStringSubmatch(text, -1) {
			if labels++; !strings.Contains(words, `"`+label[1]+`"`) {
				t.Errorf("%s has the label %q in italics, which is no text of the interface", name, label[1])
			}
		}
	}
	if labels < 20 {
		t.Errorf("only %d labels were found", labels)
	}
}

// interfaceWords returns the source of every section's texts.
func interfaceWords(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{filepath.Join("..", "*", "*.go"), filepath.Join("..", "..", "appliance", "console", "*", "section.go")} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") {
				all.Write(source)
			}
		}
	}
	return all.String()
}
