package video

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// videoList asks for a page of the videos of a project that are in a state.
type videoList struct {
	project string
	state   videoState
	page    paging.Page

	column     string // that it is sorted by
	descending bool

	title, description string   // contained, whatever the case
	tags               []string // all of them
	metadata           []pair   // all of them
	liveStream         string
}

// videoOrders are the columns that lists can be sorted by.
var videoOrders = map[string]string{
	"title": "title_order", "createdAt": "created_at", "publishedAt": "published_at", "updatedAt": "updated_at",
}

// maxLabels is how many tags and metadata one query may ask for.
const maxLabels = 100

// readVideoList reads a query. A filter without a value is none.
func readVideoList(q url.Values, project string, state videoState) (videoList, error) {
	l := videoList{
		project: project, state: state,
		title: q.Get("title"), description: q.Get("description"), liveStream: q.Get("liveStreamId"),
	}
	page, badPage := paging.Read(q)
	by, descending, badOrder := paging.Order(q, "createdAt desc", "title", "createdAt", "publishedAt", "updatedAt")
	l.page, l.column, l.descending = page, videoOrders[by], descending
	problems := []*problem.Error{
		checkFilter("title", l.title), checkFilter("description", l.description), checkFilter("liveStreamId", l.liveStream),
	}
	return l, problem.Join(badPage, badOrder, problem.All(append(problems, l.readLabels(q)...)...))
}

// readLabels reads tags[]=…, which some write as tags=… or tags[0]=…, and
// metadata[key]=….
func (l *videoList) readLabels(q url.Values) (problems []*problem.Error) {
	for _, name := range slices.Sorted(maps.Keys(q)) { // the same query has the same text
		values := q[name]
		base, key, bracket := strings.Cut(name, "[")
		key, closed := strings.CutSuffix(key, "]")
		switch {
		case base == "tags" && bracket == closed:
			for _, tag := range values {
				problems = append(problems, checkFilter("tags[]", tag))
				l.tags = append(l.tags, tag)
			}
		case base == "metadata" && bracket && closed && key != "":
			for _, value := range values {
				problems = append(problems, checkFilter("metadata", key), checkFilter("metadata", value))
				l.metadata = append(l.metadata, pair{key, value})
			}
		case base == "metadata":
			problems = append(problems, problem.Query("metadata", "Ask for metadata as metadata[key]=value."))
		}
	}
	l.tags = slices.DeleteFunc(l.tags, func(tag string) bool { return tag == "" })
	if len(l.tags) > maxLabels {
		problems = append(problems, problem.Query("tags[]", "Ask for at most %d tags.", maxLabels))
	}
	if len(l.metadata) > maxLabels {
		problems = append(problems, problem.Query("metadata", "Ask for at most %d metadata.", maxLabels))
	}
	return problems
}

// filtered tells whether not all videos of the project and state are asked for.
func (l videoList) filtered() bool {
	return l.title != "" || l.description != "" || l.liveStream != "" || len(l.tags)+len(l.metadata) > 0
}

// where is the condition for a video to be in the list, with its arguments.
func (l videoList) where() (text string, args []any) {
	var all strings.Builder
	and := func(condition string, values ...any) {
		numbers := make([]any, len(values))
		for i := range values {
			numbers[i] = len(args) + i + 1
		}
		fmt.Fprintf(&all, " AND "+condition, numbers...)
		args = append(args, values...)
	}
	args = []any{l.project, l.state}
	all.WriteString(`project = $1 AND state = $2`)
	// LIKE takes seconds for a long text that is almost the filter again and again. That
	// something can be taken away from it is found much sooner, in both databases.
	if l.title != "" {
		and(`replace(title_key, $%d, '') <> title_key`, foldCase(l.title))
	}
	if l.description != "" {
		and(`replace(description_key, $%d, '') <> description_key`, foldCase(l.description))
	}
	if l.liveStream != "" {
		and(`live_stream_id = $%d`, l.liveStream)
	}
	for _, tag := range l.tags {
		and(`id IN (SELECT video_id FROM video_tags WHERE tag = $%d)`, tag)
	}
	for _, p := range l.metadata {
		and(`EXISTS (SELECT 1 FROM video_metadata m WHERE m.video_id = videos.id AND m.key = $%d AND m.value = $%d)`, p.Key, p.Value)
	}
	return all.String(), args
}
