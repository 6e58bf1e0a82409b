package file

import "os"

// File is the file of an open object, for who sends it without reading it. Only the
// first Info.Size bytes are the object's. The position of the file is the caller's:
// reading the object does not move it.
func (b bytesOf) File() *os.File { return b.Closer.(*os.File) }
