// Package video hosts videos: people upload or broadcast them, they are encoded, and
// others watch them.
//
// It speaks the API of api.video, so that its official clients work unchanged:
// names, shapes and codes on the wire are theirs (*_http.go), the words inside are
// ours. One [Service] is one environment: it has its database, its files and its
// keys.
//
// A video begins as a row. Its source arrives in parts, each of which is stored and
// acknowledged by itself; with the last one, a job is added in the same transaction.
// The job looks at the source and cuts it into chunks; each chunk is encoded in one
// pass into all renditions, by whichever process takes it, and every segment is
// stored as it is finished. Playlists are made of the rows that say what is there,
// so that a video plays while its end is still being encoded.
//
// A live stream is a row too, with a key. What is published with it is cut into
// segments as it comes, served at once, and is a video when it ends.
package video
