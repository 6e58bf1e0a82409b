// Package blob keeps named bytes: pictures, films and what is made of them.
//
// A [Store] is a folder (file), a bucket (s3) or memory; all of them pass
// blobtest.Run, which is the definition of a correct one. Callers choose keys
// such as "000/000/815/large.jpeg" and never meet a path:
//
//	info, err := store.Put(ctx, "815/large.jpeg", picture, "image/jpeg")
//	…
//	object, err := store.Open(ctx, "815/large.jpeg")
//	if err != nil {
//		return err // fault.NotFound, fault.Unavailable
//	}
//	defer object.Close()
//	http.ServeContent(w, r, "", object.Info.Modified, object)
//
// What may be a key is said by [CheckKey]. A key must not be the folder of
// another: with a/b stored, some stores refuse a, and the other way round.
package blob

import (
	"context"
	"io"
	"iter"
	"time"

	"stoa/internal/fault"
)

// What every store answers. The text is for a stranger; the error that a store
// returns has the reason for the log as well.
var (
	ErrNotFound    = fault.New(fault.NotFound, "no such object")
	ErrUnavailable = fault.New(fault.Unavailable, "the storage cannot be reached now: try again later")
	ErrFolder      = fault.New(fault.Invalid, "the name of an object is the folder of another: choose another name")
	ErrChanged     = fault.New(fault.Unavailable, "the object was replaced while it was read: open it again")
)

// Store keeps named bytes. It may be used by many at the same time.
type Store interface {
	// Put keeps all that r gives under a key, in place of what was there. When
	// it returns, the bytes survive a crash, and a reader sees all of the old
	// or all of the new. If reading fails, or ctx ends before r does, nothing
	// has changed, and the error leads to that of r or ctx. After
	// ErrUnavailable the old or the new is there: put it again.
	Put(ctx context.Context, key string, r io.Reader, contentType string) (Info, error)

	// Open finds an object or answers ErrNotFound. What is read is all of one
	// version: if the object is replaced meanwhile, reading goes on with the
	// old one or ends with ErrChanged. The caller closes it. ctx must last
	// until then.
	Open(ctx context.Context, key string) (*Object, error)

	// Delete forgets an object. One that is not there is no error.
	Delete(ctx context.Context, key string) error

	// List goes through the keys that begin with prefix, in the order of their
	// bytes. An error is the last that it yields.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]

	// Check tells whether the store can be used at all; if not, what to do. One
	// that does not answer is ErrUnavailable.
	Check(ctx context.Context) error
}

// Info says what is known of an object.
type Info struct {
	Key         string
	ContentType string // as given to Put; List leaves it empty
	ETag        string // changes with the bytes, survives a restart; without quotes
	Size        int64
	Modified    time.Time // whole seconds, UTC; zero from Put
}

// Object is an object opened for reading, from any position.
type Object struct {
	io.ReadSeekCloser
	Info Info
}
