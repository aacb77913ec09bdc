import { setImmediate } from 'node:timers/promises'
import type { Actor } from '#domain/access/actor.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import type { Route } from '#server/http/route.ts'
import { VERSION } from '#server/version.ts'
import { describeCollection } from './describe-collection.ts'
import { type Described, describeEndpoints } from './describe-endpoints.ts'
import type { Json } from './json-schema.ts'

/** The members of an object as JSON, without its braces: so that a document of many megabytes is put together of pieces. */
const membersOf = (object: Json): string => JSON.stringify(object).slice(1, -1)

const piecesOf = ({ paths, schemas }: Described) => ({ paths: membersOf(paths), schemas: membersOf(schemas) })

/** What the document says before it comes to the addresses. */
const head = (publicUrl: URL): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Dossier',
    version: VERSION,
    summary: 'The interface for programs of this workspace, as you may use it.',
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: publicUrl.origin }],
  security: [{ bearer: [] }],
})

const BEARER: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token, made under Settings → API tokens, or the access token of a session.',
  },
}

/** What describes a workspace: its endpoints, where it is found. */
export type DescribedWorkspace = { readonly routes: () => readonly Route[]; readonly publicUrl: URL }

/** Prints the document for one actor. Between the collections others get their turn: there may be 200 of 500 fields. */
export function documentPrinter({ routes, publicUrl }: DescribedWorkspace) {
  let fixed: ReturnType<typeof piecesOf> | undefined
  return async (actor: Actor, definitions: Definitions): Promise<string> => {
    const pieces = [(fixed ??= piecesOf(describeEndpoints(routes())))]
    for (const collection of definitions.list) {
      const described = describeCollection(actor, collection)
      if (described) pieces.push(piecesOf(described))
      await setImmediate()
    }
    const paths = pieces.map((piece) => piece.paths).join(',')
    const schemas = pieces.map((piece) => piece.schemas).join(',')
    const security = `"securitySchemes":${JSON.stringify(BEARER)}`
    return `{${membersOf(head(publicUrl))},"paths":{${paths}},"components":{${security},"schemas":{${schemas}}}}`
  }
}
