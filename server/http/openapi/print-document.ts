import { setImmediate } from 'node:timers/promises'
import type { Actor } from '#domain/access/actor.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Route } from '#server/platform/http/route.ts'
import { VERSION } from '#server/version.ts'
import { describePaths, describeSchemas } from './describe-collection.ts'
import { type Described, describeEndpoints } from './describe-endpoints.ts'
import { type Json, membersOf } from './json-schema.ts'

/** What the document says before it comes to the addresses. */
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

/** What describes a workspace: its endpoints, where it is found. */
export type DescribedWorkspace = { readonly routes: () => readonly Route[]; readonly publicUrl: URL }

/**
 * Prints the document for one actor, piece by piece. Between two pieces others get their turn: there may be 200
 * collections of 500 fields. The collections are gone through twice, so that no more than a piece is in memory.
 */
export function documentPrinter({ routes, publicUrl }: DescribedWorkspace) {
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

/** Members behind others. */
const appendMembers = (object: Json | undefined): string => (object ? `,${membersOf(object)}` : '')
