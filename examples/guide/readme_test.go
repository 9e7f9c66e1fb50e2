package guide_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/examples/internal/countries"
)

func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "guide")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	repository, err := countries.Create(ctx, filepath.Join(folder, "countries.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer repository.Close()

	cache, err := memory.New(memory.Config[string, countries.Country]{
		TTL:        memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: 30 * time.Second},
		MaxEntries: 10_000,
	})
	if err != nil {
		log.Fatal(err)
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, countries.Country]{
		Name: "country", Cache: cache, Policy: cacheaside.BalancedPolicy(), AbsentErr: sql.ErrNoRows,
	})
	if err != nil {
		log.Fatal(err)
	}
	load := cacheaside.Classify(repository.ByAlpha2, cacheaside.Rules[countries.Country]{
		Absent:    func(err error) bool { return errors.Is(err, sql.ErrNoRows) },
		Transient: countries.IsBusy, // func(error) (code string, ok bool)
	})

	result, err := cacheaside.Get(ctx, region, "JP", load)
	fmt.Println(result.Status, result.Value.Name, err)
	result, err = cacheaside.Get(ctx, region, "JP", load)
	fmt.Println(result.Status, result.Value.Name, err)
	_, err = cacheaside.Get(ctx, region, "XX", load)
	fmt.Println(errors.Is(err, sql.ErrNoRows), err)

	// Output:
	// Loaded Japan <nil>
	// Fresh Japan <nil>
	// true cacheaside: region country: absent at the source (absent)
}
