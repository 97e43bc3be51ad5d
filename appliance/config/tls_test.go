package config_test

import (
	"strings"
	"testing"

	"munadi/appliance/config"
)

func TestWhereTheCertificateComesFrom(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                                  config.TLSNone,
		"--tls-cert=c --tls-key=k":          "files",
		"--tls=local":                       config.TLSLocal,
		"--tls=none":                        config.TLSNone,
		"--tls=acme --acme-domains=a.b,c.d": config.TLSACME,
		"--tls=acme --public-url=https://calls.example.com":        config.TLSACME,
		"--tls=local --redirect=:80 --public-url=https://box:8443": config.TLSLocal,
	} {
		c, err := loadConfig(t, nil, append([]string{"serve"}, strings.Fields(args)...)...)
		if err != nil || c.CertificateMode() != want || c.UsesTLS() != (want != config.TLSNone) {
			t.Errorf("%s: %q, %v, want %q", args, c.CertificateMode(), err, want)
		}
	}
}

func TestSettingsOfTLSThatCannotBe(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--tls=yes":                                     `--tls: "yes" is not one of`,
		"--tls-cert=c":                                  "--tls-cert: tls-key is missing",
		"--tls-key=k":                                   "--tls-key: tls-cert is missing",
		"--tls=local --tls-cert=c --tls-key=k":          "--tls-cert: cannot be combined with tls local",
		"--tls=acme":                                    "--acme-domains: a public CA needs a domain name",
		"--tls=acme --acme-domains=10.0.0.1":            `--acme-domains: "10.0.0.1" is not a name`,
		"--tls=acme --acme-domains=box":                 `--acme-domains: "box" is not a name`,
		"--tls=acme --acme-domains=*.example.com":       `--acme-domains: "*.example.com" is not a name`,
		"--tls=local --public-url=http://a.example.com": "--tls: the listener uses TLS",
		"--redirect=:80":                                "--redirect: there is no HTTPS",
		"--tls=local --redirect=80":                     `--redirect: "80" is not an address`,
		"--tls=local --listen=:443 --redirect=:443":     "--redirect: port 443 is that of listen",
		"--trusted-proxies=10.0.0.0/8,nginx":            `--trusted-proxies: "nginx" is not a network`,
	} {
		_, err := loadConfig(t, nil, append([]string{"serve"}, strings.Fields(args)...)...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	c, err := loadConfig(t, map[string]string{"MUNADI_TRUSTED_PROXIES": "10.1.2.3/8, 192.0.2.7 ::ffff:198.51.100.1,fd00::/8"}, "serve")
	if err != nil || c.TrustedProxies != "10.0.0.0/8,192.0.2.7/32,198.51.100.1/32,fd00::/8" || len(c.TrustedProxies.Prefixes()) != 4 {
		t.Errorf("%q, %v", c.TrustedProxies, err)
	}
}
