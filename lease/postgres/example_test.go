package postgres_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/postgres"
)

func ExampleNew() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	if err := postgres.CreateTable(ctx, pool, ""); err != nil { // or what Schema gives, in a migration
		fmt.Println(err)
		return
	}
	store, err := postgres.New(ctx, pool, postgres.Config{Secret: []byte(os.Getenv("LEASE_SECRET")), MaxHold: 10 * time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := store.Acquire(ctx, "nightly", "host-a", lease.NewRequestID(), time.Minute)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Kind, answer.Grant.Token)
}

func ExampleSchema() {
	statement, err := postgres.Schema("jobs.leases")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(statement)
	// Output:
	// CREATE TABLE IF NOT EXISTS "jobs"."leases" (
	//   key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
	//   token bigint NOT NULL CHECK (token BETWEEN 1 AND 9007199254740991),
	//   owner text NOT NULL CHECK (owner COLLATE "C" ~ '^[A-Za-z0-9_.-]{1,64}$'),
	//   request bytea NOT NULL CHECK (octet_length(request) = 16),
	//   expires bigint NOT NULL CHECK (expires BETWEEN 0 AND latest),
	//   latest bigint NOT NULL CHECK (latest <= 9007199254740991),
	//   decided bigint NOT NULL,
	//   outcome smallint NOT NULL
	// ) WITH (fillfactor = 50)
}
