package memcache

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gomemcache "github.com/bradfitz/gomemcache/memcache"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memcache/memcachetest"
)

func TestHitsOfOneKeyInOneCallAddUp(t *testing.T) {
	s := memcachetest.Start(t)
	c := running(t, of(s), Options{})
	add(t, c, "k", 10)
	hits := []ratelimit.Hit{
		{Key: []byte("k"), Window: minute, Add: 2},
		{Key: []byte("other"), Window: minute, Add: 1},
		{Key: []byte("k"), Window: minute, Add: 0},
		{Key: []byte("k"), Window: minute, Add: 5, Back: true},
		{Key: []byte("k"), Window: minute, Add: 100, Back: true},
		{Key: []byte("k"), Window: minute, Add: 3},
	}
	addAll(t, c, hits)
	if got, want := counts(hits), []uint64{12, 1, 12, 7, 0, 3}; !slices.Equal(got, want) {
		t.Errorf("got counts %v, want %v", got, want)
	}
	if got := add(t, c, "k", 0); got != 3 {
		t.Errorf("got %d stored, want 3: the writes kept no order", got)
	}
}

func TestNoKeyComesIntoBeingByLookingOrGivingBack(t *testing.T) {
	s := memcachetest.Start(t)
	c := running(t, of(s), Options{})
	hits := []ratelimit.Hit{
		{Key: []byte("looked"), Window: minute, Add: 0},
		{Key: []byte("given"), Window: minute, Add: 4, Back: true},
	}
	addAll(t, c, hits)
	if got, want := counts(hits), []uint64{0, 0}; !slices.Equal(got, want) {
		t.Errorf("got counts %v, want %v", got, want)
	}
	for _, key := range []string{"looked", "given"} {
		if got := stored(t, s, key); got != "" {
			t.Errorf("got %q stored for %s, want nothing", got, key)
		}
	}
}

func TestForeignValues(t *testing.T) {
	tests := []struct {
		name, value string
		want        uint64 // after one hit
	}{
		{"plain", "41", 42},
		{"blanks of a decrement", "9  ", 10},
		{"above 32 bits", "4294967296", 4294967297},
		{"highest", "18446744073709551615", 18446744073709551615},
		{"too high", "18446744073709551616", 1},
		{"negative", "-3", 1},
		{"text", "many", 1},
		{"empty", "", 1},
	}
	s := memcachetest.Start(t)
	c := running(t, of(s), Options{})
	client := gomemcache.New(s.Addr)
	defer client.Close()
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key := "k" + strconv.Itoa(i)
			if err := client.Set(&gomemcache.Item{Key: key, Value: []byte(tt.value)}); err != nil {
				t.Fatal(err)
			}
			if got := add(t, c, key, 1); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestBadKeysFailAlone(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	registry := stats.NewRegistry()
	c := running(t, of(s), Options{Failed: failed.failed, Stats: registry})
	longest := strings.Repeat("x", 250)
	call := func() []uint64 {
		hits := []ratelimit.Hit{
			{Key: []byte("good"), Window: minute, Add: 1},
			{Key: []byte(longest + "y"), Window: minute, Add: 1},
			{Key: []byte("a blank"), Window: minute, Add: 1},
			{Key: []byte("a\r\nflush_all\r\n"), Window: minute, Add: 1},
			{Key: []byte("delete\x7f"), Window: minute, Add: 1},
			{Key: nil, Window: minute, Add: 1},
			{Key: []byte(longest), Window: minute, Add: 1},
			{Key: []byte("größe_✓"), Window: minute, Add: 1},
		}
		addAll(t, c, hits)
		return counts(hits)
	}
	call()
	if got, want := call(), []uint64{2, 1, 1, 1, 1, 1, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("got counts %v, want %v", got, want)
	}
	if got := failed.Load(); got != 2 {
		t.Errorf("got %d failed calls, want 2", got)
	}
	if got := total(registry, "keys_requested", ""); got != 6 {
		t.Errorf("got %d keys requested, want 6", got)
	}
}

func TestManyLongKeysInOneCall(t *testing.T) {
	servers := []*memcachetest.Server{memcachetest.Start(t), memcachetest.Start(t)}
	c := running(t, of(servers...), Options{}).patient()
	var hits []ratelimit.Hit
	for i := range 500 {
		key := strings.Repeat("k", 240) + strconv.Itoa(i)
		hits = append(hits, ratelimit.Hit{Key: []byte(key), Window: minute, Add: uint32(i + 1)})
	}
	addAll(t, c, hits)
	addAll(t, c, hits)
	for i, h := range hits {
		if want := uint64(2 * (i + 1)); h.Count != want {
			t.Fatalf("key %d: got %d, want %d", i, h.Count, want)
		}
	}
}

func TestLongWindowsBite(t *testing.T) {
	s := memcachetest.Start(t)
	c := running(t, of(s), Options{Jitter: 300})
	for _, unit := range []ratelimit.Unit{ratelimit.Second, ratelimit.Week, ratelimit.Month, ratelimit.Year} {
		t.Run(unit.String(), func(t *testing.T) {
			window := ratelimit.Limit{Unit: unit}.Window(time.Now().Unix())
			hits := []ratelimit.Hit{{Key: []byte(unit.String()), Window: window, Add: 1}}
			addAll(t, c, hits)
			addAll(t, c, hits)
			if hits[0].Count != 2 {
				t.Errorf("got %d after two hits, want 2", hits[0].Count)
			}
			left, err := strconv.ParseInt(ttl(t, s, unit.String()), 10, 64)
			if err != nil || left < window.Seconds-1 || left > window.Seconds+300 {
				t.Errorf("kept for %d seconds, want %d to %d", left, window.Seconds, window.Seconds+300)
			}
		})
	}
}

func TestStatistics(t *testing.T) {
	s := memcachetest.Start(t)
	registry := stats.NewRegistry()
	c := running(t, of(s), Options{Stats: registry})
	add(t, c, "a", 1) // not found: increment misses, add
	add(t, c, "a", 1) // found: increment
	hits := []ratelimit.Hit{
		{Key: []byte("a"), Window: minute, Add: 1, Back: true},
		{Key: []byte("b"), Window: minute, Add: 1, Back: true},
	}
	addAll(t, c, hits)
	tests := []struct {
		name, code string
		want       uint64
	}{
		{"multiget", "success", 3}, {"multiget", "error", 0},
		{"keys_requested", "", 4}, {"keys_found", "", 2},
		{"increment", "success", 1}, {"increment", "miss", 1}, {"increment", "error", 0},
		{"decrement", "success", 1}, {"decrement", "miss", 1}, {"decrement", "error", 0},
		{"add", "success", 1}, {"add", "not_stored", 0}, {"add", "error", 0},
	}
	for _, tt := range tests {
		if got := total(registry, tt.name, tt.code); got != tt.want {
			t.Errorf("%s %s: got %d, want %d", tt.name, tt.code, got, tt.want)
		}
	}
}

func TestSpan(t *testing.T) {
	s := memcachetest.Start(t)
	recorder := tracetest.NewSpanRecorder()
	c := running(t, of(s), Options{Tracer: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))})
	add(t, c, "a", 1)
	spans := recorder.Ended()
	if len(spans) != 1 || spans[0].Name() != "Memcached Fetch Execution" {
		t.Fatalf("got spans %v, want one Memcached Fetch Execution", spans)
	}
	if got, want := spans[0].Attributes(), attribute.Int("keysToGet length", 1); !slices.Contains(got, want) {
		t.Errorf("got attributes %v, want %v", got, want)
	}
}
