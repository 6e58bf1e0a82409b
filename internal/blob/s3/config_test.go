package s3_test

import (
	"strings"
	"testing"

	"stoa/internal/blob/s3"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]s3.Config{
		"s3://media":                  {Bucket: "media", Endpoint: "s3.amazonaws.com"},
		"s3://media/":                 {Bucket: "media", Endpoint: "s3.amazonaws.com"},
		"s3://media/a/b/?region=eu-1": {Bucket: "media", Prefix: "a/b", Endpoint: "s3.amazonaws.com", Region: "eu-1"},
		"s3://media/a?endpoint=http://127.0.0.1:9000&region=us-east-1": {
			Bucket: "media", Prefix: "a", Endpoint: "127.0.0.1:9000", Plain: true, Region: "us-east-1"},
		"s3://my.media?endpoint=https%3A%2F%2Fstore.example%2F": {Bucket: "my.media", Endpoint: "store.example"},
	} {
		if got, err := s3.Parse(address); err != nil || got != want {
			t.Errorf("%s: got %+v, %v want %+v", address, got, err, want)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"":                                       "s3://",
		"https://media":                          "s3://",
		"s3://":                                  "bucket",
		"s3:///prefix":                           "bucket",
		"s3://UPPER":                             "bucket",
		"s3://media:9000":                        "bucket",
		"s3://key:hush@media":                    "AWS_ACCESS_KEY_ID",
		"s3://media/a/../b":                      "prefix",
		"s3://media/a//b":                        "prefix",
		"s3://media/a b":                         "prefix",
		"s3://media/" + strings.Repeat("a", 300): "prefix",
		"s3://media?endpoint=host:9000":          "endpoint",
		"s3://media?endpoint=":                   "endpoint",
		"s3://media?endpoint=http://host/path":   "endpoint",
		"s3://media?endpoint=http://k:s@host":    "endpoint",
		"s3://media?region=a&region=b":           "region is given 2 times",
		"s3://media?regoin=a":                    "regoin is not known",
		"s3://media?a;b":                         "endpoint",
		"s3://media#top":                         "#",
		"s3://key:hu%sh@media":                   "s3://bucket",
	} {
		_, err := s3.Parse(address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: got %v want a word of %q", address, err, want)
		}
	}
}

func TestKeysAreAskedFor(t *testing.T) {
	t.Parallel()
	if _, err := s3.New(s3.Config{Bucket: "media", Endpoint: "localhost", AccessKey: "key"}); err == nil ||
		!strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
		t.Errorf("got %v want the name of what is missing", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("s3://media/a?endpoint=http://127.0.0.1:9000&region=us-east-1")
	f.Fuzz(func(t *testing.T, address string) {
		c, err := s3.Parse(address)
		if err != nil {
			return
		}
		c.AccessKey, c.SecretKey = "key", "secret"
		s, err := s3.New(c)
		if err == nil {
			s.Close()
		}
	})
}
