// Package encode turns a source into the tracks that players are served.
//
// A [Plan] is made once for a source and kept: it says the frame rate, the
// renditions, and how the time line is cut. Frame n of the video is shown at
// n/Rate from its beginning, a segment is a fixed number of frames, and a chunk
// is a few segments. So every worker that has the plan cuts at the same frames,
// and the chunks of several workers, in any order, join without a seam:
//
//	plan, err := encode.NewPlan(media, encode.Options{})
//	for n := range plan.Chunks() { // each maybe on another machine
//		err := encode.Chunk(ctx, runner, source, plan, n, plan.FirstSegment(n), sink)
//	}
//	err = encode.Audio(ctx, runner, source, plan, sink) // if plan.Audio >= 0
//
// A chunk is one run of ffmpeg on one core: decoded once, scaled and encoded for
// every rendition, each as fragmented MP4 in a pipe of its own. What comes out is
// cut into segments, set to its place on the time line and given to the [Sink]
// at once. The sound is one run for the whole source, as it is cheap and must
// have no joins.
package encode
