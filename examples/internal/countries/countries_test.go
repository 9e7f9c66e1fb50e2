package countries_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/examples/internal/countries"
)

func TestTheTableHoldsEveryCountryOnce(t *testing.T) {
	t.Parallel()
	all, err := countries.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 249 {
		t.Errorf("%d countries, ISO 3166-1 has 249", len(all))
	}
	alpha2, alpha3 := regexp.MustCompile(`^[A-Z]{2}$`), regexp.MustCompile(`^[A-Z]{3}$`)
	seen := map[any]string{}
	for _, c := range all {
		if !alpha2.MatchString(c.Alpha2) || !alpha3.MatchString(c.Alpha3) || c.Numeric < 4 || c.Numeric > 894 || c.Name == "" {
			t.Errorf("malformed row %+v", c)
		}
		for _, unique := range []any{c.Alpha2, c.Alpha3, c.Numeric, c.Name} {
			if other, twice := seen[unique]; twice {
				t.Errorf("%v stands at %s and at %s", unique, other, c.Alpha2)
			}
			seen[unique] = c.Alpha2
		}
	}
	if !slices.IsSortedFunc(all, func(a, b countries.Country) int { return strings.Compare(a.Alpha2, b.Alpha2) }) {
		t.Error("rows are not ordered by their alpha-2 code")
	}
}

func TestTheRepositoryReadsWhatItWasFilledWith(t *testing.T) {
	t.Parallel()
	repository := create(t)
	all, err := countries.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		got, err := repository.ByAlpha2(t.Context(), want.Alpha2)
		if err != nil || got != want {
			t.Errorf("ByAlpha2(%q) = %+v, %v; want %+v", want.Alpha2, got, err, want)
		}
	}
	if n, err := repository.Count(t.Context()); err != nil || n != len(all) {
		t.Errorf("Count = %d, %v; want %d", n, err, len(all))
	}
}

func TestAnUnknownCodeIsNoRows(t *testing.T) {
	t.Parallel()
	repository := create(t)
	if _, err := repository.ByAlpha2(t.Context(), "XX"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("reading: %v, want sql.ErrNoRows in its chain", err)
	}
	if err := repository.Rename(t.Context(), "XX", "Nowhere"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("renaming: %v, want sql.ErrNoRows in its chain", err)
	}
}

func TestRenameIsRead(t *testing.T) {
	t.Parallel()
	repository := create(t)
	if err := repository.Rename(t.Context(), "CZ", "Czech Republic"); err != nil {
		t.Fatal(err)
	}
	if c, err := repository.ByAlpha2(t.Context(), "CZ"); err != nil || c.Name != "Czech Republic" {
		t.Errorf("read %q, %v after the rename", c.Name, err)
	}
}

func TestALockedFileIsBusyUntilItIsUnlocked(t *testing.T) {
	t.Parallel()
	repository := create(t)
	unlock, err := repository.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = repository.ByAlpha2(t.Context(), "JP")
	if code, busy := countries.IsBusy(err); !busy || code != "sqlite_busy" {
		t.Errorf("IsBusy(%v) = %q, %t while locked", err, code, busy)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := repository.ByAlpha2(t.Context(), "JP"); err != nil {
		t.Errorf("reading after the unlock: %v", err)
	}
	if _, busy := countries.IsBusy(sql.ErrNoRows); busy {
		t.Error("an absence counts as a lock")
	}
}

func create(t *testing.T) *countries.Repository {
	t.Helper()
	repository, err := countries.Create(t.Context(), filepath.Join(t.TempDir(), "countries.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := repository.Close(); err != nil {
			t.Error(err)
		}
	})
	return repository
}
