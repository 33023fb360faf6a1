// Package tollgate asks Tollgate for a decision about each operation of a GraphQL server.
package tollgate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"time"
)

const maxBodyBytes = 100 << 10

// Client keeps its connections open between calls.
type Client struct {
	URL, Token string
	HTTP       http.Client
}

// New returns a client that waits for a decision for at most 200 ms.
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
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("tollgate: status %d: %s", response.StatusCode, text)
	}
	return json.Unmarshal(text, result)
}

// object is a JSON object. Its values are not parsed, so that they do not change.
type object map[string]json.RawMessage

// Decision is the response of /v1/decide.
type Decision struct {
	Admitted                 bool
	Status                   int
	Headers                  map[string]string
	Data, Errors, Extensions json.RawMessage
	Query                    json.RawMessage
	Receipt                  string
	DelayMs                  float64
}

// Settlement is the response of /v1/settle.
type Settlement struct {
	Headers    map[string]string
	Extensions object
}

// Middleware charges the operations of a GraphQL server, and adds their costs to its responses.
func (c *Client) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server could run operations of other requests, which Tollgate would not charge.
		if r.Method != http.MethodPost {
			w.Header().Set("allow", "POST")
			fail(w, http.StatusMethodNotAllowed, "expected POST")
			return
		}
		// The server receives JSON below. It could otherwise not detect a form of another site.
		if media, _, _ := mime.ParseMediaType(r.Header.Get("content-type")); media != "application/json" {
			fail(w, http.StatusUnsupportedMediaType, "expected application/json")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			fail(w, http.StatusRequestEntityTooLarge, "the body is too large")
			return
		}
		sent := operationOf(body)
		address, _, _ := net.SplitHostPort(r.RemoteAddr)
		request := map[string]any{"headers": r.Header, "address": address}
		if id := idOf(body); id != nil {
			request["documentId"] = id
		}
		for name, value := range sent {
			request[name] = value
		}
		var decision Decision
		if c.Call("/v1/decide", request, &decision) != nil {
			w.Header().Set("retry-after", "1")
			fail(w, http.StatusServiceUnavailable, "no decision")
			return
		}
		if !decision.Admitted {
			denial := object{"data": decision.Data, "errors": decision.Errors, "extensions": decision.Extensions}
			answer(w, decision.Status, decision.Headers, denial)
			return
		}
		if !wait(r.Context(), decision.DelayMs) {
			c.settle(decision, map[string]any{"hasNotRun": true})
			return
		}
		// The server runs the text of a registered document, because it knows no ids.
		if decision.Query != nil {
			sent["query"] = decision.Query
		}
		c.run(w, r, next, sent, decision)
	})
}

// run runs an admitted operation, settles it, and sends the response.
func (c *Client) run(w http.ResponseWriter, r *http.Request, next http.Handler, sent object, decision Decision) {
	priced, _ := json.Marshal(sent)
	inner := r.Clone(r.Context())
	// The server receives exactly the operation that Tollgate has priced. The request can contain
	// another one in its query string, or a second member of the same name.
	inner.URL.RawQuery = ""
	inner.Body, inner.ContentLength = io.NopCloser(bytes.NewReader(priced)), int64(len(priced))
	inner.Header.Set("content-type", "application/json")
	inner.Header.Set("content-length", strconv.Itoa(len(priced)))
	inner.Header.Del("accept-encoding") // Tollgate reads the response.
	kept := &response{header: http.Header{}, status: http.StatusOK}
	defer func() {
		if failure := recover(); failure != nil {
			c.settle(decision, nil)
			panic(failure)
		}
	}()
	next.ServeHTTP(kept, inner)
	var result object
	given := map[string]any{}
	// If the client has left, the server may have stopped the operation, so its cost is unknown.
	if r.Context().Err() == nil && json.Unmarshal(kept.body.Bytes(), &result) == nil {
		for _, name := range []string{"data", "errors"} {
			if value, ok := result[name]; ok {
				given[name] = value
			}
		}
	}
	settlement, err := c.settle(decision, given)
	for name, values := range kept.header {
		w.Header()[name] = values
	}
	if result == nil || err != nil {
		w.WriteHeader(kept.status)
		_, _ = w.Write(kept.body.Bytes())
		return
	}
	extensions := object{}
	_ = json.Unmarshal(result["extensions"], &extensions)
	if extensions == nil {
		extensions = object{}
	}
	for name, value := range settlement.Extensions {
		extensions[name] = value
	}
	result["extensions"], _ = json.Marshal(extensions)
	w.Header().Del("content-length")
	answer(w, kept.status, settlement.Headers, result)
}

// settle reports the result of an operation. Without members, the estimate remains charged.
func (c *Client) settle(decision Decision, members map[string]any) (settlement Settlement, err error) {
	request := map[string]any{"receipt": decision.Receipt}
	for name, value := range members {
		request[name] = value
	}
	err = c.Call("/v1/settle", request, &settlement)
	return
}

// operationOf returns the operation of a request. Tollgate rejects an operation without a query.
func operationOf(body []byte) object {
	var sent object
	_ = json.Unmarshal(body, &sent)
	operation := object{}
	for _, name := range []string{"query", "variables", "operationName"} {
		if value, ok := sent[name]; ok {
			operation[name] = value
		}
	}
	return operation
}

// idOf returns the id of a document in the forms that clients send.
func idOf(body []byte) json.RawMessage {
	var sent struct {
		DocumentID json.RawMessage `json:"documentId"`
		DocID      json.RawMessage `json:"doc_id"`
		Extensions struct {
			PersistedQuery struct {
				Hash json.RawMessage `json:"sha256Hash"`
			} `json:"persistedQuery"`
		} `json:"extensions"`
	}
	_ = json.Unmarshal(body, &sent)
	for _, id := range []json.RawMessage{sent.DocumentID, sent.DocID, sent.Extensions.PersistedQuery.Hash} {
		if id != nil && string(id) != "null" {
			return id
		}
	}
	return nil
}

// wait waits before an operation runs. It returns false if the client leaves.
func wait(gone context.Context, delayMs float64) bool {
	select {
	case <-gone.Done():
		return false
	case <-time.After(time.Duration(delayMs * float64(time.Millisecond))):
		return true
	}
}

func fail(w http.ResponseWriter, status int, message string) {
	errors, _ := json.Marshal([]map[string]string{{"message": message}})
	answer(w, status, nil, object{"errors": errors})
}

func answer(w http.ResponseWriter, status int, headers map[string]string, body object) {
	for name, value := range body {
		if value == nil {
			delete(body, name)
		}
	}
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// response collects the response of a server.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *response) Header() http.Header            { return r.header }
func (r *response) WriteHeader(status int)         { r.status = status }
func (r *response) Write(part []byte) (int, error) { return r.body.Write(part) }
