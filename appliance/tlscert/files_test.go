package tlscert_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/tlscert"
)

// servedName is the name of the certificate that a source serves.
func servedName(s tlscert.CertificateSource) string {
	return strings.Join(tlscert.CertificateNames(tlscert.LeafCertificate(s)), " ")
}

// TestFilesAreTakenOverWhenTheyChange: a right pair takes the old one's place, and nothing else does.
func TestFilesAreTakenOverWhenTheyChange(t *testing.T) {
	t.Parallel()
	live, first, second, past := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	selfSigned(t, first, "first.test", "19990101", "20300101")
	selfSigned(t, second, "second.test", "19990101", "20300101")
	selfSigned(t, past, "past.test", "19980101", "19990101")
	cert, key := filepath.Join(live, "cert.pem"), filepath.Join(live, "key.pem")
	writeFile(t, readFile(t, first, "cert.pem"), cert)
	writeFile(t, readFile(t, first, "key.pem"), key)
	synctest.Test(t, func(t *testing.T) {
		log, book := newLogger()
		s, err := tlscert.NewFileSource(cert, key, log)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() { _ = s.Run(ctx) }()
		look := func(want, said string) {
			t.Helper()
			<-time.After(time.Minute)
			synctest.Wait()
			if got := servedName(s); got != want {
				t.Errorf("%s serves, want %s", got, want)
			}
			if n := strings.Count(book.String(), said); n != 1 {
				t.Errorf("%q is said %d times:\n%s", said, n, book)
			}
			book.Reset()
		}
		writeFile(t, readFile(t, second, "cert.pem"), cert)
		look("first.test", "is not the key of the certificate")
		writeFile(t, readFile(t, second, "key.pem"), key)
		look("second.test", "a new TLS certificate serves")
		writeFile(t, []byte("rubbish"), cert)
		look("second.test", "holds no certificate in PEM")
		if err := os.Remove(cert); err != nil {
			t.Fatal(err)
		}
		look("second.test", "there is no file")
		writeFile(t, readFile(t, past, "cert.pem"), cert)
		writeFile(t, readFile(t, past, "key.pem"), key)
		look("second.test", "expired on 1999-01-01")
		writeFile(t, readFile(t, first, "cert.pem"), cert)
		writeFile(t, readFile(t, first, "key.pem"), key)
		look("first.test", "a new TLS certificate serves")
	})
}

func TestFilesWarnBeforeTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	selfSigned(t, dir, "short.test", "19991231", "20000103")
	synctest.Test(t, func(t *testing.T) { // it is 2000-01-01; three quarters of the three days are over after 30 hours
		log, book := newLogger()
		s, err := tlscert.NewFileSource(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), log)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() { _ = s.Run(ctx) }()
		<-time.After(29 * time.Hour)
		synctest.Wait()
		if strings.Contains(book.String(), "expires or has expired") {
			t.Errorf("it warns too early:\n%s", book)
		}
		<-time.After(4 * time.Hour)
		synctest.Wait()
		if n := strings.Count(book.String(), "expires or has expired"); n != 1 {
			t.Errorf("warned %d times in a day:\n%s", n, book)
		}
	})
}

// TestFilesSayWhatIsWrong: what the operator reads at the start.
func TestFilesSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir, other, old := t.TempDir(), t.TempDir(), t.TempDir()
	selfSigned(t, dir, "a.test", "20200101", "20990101")
	selfSigned(t, other, "b.test", "20200101", "20990101")
	selfSigned(t, old, "old.test", "19980101", "19990101")
	runOpenSSL(t, dir, "pkey", "-in", "key.pem", "-aes256", "-passout", "pass:secret", "-out", "locked.pem")
	writeFile(t, nil, dir, "empty.pem")
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct{ cert, key, want string }{
		{at("cert.pem"), at("key.pem"), ""},
		{at("none.pem"), at("key.pem"), "tls-cert: there is no file"},
		{at("cert.pem"), at("none.pem"), "tls-key: there is no file"},
		{at("key.pem"), at("cert.pem"), "exchange them"},
		{at("empty.pem"), at("key.pem"), "holds no certificate in PEM"},
		{at("cert.pem"), at("cert.pem"), "holds no private key in PEM"},
		{at("cert.pem"), at("locked.pem"), "locked by a passphrase"},
		{at("cert.pem"), filepath.Join(other, "key.pem"), "is not the key of the certificate"},
		{filepath.Join(old, "cert.pem"), filepath.Join(old, "key.pem"), "expired on 1999-01-01"},
	} {
		log, _ := newLogger()
		_, err := tlscert.NewFileSource(c.cert, c.key, log)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %s: %v, want %q", filepath.Base(c.cert), filepath.Base(c.key), err, c.want)
		}
	}
}
