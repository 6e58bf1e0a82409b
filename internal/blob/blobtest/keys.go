package blobtest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/fault"
)

func listInOrder(t *testing.T, s blob.Store) {
	dir := folder()
	want := []string{"B", "a", "a-b", "a.b/c", "b/c-d", "b/c.d", "b/c/d", "b/c/e", "b/cd", "b-c/d", "ba", "c"}
	for _, name := range want {
		put(t, s, dir+name, name)
	}
	slices.Sort(want)
	for _, prefix := range []string{"", "a", "b", "b/", "b/c", "b/c/", "b/c/d", "b/c/d/", "x", "a.b"} {
		var matching []string
		for _, name := range want {
			if strings.HasPrefix(name, prefix) {
				matching = append(matching, dir+name)
			}
		}
		if got := list(t, s, dir+prefix); !slices.Equal(got, matching) {
			t.Errorf("%q: got %q want %q", prefix, got, matching)
		}
	}
	for info, err := range s.List(t.Context(), dir+"b/c/d") {
		opened := open(t, s, dir+"b/c/d").Info
		opened.ContentType = ""
		if err != nil || info != opened {
			t.Errorf("got %+v, %v want %+v", info, err, opened)
		}
	}
	for _, err := range s.List(t.Context(), "../") {
		if err != nil {
			t.Errorf("a prefix of no key: got %v want nothing", err)
		}
	}
	for _, err := range s.List(t.Context(), "a\x00") {
		if !errors.Is(err, fault.Invalid) {
			t.Errorf("a prefix that is none: got %v want %v", err, fault.Invalid)
		}
	}
}

func listStops(t *testing.T, s blob.Store) {
	dir := folder()
	for _, name := range []string{"a", "b/c", "d"} {
		put(t, s, dir+name, name)
	}
	for n := range 3 {
		seen := 0
		for range s.List(t.Context(), dir) {
			if seen++; seen > n {
				break
			}
		}
		if seen != n+1 {
			t.Errorf("got %d want %d", seen, n+1)
		}
	}
}

func oddKeys(t *testing.T, s blob.Store) {
	dir := folder()
	for _, name := range []string{
		".hidden", "...", "..a", "a..", "-", "--help", "_", "a.b.c/.d/e", "CON", "0",
		strings.Repeat("s", 255),
		strings.Repeat("d/", 100) + "e",
	} {
		put(t, s, dir+name, name)
		wantData(t, s, dir+name, name)
		if got := list(t, s, dir+name); !slices.Contains(got, dir+name) {
			t.Errorf("%s: not listed in %q", name, got)
		}
	}
	long := dir + strings.Repeat("l/", (511-len(dir))/2)
	long += strings.Repeat("l", 512-len(long))
	put(t, s, long, "long")
	wantData(t, s, long, "long")
}

func badKeys(t *testing.T, s blob.Store) {
	for _, key := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/..", "a b", "a\x00b", "a\\b", "a\nb",
		"ä", "\xff", "~incoming/a", "a:b", "a%2fb", "a?b", "a#b", "a*", "a+b",
		strings.Repeat("a", 256),
		strings.Repeat("a/", 256) + "b",
	} {
		if _, err := s.Put(t.Context(), key, strings.NewReader("x"), ""); !errors.Is(err, fault.Invalid) {
			t.Errorf("Put %.20q: got %v want %v", key, err, fault.Invalid)
		}
		if _, err := s.Open(t.Context(), key); !errors.Is(err, fault.Invalid) {
			t.Errorf("Open %.20q: got %v want %v", key, err, fault.Invalid)
		}
		if err := s.Delete(t.Context(), key); !errors.Is(err, fault.Invalid) {
			t.Errorf("Delete %.20q: got %v want %v", key, err, fault.Invalid)
		}
	}
}

func badTypes(t *testing.T, s blob.Store) {
	key := folder() + "a"
	for _, contentType := range []string{"a/b\r\nX-C: d", "ä/b", " a/b", strings.Repeat("a", 256)} {
		if _, err := s.Put(t.Context(), key, strings.NewReader("x"), contentType); !errors.Is(err, fault.Invalid) {
			t.Errorf("%.20q: got %v want %v", contentType, err, fault.Invalid)
		}
	}
	wantAbsent(t, s, key)
}

// keyIsNoFolder lets a store take such keys, as Amazon's does, or refuse them.
func keyIsNoFolder(t *testing.T, s blob.Store) {
	dir := folder()
	put(t, s, dir+"a", "a")
	put(t, s, dir+"b/c/d", "d")
	for _, key := range []string{"a/b", "a/b/c", "b", "b/c"} {
		_, err := s.Put(t.Context(), dir+key, strings.NewReader(key), "")
		switch {
		case err == nil:
			wantData(t, s, dir+key, key)
		case !errors.Is(err, blob.ErrFolder):
			t.Errorf("%s: got %v want %v", key, err, blob.ErrFolder)
		default:
			wantAbsent(t, s, dir+key)
		}
	}
	wantData(t, s, dir+"a", "a")
	wantData(t, s, dir+"b/c/d", "d")
}
