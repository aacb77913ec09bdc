import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { readOpenApi } from '#api/system.ts'
import { createLruMap } from '#server/platform/lru-map.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { signedIn } from '#server/platform/http/access.ts'
import { acceptsGzip } from '#server/http/responses/compress-responses.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Actor } from '#domain/access/actor.ts'
import { setImmediate } from 'node:timers/promises'
import { VERSION } from '#server/platform/config/project-root.ts'
import { describePaths, describeSchemas } from './describe-collection.ts'
import { type Described, describeEndpoints } from './describe-endpoints.ts'
import { type Json, membersOf } from './json-schema.ts'

const documentHead = (publicUrl: URL): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Dossier',
    version: VERSION,
    summary: 'The API of this workspace, limited to what you can access.',
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: publicUrl.origin }],
  security: [{ bearer: [] }],
})

const BEARER: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token from Settings → API tokens, or the access token of a session.',
  },
}

type DescribedWorkspace = { readonly routes: () => readonly Route[]; readonly publicUrl: URL }

/**
 * Streams the document for one actor and yields to the event loop between pieces, because there may be 200 collections
 * with 500 fields each. Iterates over the collections twice, so that only one piece is in memory.
 */
function documentPrinter({ routes, publicUrl }: DescribedWorkspace) {
  let fixed: Promise<Described> | undefined
  return async function* (actor: Actor, { list }: Definitions): AsyncGenerator<string> {
    const { paths, schemas } = await (fixed ??= describeEndpoints(routes()))
    yield `{${membersOf(documentHead(publicUrl))},"paths":{${paths.join(',')}`
    for (const collection of list) {
      yield appendMembers(describePaths(actor, collection))
      await setImmediate()
    }
    yield `},"components":{"securitySchemes":${JSON.stringify(BEARER)},"schemas":{${schemas.join(',')}`
    for (const collection of list) {
      yield appendMembers(describeSchemas(actor, collection))
      await setImmediate()
    }
    yield '}}}'
  }
}

const appendMembers = (object: Json | undefined): string => (object ? `,${membersOf(object)}` : '')

/** A gzipped document and its ETag. */
type CachedDocument = { readonly packed: Buffer; readonly tag: string }

/** One document per set of permissions; each takes 1 MB for 200 collections with 500 fields. */
const MAX_CACHED = 4

type Print = (actor: Actor, definitions: Definitions) => AsyncIterable<string>

/** Compresses as a stream, because the document can be several megabytes. */
async function pack(pieces: AsyncIterable<string>): Promise<CachedDocument> {
  const hash = createHash('sha256')
  const gzip = createGzip()
  const [packed] = await Promise.all([
    buffer(gzip),
    pipeline(
      pieces,
      async function* (read) {
        for await (const piece of read) {
          hash.update(piece)
          yield piece
        }
      },
      gzip,
    ),
  ])
  return { packed, tag: `W/"${hash.digest('base64url')}"` }
}

/** Caches one document per version of the definitions and set of permissions. */
function createDocumentCache(print: Print): (actor: Actor, definitions: Definitions) => Promise<CachedDocument> {
  const kept = createLruMap<Promise<CachedDocument>>(MAX_CACHED)

  return (actor, definitions) => {
    const rights = actor.type === 'user' ? JSON.stringify(actor.grants) : actor.type
    const key = `${definitions.version} ${rights}`
    const known = kept.find(key)
    if (known) return known
    const made = pack(print(actor, definitions))
    kept.set(key, made)
    void made.then(undefined, () => kept.delete(key))
    return made
  }
}

export type OpenApiDeps = DescribedWorkspace & { readonly definitions: DefinitionsCache }

const NOT_MODIFIED = 304

/** Decompresses the document for clients that don't accept gzip. */
const unpacked = (packed: Buffer): Readable => Readable.from([packed]).pipe(createGunzip())

export function openApiRoutes({ definitions, ...workspace }: OpenApiDeps): readonly Route[] {
  const documentFor = createDocumentCache(documentPrinter(workspace))
  return [
    route(readOpenApi, signedIn, async ({ actor, request, reply }) => {
      const { packed, tag } = await documentFor(actor, await definitions.current())
      reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'authorization, accept-encoding' })
      if (request.headers['if-none-match'] === tag) return void reply.code(NOT_MODIFIED).send()
      reply.type('application/json; charset=utf-8')
      if (!acceptsGzip(request.headers['accept-encoding'])) return void reply.send(unpacked(packed))
      return void reply.header('content-encoding', 'gzip').send(packed)
    }),
  ]
}
