// Package credential makes and checks what callers prove themselves with: auth
// tokens, anonymous ids, embed and confirmation tokens, poll keys, passwords.
//
// What is signed is signed by a [Keyring], the keys of one environment, with
// the environment's name in every signature: another environment refuses it
// even with the same keys. Nothing here is stored; the database keeps the keys,
// hashes of tokens and passwords, and the [Voter] of each vote, from which no
// credential can be had back.
//
// Checks answer yes or no. Why a credential is refused is nobody's business.
package credential
