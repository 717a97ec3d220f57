# An image with asldb and nothing else. Try it with
#
#	docker build -t asldb . && docker run --rm -v "$PWD:/work" asldb validate .
#	docker run --rm -p 8083:8083 asldb serve --listen 0.0.0.0 --allow-remote
#
# GO_IMAGE has Go and the certificates of the authorities that "asldb fetch" trusts. VERSION (1.2.3), COMMIT and DATE (in RFC 3339) are
# those of "asldb --version".
ARG GO_IMAGE=golang:1.26
FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
ARG COMMIT=
ARG DATE=
RUN names=$(go list -m)/internal/cli/command && \
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -o /image/asldb \
      -ldflags "-s -w -X $names.version=$VERSION -X $names.commit=$COMMIT -X $names.date=$DATE" . && \
    mkdir -p /image/etc/ssl/certs /image/tmp /image/work && \
    cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ && \
    chmod 1777 /image/tmp

FROM scratch
COPY --from=build /image/ /
ENV ASLDB_STATE=/tmp/asldb TERM=xterm-256color
WORKDIR /work
EXPOSE 8083
ENTRYPOINT ["/asldb"]
