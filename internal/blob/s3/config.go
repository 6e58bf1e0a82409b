package s3

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"

	"stoa/internal/blob"
)

const (
	amazon    = "s3.amazonaws.com"
	maxPrefix = 256 // with a key of 512 bytes, well within the 1024 of S3
)

// Config says where a bucket is and who asks.
type Config struct {
	Bucket   string
	Prefix   string // what all keys begin with, without a slash at its ends; may be empty
	Endpoint string // host, or host:port
	Plain    bool   // http instead of https
	Region   string // empty: the store is asked

	AccessKey, SecretKey string
}

// Parse reads an address such as
//
//	s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=eu-central-1
//
// Without an endpoint it is Amazon's. Keys are no part of it: the caller adds
// them.
func Parse(address string) (Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		// The cause without the address, in which somebody may have put a key.
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err
		}
		return Config{}, fmt.Errorf("want an address s3://bucket/prefix?endpoint=https://host&region=name: %w", err)
	}
	c := Config{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/"), Endpoint: amazon}
	switch {
	case u.Scheme != "s3":
		return Config{}, fmt.Errorf("want an address that begins with s3://, not %q", u.Scheme)
	case u.User != nil:
		return Config{}, errors.New("keys do not belong in the address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	case u.Fragment != "":
		return Config{}, errors.New("want no # in the address")
	}
	if err := s3utils.CheckValidBucketNameStrict(c.Bucket); err != nil {
		return Config{}, fmt.Errorf("bucket %q: %w", c.Bucket, err)
	}
	if err := checkPrefix(c.Prefix); err != nil {
		return Config{}, err
	}
	if err := c.query(u.RawQuery); err != nil {
		return Config{}, err
	}
	return c, nil
}

func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	if len(prefix) > maxPrefix {
		return fmt.Errorf("the prefix is longer than %d bytes", maxPrefix)
	}
	if err := blob.CheckKey(prefix); err != nil {
		return fmt.Errorf("prefix: %w", err)
	}
	return nil
}

func (c *Config) query(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return fmt.Errorf("want ?endpoint=https://host&region=name: %w", err)
	}
	for name, values := range query {
		if len(values) != 1 {
			return fmt.Errorf("%s is given %d times", name, len(values))
		}
		switch name {
		case "endpoint":
			if err := c.endpoint(values[0]); err != nil {
				return err
			}
		case "region":
			c.Region = values[0]
		default:
			return fmt.Errorf("%s is not known: want endpoint or region", name)
		}
	}
	return nil
}

func (c *Config) endpoint(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
		u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want an endpoint such as https://host or http://host:port, with nothing behind it")
	}
	c.Endpoint, c.Plain = u.Host, u.Scheme == "http"
	return nil
}
