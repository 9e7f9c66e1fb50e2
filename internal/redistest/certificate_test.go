package redistest_test

import (
	"crypto/x509"
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAServerWithAnAuthorityIsBelievedByThoseWhoTrustItAlone(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Authority: redistest.NewAuthority(t), Password: "secret"})
	if err := server.Client().Ping(t.Context()).Err(); err != nil {
		t.Errorf("a client that trusts the authority: %v", err)
	}
	if !strings.HasPrefix(server.URL(), "rediss://") {
		t.Errorf("the scheme of %s is not that of TLS", server.URL())
	}
	options := server.ClientOptions()
	options.TLSConfig = redistest.NewAuthority(t).ClientConfig()
	stranger := redis.NewClient(options)
	t.Cleanup(func() { _ = stranger.Close() })
	var unknown x509.UnknownAuthorityError
	if err := stranger.Ping(t.Context()).Err(); !errors.As(err, &unknown) {
		t.Errorf("a client that trusts another authority: %v", err)
	}
	plain := redis.NewClient(redistest.ClientOptions(server.Addr()))
	t.Cleanup(func() { _ = plain.Close() })
	if err := plain.Ping(t.Context()).Err(); err == nil {
		t.Error("the server also speaks without TLS")
	}
}
