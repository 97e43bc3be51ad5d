package locale_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The glossary: one term for one thing.
//
//	appliance, the computer that runs Munadi   الخادم      (الجهاز is only the reader's own device or a menu of another system)
//	administrator of the appliance             مدير الخادم (مشغّل is the role of a user)
//	the receiver of webhooks, "your server"    نظامك
//	webhook                                    إشعار       (تنبيه is an alert, تحذير a warning)
//	campaign                                   حملة
//	suppression list                           قائمة المنع
//	scenario, its line, its variable           سيناريو، سطر، قيمة
//	booking, answer of a person                حجز، إجابة
//	calling hours                              ساعات الاتصال
//	recording                                  تسجيل
//	API key, access token of the hub           مفتاح API، رمز الوصول
//	id of a request                            معرّف الطلب
//	organization                               منظمة
//	carrier, SIP trunk                         شركة الاتصالات، خط SIP
//	simulator                                  المحاكاة
//
// droppedTerms are other words for these things, with the term to use.
var droppedTerms = map[string]string{
	`خادمك`: "نظامك", `هذا الجهاز`: "هذا الخادم", `الأجهزة`: "الخوادم", `رقم الطلب"`: "معرّف الطلب",
	`المؤسسة`: "المنظمة", `مفتاح الإيقاف`: "إيقاف الاتصال", `الممنوعة\.`: "قائمة المنع", `الاتصال موقوف`: "الاتصال متوقف",
	`[^ء-يً-ْ]منادي`: "مُنادي", `جواب[^ء-ي]`: "إجابة", `مشغّل الخط`: "شركة الاتصالات", `ضبطه المشغّل`: "ضبطه مدير الخادم",
	`do-not-call list`: "suppression list", `on this machine`: "appliance", `[Tt]he server('s)? `: "the appliance",
	`[Nn]otification`: "webhook", `[Ss]erver microphone`: "Appliance microphone", `[Oo]pen hours`: "calling hours",
	`not found out"`: "unknown", `governor`: "administrator",
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
