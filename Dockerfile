# The image of Soundings: Node and what "npm pack" gives, and nothing else: no shell, no package manager, no root (D-683).
#
#   docker build --tag soundings .
#   docker run --read-only --tmpfs /tmp --volume soundings:/data --publish 127.0.0.1:8080:8080 soundings
#
# BASE only builds: any image with Node 20 or later, npm and glibc will do. What runs is the Node of package-lock.json.
ARG BASE=node:26-bookworm-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp
RUN sh deploy/image-root.sh /tmp/soundings-*.tgz /image

FROM scratch
ARG VERSION=0.2.1
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Soundings" \
      org.opencontainers.image.description="Collects customer feedback, measures it, and provisions the users who work with it." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/ /
ENV HOST=0.0.0.0 \
    PORT=8080 \
    DATABASE_URL=sqlite:/data/soundings.db
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8080
# It answers half a second longer, then finishes what is under way: give it 15 seconds before it is killed.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/bin/node", "/opt/soundings/health.mjs"]
ENTRYPOINT ["/usr/bin/node", "/opt/soundings/bin/soundings.js"]
CMD ["serve"]
