// Package stats counts what a process does and lets sinks carry it away.
//
// A [Registry] holds named counters, gauges and timers. Whoever counts keeps
// the pointer it got from the registry: adding to a [Counter] is one atomic
// operation, and a [Timer] hands each duration to the sinks that asked for it.
//
// A sink reads the registry, at its own pace and without stopping writers:
// statsd and dogstatsd send increases every flush interval, jsonlines prints
// them, prom shows totals at the moment of a scrape, and [Handler] shows them
// to a person. A sink that sends increases keeps a [Ledger] of what it sent,
// so that nothing is lost while the other side is away.
//
// Names are dotted paths made safe by [Clean]. Tags ride along and become
// whatever the sink has for them: labels, tags, or a suffix of the name.
package stats
