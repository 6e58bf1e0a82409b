package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"stoa/internal/db"
)

// examineStorage looks at what each environment keeps.
func (c *Config) examineStorage(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var findings []Finding
	for _, name := range Environments() {
		where, err := c.Settings.place(name)
		if err != nil {
			findings = append(findings, Finding{name, true, err.Error(), ""})
			continue
		}
		findings = append(findings, where.examineDB(ctx), where.examineFiles(ctx, c.Bucket))
	}
	return findings
}

func (p place) examineDB(ctx context.Context) Finding {
	what := p.environment + " database"
	if !p.db.postgres() {
		if _, err := os.Stat(string(p.db)); errors.Is(err, fs.ErrNotExist) { // opening it would make it
			return Finding{what, true, string(p.db) + " is made at the first start", ""}
		}
	}
	d, err := db.Open(ctx, string(p.db), db.Options{})
	if err != nil {
		return Finding{what, false, err.Error(), "start it, or correct STOA_DB (staging: STOA_SECOND_DB)"}
	}
	defer d.Close()
	files, err := pending(ctx, d)
	switch {
	case err != nil:
		return Finding{what, false, err.Error(), "see whether this program is older than the database"}
	case files > 0:
		return Finding{what, true, fmt.Sprintf("answers, and has to be brought up to date, files: %d", files), "serve does it when it starts, stoa migrate beforehand"}
	}
	return Finding{what, true, "answers, and is up to date", ""}
}

func (p place) examineFiles(ctx context.Context, keys bucketKeys) Finding {
	what := p.environment + " files"
	if !p.blob.s3() {
		f := examineData(string(p.blob))
		f.What = what
		return f
	}
	bucket, err := openBucket(p.blob, keys)
	if err == nil {
		defer bucket.Close()
		err = bucket.Check(ctx)
	}
	if err != nil {
		return Finding{what, false, err.Error(), "correct STOA_BLOB (staging: STOA_SECOND_BLOB) or the keys"}
	}
	return Finding{what, true, "the bucket answers", ""}
}

// examinePublic looks at the listeners for people, and at whom they ask.
func (c *Config) examinePublic() []Finding {
	s := c.Settings
	findings := []Finding{examinePort("web port", string(s.Listen), "STOA_LISTEN")}
	if s.second() == nil {
		findings = append(findings, examinePort("web port of staging", string(s.SecondListen), "STOA_SECOND_LISTEN"))
	}
	if s.TLSCert != "" {
		f := Finding{"certificate", true, s.TLSCert, ""}
		if _, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey); err != nil {
			f = Finding{"certificate", false, err.Error(), "correct STOA_TLS_CERT and STOA_TLS_KEY"}
		}
		findings = append(findings, f)
	}
	if s.LimitsAddress != "" {
		network, address := s.LimitsAddress.dial()
		findings = append(findings, examineAddress("limits", network, address, "start a rate limit service there, or correct STOA_LIMITS_ADDRESS; until then this process decides"))
	}
	return findings
}
