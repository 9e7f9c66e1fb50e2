package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority is a certificate authority that lives as long as a test, and the certificate that it gave to a server on the loopback address.
type Authority struct {
	root             *x509.Certificate
	certificate, key []byte // of the server, in PEM
}

// NewAuthority makes an authority that nobody but the test trusts. Its certificates are valid for an hour.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a, err := newAuthority()
	if err != nil {
		t.Fatalf("redistest: certificate: %v", err)
	}
	return a
}

func newAuthority() (*Authority, error) {
	root := template(1, "root of a test")
	root.IsCA, root.KeyUsage = true, x509.KeyUsageCertSign
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	signed, err := x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey)
	if err != nil {
		return nil, err
	}
	if root, err = x509.ParseCertificate(signed); err != nil {
		return nil, err
	}
	server := template(2, "server of a test")
	server.KeyUsage, server.IPAddresses = x509.KeyUsageDigitalSignature, []net.IP{net.IPv4(127, 0, 0, 1)}
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, server, root, serverKey.Public(), rootKey)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalECPrivateKey(serverKey)
	if err != nil {
		return nil, err
	}
	return &Authority{
		root:        root,
		certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf}),
		key:         pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: key}),
	}, nil
}

func template(serial int64, name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(time.Hour),
	}
}

// ClientConfig returns a configuration that trusts the authority alone.
func (a *Authority) ClientConfig() *tls.Config {
	roots := x509.NewCertPool()
	roots.AddCert(a.root)
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// write puts the server's certificate and its key into the server's directory.
func (a *Authority) write(dir string) error {
	for name, text := range map[string][]byte{certificatePath(dir): a.certificate, keyPath(dir): a.key} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return fmt.Errorf("redistest: certificate: %w", err)
		}
	}
	return nil
}

func certificatePath(dir string) string { return filepath.Join(dir, "server.crt") }

func keyPath(dir string) string { return filepath.Join(dir, "server.key") }
