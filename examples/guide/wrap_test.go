package guide_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/examples/guide"
	"github.com/cacheaside/resilience/examples/internal/countries"
)

// reader is what callers of the repository depend on, with or without a cache.
type reader interface {
	ByAlpha2(ctx context.Context, code string) (countries.Country, error)
	Rename(ctx context.Context, code, name string) error
}

var (
	_ reader = (*countries.Repository)(nil)
	_ reader = (*guide.Countries)(nil)
)

func TestTheWrappedRepositoryAnswersWhileTheSourceIsLocked(t *testing.T) {
	t.Parallel()
	source, wrapped := wrap(t)
	if _, err := wrapped.ByAlpha2(t.Context(), "JP"); err != nil {
		t.Fatal(err)
	}
	unlock, err := source.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := wrapped.ByAlpha2(t.Context(), "JP"); err != nil || c.Name != "Japan" {
		t.Errorf("read %q, %v while the source is locked", c.Name, err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestTheWrappedRepositoryKeepsItsErrors(t *testing.T) {
	t.Parallel()
	_, wrapped := wrap(t)
	for _, when := range []string{"from the source", "from the cache"} {
		if _, err := wrapped.ByAlpha2(t.Context(), "XX"); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("%s: %v, want sql.ErrNoRows in its chain", when, err)
		}
	}
}

func TestARenameIsReadAtOnce(t *testing.T) {
	t.Parallel()
	_, wrapped := wrap(t)
	if _, err := wrapped.ByAlpha2(t.Context(), "CZ"); err != nil {
		t.Fatal(err)
	}
	if err := wrapped.Rename(t.Context(), "CZ", "Czech Republic"); err != nil {
		t.Fatal(err)
	}
	if c, err := wrapped.ByAlpha2(t.Context(), "CZ"); err != nil || c.Name != "Czech Republic" {
		t.Errorf("read %q, %v after the rename", c.Name, err)
	}
}

func wrap(t *testing.T) (*countries.Repository, *guide.Countries) {
	t.Helper()
	cache, err := guide.NewMemoryCache()
	if err != nil {
		t.Fatal(err)
	}
	return wrapWith(t, cache)
}

func wrapWith(t *testing.T, cache cacheaside.Cache[string, guide.Country]) (*countries.Repository, *guide.Countries) {
	t.Helper()
	source, err := countries.Create(t.Context(), filepath.Join(t.TempDir(), "countries.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	})
	wrapped, err := guide.NewCountries(source, cache)
	if err != nil {
		t.Fatal(err)
	}
	return source, wrapped
}
