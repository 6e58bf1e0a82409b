package console

import (
	"net/http"

	"stoa/internal/web"
)

func (c *Console) videoRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/video/standings":                                   c.forOperator(c.getVideoStandings),
		"GET " + base + "/video/watermarks/{id}/picture":                     c.forOperator(c.getWatermark),
		"GET " + base + "/video/webhooks/{id}/deliveries":                    c.forOperator(c.listDeliveries),
		"POST " + base + "/video/webhooks/{id}/deliveries/{delivery}/resend": c.forOperator(c.postResend),
	}
}

// getWatermark is the picture of a watermark, which the video API never shows.
func (c *Console) getWatermark(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	picture, err := c.Video.OpenWatermark(call.r.Context(), call.r.PathValue("id"))
	if err != nil {
		return err
	}
	defer picture.Close()
	h := call.w.Header()
	h.Set("Content-Type", picture.Info.ContentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, max-age=86400, immutable")
	h.Set("ETag", `"`+picture.Info.ETag+`"`)
	http.ServeContent(call.w, call.r, "", picture.Info.Modified, picture)
	return nil
}
