package console

import (
	"time"

	"stoa/video"
)

// delivery is an event that a webhook was told.
type delivery struct {
	ID        string    `json:"id"`
	Event     string    `json:"event"`
	Body      string    `json:"body"`
	State     string    `json:"state"`
	Tries     int       `json:"tries"`
	Status    int       `json:"status"`  // 0: nobody answered
	Problem   string    `json:"problem"` // of the last try
	TookMS    int64     `json:"tookMs"`  // the last try
	Again     bool      `json:"again"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

func deliveryOf(d video.Delivery) delivery {
	state := "waiting"
	switch {
	case d.Done && d.Problem == "":
		state = "delivered"
	case d.Done:
		state = "failed"
	}
	return delivery{
		ID: d.ID, Event: d.Event, Body: d.Body, State: state, Tries: d.Tries, Status: d.Status, Problem: d.Problem,
		TookMS: d.Took.Milliseconds(), Again: d.Again, CreatedAt: d.Created.Truncate(time.Second), UpdatedAt: d.Updated.Truncate(time.Second),
	}
}

const deliveriesAtOnce = 25

// listDeliveries is what a webhook was told, the newest first.
func (c *Console) listDeliveries(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	q := call.r.URL.Query()
	log, err := c.Video.Deliveries(call.r.Context(), call.r.PathValue("id"), video.LogQuery{
		State: q.Get("state"), After: q.Get("after"), Limit: deliveriesAtOnce + 1,
	})
	if err != nil {
		return err
	}
	answer := struct {
		Deliveries []delivery `json:"deliveries"`
		Next       string     `json:"next"` // for after; "": these are the oldest
	}{Deliveries: []delivery{}}
	for i, d := range log {
		if i == deliveriesAtOnce {
			answer.Next = log[i-1].ID
			break
		}
		answer.Deliveries = append(answer.Deliveries, deliveryOf(d))
	}
	return call.answer(answer)
}

// postResend has an event told once more.
func (c *Console) postResend(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	again, err := c.Video.SendAgain(call.r.Context(), call.r.PathValue("id"), call.r.PathValue("delivery"))
	if err != nil {
		return err
	}
	return call.answer(deliveryOf(again))
}
