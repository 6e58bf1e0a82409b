package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Certs are the PEM files of a TLS server: its authority, its own pair and a
// pair for clients.
type Certs struct {
	CA                    string
	ServerCert, ServerKey string
	ClientCert, ClientKey string
}

func makeCerts(dir string, hosts []string) (*Certs, error) {
	if len(hosts) == 0 {
		hosts = []string{"127.0.0.1", "localhost"}
	}
	authority := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "redistest authority"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	c := &Certs{CA: filepath.Join(dir, "ca.pem")}
	if err := writeCert(c.CA, "", authority, authorityKey, authority, authorityKey); err != nil {
		return nil, err
	}
	for i, name := range []string{"server", "client"} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		cert := &x509.Certificate{
			SerialNumber: big.NewInt(int64(i) + 2),
			Subject:      pkix.Name{CommonName: "redistest " + name},
			NotBefore:    authority.NotBefore,
			NotAfter:     authority.NotAfter,
			ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		}
		for _, host := range hosts {
			if ip := net.ParseIP(host); ip != nil {
				cert.IPAddresses = append(cert.IPAddresses, ip)
			} else {
				cert.DNSNames = append(cert.DNSNames, host)
			}
		}
		certFile, keyFile := filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
		if err := writeCert(certFile, keyFile, cert, key, authority, authorityKey); err != nil {
			return nil, err
		}
		if name == "server" {
			c.ServerCert, c.ServerKey = certFile, keyFile
		} else {
			c.ClientCert, c.ClientKey = certFile, keyFile
		}
	}
	return c, nil
}

func writeCert(certFile, keyFile string, cert *x509.Certificate, key *ecdsa.PrivateKey, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, parentKey)
	if err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(certFile, text, 0o600); err != nil || keyFile == "" {
		return err
	}
	if der, err = x509.MarshalPKCS8PrivateKey(key); err != nil {
		return err
	}
	return os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
}

// dial connects as the server wants it.
func (s *Server) dial() (net.Conn, error) {
	dialer := net.Dialer{Timeout: time.Second}
	switch {
	case s.set.socket:
		return dialer.Dial("unix", s.addr)
	case s.set.tls:
		pair, err := tls.LoadX509KeyPair(s.Certs.ClientCert, s.Certs.ClientKey)
		if err != nil {
			return nil, err
		}
		config := &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}} // only to see whether it is there
		return tls.DialWithDialer(&dialer, "tcp", s.addr, config)
	}
	return dialer.Dial("tcp", s.addr)
}
