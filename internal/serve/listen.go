package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	maxConnections = 1000
	idlePatience   = 2 * time.Minute
	endPatience    = 1500 * time.Millisecond
)

// Serve answers the requests that come to a listener until the context ends; then it answers those that are open, and
// ends
// everything that runs.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: s.options.HeaderPatience, IdleTimeout: idlePatience,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, s.cancel) // polls and sync starts end
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		patience, cancel := context.WithTimeout(context.Background(), endPatience)
		defer cancel()
		if server.Shutdown(patience) != nil {
			_ = server.Close() // the clients that are left are cut off
		}
	}()
	err := server.Serve(&bounded{Listener: listener, free: s.options.Connections})
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
		<-ended
	}
	s.Close()
	return err
}

// bounded is a listener that refuses connections beyond a number.
type bounded struct {
	net.Listener
	mu   sync.Mutex
	free int
}

// Accept implements [net.Listener].
func (b *bounded) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		b.mu.Lock()
		full := b.free == 0
		if !full {
			b.free--
		}
		b.mu.Unlock()
		if !full {
			return &connection{Conn: c, of: b}, nil
		}
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		// it is refused in any case
		_, _ = c.Write([]byte("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
		_ = c.Close()
	}
}

// connection gives its place back when it is closed.
type connection struct {
	net.Conn
	of   *bounded
	once sync.Once
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.once.Do(func() {
		c.of.mu.Lock()
		c.of.free++
		c.of.mu.Unlock()
	})
	return c.Conn.Close()
}
