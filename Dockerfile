# syntax=docker/dockerfile:1
# One image, one process. Building needs a network, running does not. See docs/how-to/run-it-on-a-server.md

FROM node:26-trixie-slim AS build
WORKDIR /app
# Copy the lockfile first, so that Docker caches the packages until it changes.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# The release contains the built server and interface, and a lockfile of the packages that the server imports.
RUN node scripts/boot.mjs release && mv dist/release/*/ /release
# Remove the Node.js that npm installs, because the image has its own.
RUN cd /release && npm ci --ignore-scripts && rm -rf node_modules/node-* node_modules/.bin/node

FROM node:26-trixie-slim
LABEL org.opencontainers.image.title="Dossier" org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 dossier \
 && useradd --uid 10001 --gid dossier --no-create-home --shell /usr/sbin/nologin dossier \
 && install -d -o dossier -g dossier -m 0700 /data
WORKDIR /app
# Owned by root: the server can read its own files but not change them.
COPY --from=build /release ./
# The same two memory settings as `npm start`; scripts/boot.mjs explains them.
ENV NODE_OPTIONS=--max-semi-space-size=8 \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=4100 \
    DOSSIER_DATA=/data
USER dossier
VOLUME /data
EXPOSE 4100
# Liveness, not readiness: a database outage must not restart the server.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node"]
# To run another command: docker run … dist/server/cli.js doctor
CMD ["dist/server/main.js"]
