import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readOpenApi } from '#api/system.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { signedIn } from '#server/platform/http/access.ts'
import { acceptsGzip } from '#server/http/responses/compress-responses.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { createDocumentCache } from './document-cache.ts'
import { type DescribedWorkspace, documentPrinter } from './print-document.ts'

/** What describing a workspace needs. */
export type OpenApiDeps = DescribedWorkspace & { readonly definitions: DefinitionsCache }

const NOT_MODIFIED = 304

/** For whoever takes nothing packed. */
const unpacked = (packed: Buffer): Readable => Readable.from([packed]).pipe(createGunzip())

/** The door of the document that describes all other doors, as whoever asks may use them. */
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
