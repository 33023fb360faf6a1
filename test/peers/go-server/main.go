// Command server runs the middleware in front of a server without limits.
//
// It forwards admitted operations to EXECUTOR. It prints its port when it is ready.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"

	"tollgate.test/server/tollgate"
)

func main() {
	executor, err := url.Parse(os.Getenv("EXECUTOR"))
	if err != nil {
		panic(err)
	}
	client := tollgate.New(os.Getenv("TOLLGATE"), os.Getenv("TOLLGATE_TOKEN"))
	client.HTTP.Timeout = 30 * time.Second
	forward := httputil.NewSingleHostReverseProxy(executor)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() { _ = http.Serve(listener, client.Middleware(forward)) }()
	// The test closes the input when it has ended.
	_, _ = io.Copy(io.Discard, os.Stdin)
}
