import { request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { finished } from 'node:stream/promises'
import { ALL_ENDPOINTS } from '#api/all-endpoints.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Collection, MAX_FIELDS } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { ok } from '#domain/shared/result.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { DEFAULT_SESSION_SETTINGS } from '#server/platform/config/session-settings.ts'
import { signedIn } from '#server/platform/http/access.ts'
import { buildApp } from '#server/http/app.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { openApiRoutes } from '#server/http/openapi/routes.ts'
import { OPENAPI_PRINTED, STALL_MEANWHILE } from '../report/budgets.ts'
import type { Part } from '../measure.ts'
import { rowOfSingles, type Single } from '../report/result.ts'

const COLLECTIONS = 200
const RESOLUTION_MS = 1

const READER: Actor = {
  type: 'user',
  userId: 'u'.repeat(26),
  sessionId: 's'.repeat(26),
  name: 'Reader',
  grants: (['read', 'create', 'update', 'delete'] as const).map((verb) => ({
    permission: `records:${verb}`,
    collection: null,
  })),
}

const choices = ['North', 'South'].map((name) => ({ id: name, name, color: 'gray' as const }))
const KINDS: readonly Pick<Field, 'kind' | 'options'>[] = [
  { kind: 'text', options: { max: 80 } },
  { kind: 'number', options: { min: 0 } },
  { kind: 'select', options: { choices } },
  { kind: 'relation', options: { collection: 'made0', many: true } },
  { kind: 'rich-text', options: {} },
]

/** Creates a workspace with the maximum number of collections, each with the maximum number of fields. */
function madeDefinitions(): DefinitionsCache {
  const fields = Array.from({ length: MAX_FIELDS }, (_, at) => {
    const bare = { required: false, unique: false, default: null }
    // A field type with its options.
    return { id: `f${at}`, name: `field${at}`, label: `Field ${at}`, ...bare, ...KINDS[at % KINDS.length] } as Field
  })
  const list = Array.from({ length: COLLECTIONS }, (_, at): Collection => {
    const name = `made${at}`
    return { id: name, name, label: `Made ${at}`, fields, titleField: null, version: 1 }
  })
  const byId = new Map(list.map((one) => [one.id, one]))
  const definitions = {
    version: 1,
    list,
    stored: list,
    byId,
    byName: byId,
    pendingImports: [],
    searchParts: new Map(),
    timeZone: 'UTC',
  }
  return {
    current: () => Promise.resolve(definitions),
    latest: () => Promise.resolve(definitions),
    within: () => Promise.resolve(definitions),
    drop: () => undefined,
    adopt: () => undefined,
    notice: () => undefined,
  }
}

async function openServer() {
  const named = ALL_ENDPOINTS.map(({ endpoint }) => ({ endpoint, access: signedIn, handle: () => Promise.resolve() }))
  const publicUrl = new URL('http://localhost')
  const app = await buildApp({
    routes: openApiRoutes({ definitions: madeDefinitions(), routes: () => named, publicUrl }),
    authenticate: () => Promise.resolve(ok(READER)),
    forgetDefinitions: () => undefined,
    log: openLog('silent'),
    publicUrl,
    trustedProxies: [],
    corsOrigins: [],
    webFolder: 'nowhere',
    session: DEFAULT_SESSION_SETTINGS,
  })
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

/** Requests the OpenAPI document and returns its transferred size in bytes. */
async function ask(address: string): Promise<number> {
  const sent = request(`${address}/api/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
  const { promise, resolve } = Promise.withResolvers<number>()
  sent.once('response', (answer) => {
    let bytes = 0
    answer.on('data', (piece: Buffer) => (bytes += piece.length))
    void finished(answer).then(() => resolve(bytes))
  })
  sent.end()
  return promise
}

/**
 * Measures the first request for the OpenAPI document of the largest possible workspace; independent of the database.
 */
export const openApiPart: Part = {
  name: 'openapi',
  run: async ({ stages: [stage] }) => {
    const { address, close } = await openServer()
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    delays.enable()
    const startedAt = performance.now()
    const bytes = await ask(address)
    const printedMs = performance.now() - startedAt
    delays.disable()
    await close()
    const one = (figure: number, note?: string) =>
      new Map(stage ? [[stage.dialect, { figure, unit: 'ms', note } satisfies Single]] : [])
    return [
      rowOfSingles(OPENAPI_PRINTED, one(printedMs, `${(bytes / 1e6).toFixed(1)} MB as sent`)),
      rowOfSingles(STALL_MEANWHILE, one(Math.max(0, delays.max / 1e6 - RESOLUTION_MS))),
    ]
  },
}
