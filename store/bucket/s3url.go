package bucket

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"munadi/store"
)

// Defaults of the S3 protocol.
const (
	amazon        = "https://s3.amazonaws.com"
	defaultRegion = "us-east-1"
)

// bucketName matches names that S3 accepts.
var bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// s3Location is a parsed s3:// URL.
type s3Location struct {
	bucket, prefix string // prefix is empty or ends in '/'
	endpoint       *url.URL
	region         string
	keys           s3Keys
}

// s3Keys are the credentials.
type s3Keys struct{ id, secret, token string }

// CheckURL checks an s3:// URL without its keys. The error never contains the URL, which might hold a secret by
// mistake.
func CheckURL(setting string) error {
	_, err := parseURL(setting, func(string) (string, bool) { return "", false })
	return err
}

// parseURL parses s3://BUCKET[/PREFIX]?endpoint=…&region=… and takes keys, and omitted parameters, from the usual
// environment variables.
func parseURL(setting string, lookup func(string) (string, bool)) (l s3Location, err error) {
	u, err := url.Parse(setting)
	if err != nil {
		return l, store.Errorf(store.CodeInvalid, "it is not a URL of the form s3://BUCKET[/PREFIX]?endpoint=…&region=…")
	}
	if u.User != nil {
		return l, store.Errorf(store.CodeInvalid,
			"keys do not belong in the URL: use the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	if l.bucket = u.Host; !bucketName.MatchString(l.bucket) {
		return l, store.Errorf(store.CodeInvalid, "%q is not a bucket name: 3 to 63 of a-z, 0-9, dot and hyphen", l.bucket)
	}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		l.prefix = prefix + "/"
	}
	options, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return l, store.Errorf(store.CodeInvalid, "the part after ? must be of the form name=value&name=value")
	}
	for name := range options {
		if name != "endpoint" && name != "region" {
			return l, store.Errorf(store.CodeInvalid, "the option %q is unknown: endpoint and region are accepted", name)
		}
	}
	variable := func(names ...string) string {
		for _, name := range names {
			if value, ok := lookup(name); ok && value != "" {
				return value
			}
		}
		return ""
	}
	l.keys = s3Keys{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"), variable("AWS_SESSION_TOKEN")}
	l.region = firstNonEmpty(options.Get("region"), variable("AWS_REGION", "AWS_DEFAULT_REGION"), defaultRegion)
	l.endpoint, err = parseEndpoint(firstNonEmpty(options.Get("endpoint"),
		variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"), amazon))
	return l, err
}

func firstNonEmpty(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// parseEndpoint parses http[s]://HOST[:PORT]; without a scheme it is https.
func parseEndpoint(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" ||
		u.Scheme != "http" && u.Scheme != "https" {
		return nil, store.Errorf(store.CodeInvalid, "the endpoint is not of the form https://HOST[:PORT]")
	}
	return u, nil
}

// isAmazon reports whether the endpoint is AWS's own, which has the bucket in the host's name.
func (l s3Location) isAmazon() bool {
	return strings.HasSuffix(l.endpoint.Hostname(), ".amazonaws.com")
}

// String names the bucket without keys.
func (l s3Location) String() string {
	return fmt.Sprintf("s3://%s/%s at %s", l.bucket, strings.TrimSuffix(l.prefix, "/"), l.endpoint.Host)
}
