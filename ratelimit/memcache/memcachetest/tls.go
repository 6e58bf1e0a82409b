package memcachetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Files are the paths of what a client needs to speak with a TLS server.
type Files struct {
	CA         string // the authority of both certificates
	ClientCert string
	ClientKey  string
}

// StartTLS runs a memcached that speaks TLS only, with a certificate for the
// names, and wants a certificate from its clients.
func StartTLS(t testing.TB, names ...string) (*Server, Files) {
	t.Helper()
	dir := t.TempDir()
	ca := newAuthority(t, dir)
	cert, key := ca.issue(t, dir, "server", names)
	files := Files{CA: ca.file}
	files.ClientCert, files.ClientKey = ca.issue(t, dir, "client", nil)
	options := "ssl_chain_cert=" + cert + ",ssl_key=" + key + ",ssl_ca_cert=" + ca.file + ",ssl_verify_mode=2"
	return start(t, "-Z", "-o", options), files
}

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t testing.TB, dir string) *authority {
	t.Helper()
	ca := &authority{key: newKey(t), file: filepath.Join(dir, "ca.pem")}
	template := certificate(1, "test authority")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, ca.key.Public(), ca.key)
	if err != nil {
		t.Fatal(err)
	}
	if ca.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	writePEM(t, ca.file, "CERTIFICATE", der)
	return ca
}

func (ca *authority) issue(t testing.TB, dir, name string, hosts []string) (certFile, keyFile string) {
	t.Helper()
	template := certificate(2, name)
	template.DNSNames = hosts
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, key.Public(), ca.key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
	writePEM(t, certFile, "CERTIFICATE", der)
	writePEM(t, keyFile, "PRIVATE KEY", keyDER)
	return certFile, keyFile
}

func certificate(serial int64, name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func writePEM(t testing.TB, file, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}
