// Package certtest makes certificates for tests, as PEM files in a folder.
package certtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Authority signs certificates. It is trusted by nobody but the test.
type Authority struct {
	File string // its own certificate
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// Pair is the files of a certificate and its key.
type Pair struct{ Cert, Key string }

// NewAuthority makes an authority with its files in dir.
func NewAuthority(dir string) (*Authority, error) {
	a := &Authority{File: filepath.Join(dir, "ca.pem"), dir: dir}
	template := certificate("test authority")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	a.cert = template
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	return a, os.WriteFile(a.File, encode("CERTIFICATE", der), 0o600)
}

// Issue makes NAME.pem and NAME.key, good for servers and clients, for host names
// and addresses. The same name again replaces the pair.
func (a *Authority) Issue(name string, hosts ...string) (Pair, error) {
	return a.IssueFor([]x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, name, hosts...)
}

// IssueFor is Issue for servers only, or for clients only.
func (a *Authority) IssueFor(usage []x509.ExtKeyUsage, name string, hosts ...string) (Pair, error) {
	cert, key, err := a.Sign(usage, name, hosts...)
	if err != nil {
		return Pair{}, err
	}
	pair := Pair{filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key")}
	if err := os.WriteFile(pair.Cert, cert, 0o600); err != nil {
		return Pair{}, err
	}
	return pair, os.WriteFile(pair.Key, key, 0o600)
}

// Sign makes a pair as PEM and leaves no file, so tests may call it side by side.
func (a *Authority) Sign(usage []x509.ExtKeyUsage, name string, hosts ...string) (cert, key []byte, err error) {
	template := certificate(name)
	template.ExtKeyUsage = usage
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make a key: %w", err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, private.Public(), a.key)
	if err != nil {
		return nil, nil, fmt.Errorf("make a certificate: %w", err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, fmt.Errorf("write a key: %w", err)
	}
	return encode("CERTIFICATE", der), encode("PRIVATE KEY", keyDER), nil
}

// Pool trusts the authority alone.
func (a *Authority) Pool() (*x509.CertPool, error) {
	text, err := os.ReadFile(a.File)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return pool, nil
}

func certificate(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
