package test
import ("testing";"fmt";"stoa/app";"stoa/internal/env";"stoa/ratelimit/redis";"stoa/ratelimit/memory";"stoa/ratelimit/memcache";caarlos "github.com/caarlos0/env/v11")
func TestZZ(t *testing.T){ fmt.Println(env.Names(app.Config{})); fmt.Println(env.Names(redis.Config{}),env.Names(memory.Config{}),env.Names(memcache.Config{}))
p,err:=caarlos.GetFieldParamsWithOptions(&redis.Config{},caarlos.Options{Environment:map[string]string{}}); fmt.Println(err); for _,x:=range p{fmt.Printf("%+v\n",x)} }
