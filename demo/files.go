package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"stoa/inventory/scaffold"
)

// fillFiles writes a rule file for the rate limiter and a cluster document. Files that
// are there stay: somebody may have changed them.
func (d *Demo) fillFiles(_ context.Context, s *step) error {
	s.begin(2)
	if err := d.writeRules(); err != nil {
		return err
	}
	s.next()
	text, err := scaffold.Document(scaffold.Options{Shape: "ha", Name: "k8s.example.com"})
	if err != nil {
		return err
	}
	d.made.Cluster = filepath.Join(d.Folder, "demo", "cluster.yaml")
	if err := writeNew(d.made.Cluster, text); err != nil {
		return err
	}
	s.next()
	return nil
}

const ruleFile = "demo.yaml"

const rules = `# Three requests a minute for each user of an API path; ten a second for everyone.
# Try it:
#   stoa ratelimit ask -domain demo -descriptors path=/api,user=u1
# Change a number and ask again: what is saved here holds within two seconds.
domain: demo
descriptors:
  - key: path
    value: /api*
    rate_limit: {unit: second, requests_per_unit: 10}
    descriptors:
      - key: user
        rate_limit: {unit: minute, requests_per_unit: 3}
  - key: plan # of a customer
    value: free
    rate_limit: {unit: hour, requests_per_unit: 100}
  - key: plan
    value: paid
    rate_limit: {unit: hour, requests_per_unit: 10000}
`

// writeRules adds the file only where there are no rules of others, which it could
// disturb.
func (d *Demo) writeRules() error {
	if d.Rules == "" {
		return nil
	}
	there, err := os.ReadDir(d.Rules)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	path := filepath.Join(d.Rules, ruleFile)
	for _, entry := range there {
		if entry.Name() == ruleFile {
			d.made.Rules = path
		}
	}
	if len(there) > 0 {
		return nil
	}
	if err := os.MkdirAll(d.Rules, 0o755); err != nil {
		return err
	}
	d.made.Rules = path
	return writeNew(path, []byte(rules))
}

// writeNew writes a file that is not there. One that is found half written after a
// crash could not be told from a changed one, so it appears whole.
func writeNew(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".demo-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
