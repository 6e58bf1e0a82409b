// Package rtmp lets publishers in by RTMP, and publishes to other servers.
//
// A [Server] meets a peer with the handshake, answers its commands up to the one that
// asks to publish, and takes the key of the stream from it to the [live.Door]. What
// comes then are tags of pictures and sound, plain ones and those of enhanced RTMP;
// they become frames of a [live.Feed]. A [Client] goes the same way from the other side.
//
// Chunks, messages and tags are read here, with bounds: a stranger gets a few kilobytes
// of memory and a few seconds. Handshakes and the values of commands (AMF0) are
// gortmplib's.
package rtmp
