package adapters

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidisaside"
)

// watchedClient is a rueidis client whose commands are counted, and whose marks are remembered: rueidisaside marks in Redis that a client lives, under
// names that it draws, more of them than it deletes where several loads begin at once. They would expire by themselves within 10 s.
type watchedClient struct {
	rueidis.Client
	count func()

	mu    sync.Mutex
	marks map[string]bool
}

func (p Place) watched(option rueidis.ClientOption) (rueidis.Client, error) {
	client, err := rueidis.NewClient(option)
	if err != nil {
		return nil, err
	}
	return &watchedClient{Client: client, count: p.count, marks: map[string]bool{}}, nil
}

// Do is the way of all commands of rueidisaside but for reads.
func (c *watchedClient) Do(ctx context.Context, cmd rueidis.Completed) rueidis.RedisResult {
	c.count()
	if words := cmd.Commands(); len(words) > 1 && words[0] == "SET" && strings.HasPrefix(words[1], rueidisaside.PlaceholderPrefix) {
		c.mu.Lock()
		c.marks[strings.Clone(words[1])] = true
		c.mu.Unlock()
	}
	return c.Client.Do(ctx, cmd)
}

// DoCache is a read; what this process has already is no command.
func (c *watchedClient) DoCache(ctx context.Context, cmd rueidis.Cacheable, ttl time.Duration) rueidis.RedisResult {
	result := c.Client.DoCache(ctx, cmd, ttl)
	if !result.IsCacheHit() {
		c.count()
	}
	return result
}

// Close takes back the marks of this client, and no others.
func (c *watchedClient) Close() {
	c.mu.Lock()
	var marks []string
	for mark := range c.marks {
		marks = append(marks, mark)
	}
	c.mu.Unlock()
	if len(marks) > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit/2)
		_ = c.Client.Do(ctx, c.Client.B().Del().Key(marks...).Build()).Error() // where nobody answers, they expire
		cancel()
	}
	c.Client.Close()
}
