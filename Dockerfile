# syntax=docker/dockerfile:1
# One image, one process. Built with a network, run without one. What each line is for: docs/how-to/run-it-on-a-server.md

FROM node:24-bookworm-slim AS build
WORKDIR /app
# The lockfile alone first: as long as it stays, what it names is not installed again.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY tsconfig.json tsconfig.base.json vite.config.ts ./
COPY scripts ./scripts
COPY domain ./domain
COPY api ./api
COPY web ./web
COPY server ./server
# By the Node that npm brought, the one that will run it.
RUN node_modules/.bin/node node_modules/vite/bin/vite.js build --logLevel warn

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Dossier" org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 dossier \
 && useradd --uid 10001 --gid dossier --no-create-home --shell /usr/sbin/nologin dossier \
 && install -d -o dossier -g dossier -m 0700 /data
WORKDIR /app
# All of it belongs to root: the server may read what it is made of, and change nothing of it.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/domain ./domain
COPY --from=build /app/api ./api
COPY --from=build /app/server ./server
COPY --from=build /app/dist ./dist
# The two memory settings are those of `npm start`; scripts/boot.mjs says why.
ENV NODE_OPTIONS=--max-semi-space-size=4 \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=4100 \
    DOSSIER_DATA=/data
USER dossier
VOLUME /data
EXPOSE 4100
# Alive, not ready: a server whose database is away must not be killed for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/node_modules/.bin/node"]
# Another command: docker run … server/cli.ts doctor
CMD ["server/main.ts"]
