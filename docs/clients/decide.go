// Package tollgate asks Tollgate for the budget of GraphQL operations.
package tollgate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Client keeps its connections open between calls.
type Client struct {
	URL, Token string
	HTTP       http.Client
}

// New returns a client that waits for at most 200 ms.
func New(url, token string) *Client {
	return &Client{URL: url, Token: token, HTTP: http.Client{Timeout: 200 * time.Millisecond}}
}

// Call posts a request, and reads the response into result.
func (c *Client) Call(path string, request, result any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	call, err := http.NewRequest("POST", c.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	call.Header.Set("content-type", "application/json")
	call.Header.Set("authorization", "Bearer "+c.Token)
	response, err := c.HTTP.Do(call)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		return fmt.Errorf("tollgate: status %d: %s %w", response.StatusCode, text, err)
	}
	return json.Unmarshal(text, result)
}

// Decision is the response of /v1/decide.
type Decision struct {
	Admitted   bool
	Status     int
	Headers    map[string]string
	Extensions json.RawMessage
	Errors     json.RawMessage
	Receipt    string
	DelayMs    int
}

// Middleware charges the operations of a GraphQL server. The estimate remains charged.
func (c *Client) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 100<<10))
		var sent map[string]any
		if json.Unmarshal(body, &sent) != nil {
			http.Error(w, "expected JSON", http.StatusBadRequest)
			return
		}
		sent = map[string]any{"query": sent["query"], "variables": sent["variables"], "operationName": sent["operationName"]}
		sent["headers"] = r.Header
		var decision Decision
		if err := c.Call("/v1/decide", sent, &decision); err != nil {
			http.Error(w, "the budget is unknown", http.StatusServiceUnavailable)
			return
		}
		for name, value := range decision.Headers {
			w.Header().Set(name, value)
		}
		if !decision.Admitted {
			w.Header().Set("content-type", "application/json")
			w.WriteHeader(decision.Status)
			_ = json.NewEncoder(w).Encode(map[string]any{"errors": decision.Errors, "extensions": decision.Extensions})
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
