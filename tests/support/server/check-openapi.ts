import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#server/platform/http/route.ts'
import { describeEndpoints } from '#server/http/openapi/describe-endpoints.ts'

type Content = { readonly [type: string]: { readonly schema: object } }
type Told = { readonly content?: Content; readonly 'x-codes'?: readonly string[] }
type Operation = { readonly operationId: string; readonly responses: { readonly [status: string]: Told } }

/** The OpenAPI document, ready to be held against what is answered. */
type Reference = {
  readonly find: (method: string, path: string) => Operation | undefined
  /** What a body has that its schema does not tell, or the other way round. */
  readonly faultsOf: (schema: object, body: unknown) => string | undefined
}

/** The endpoints are the same for every server of a run. */
let reference: Promise<Reference> | undefined

async function openReference(routes: readonly Route[]): Promise<Reference> {
  const { paths, schemas } = await describeEndpoints(routes)
  const places: { readonly [path: string]: { readonly [method: string]: Operation } } = JSON.parse(
    `{${paths.join(',')}}`,
  )
  const judge = openApiChecker(JSON.parse(`{${schemas.join(',')}}`))
  return { find: (method, path) => places[path]?.[method.toLowerCase()], faultsOf: judge }
}

/** Judges values by schemas that speak of those of a document. */
export function openApiChecker(schemas: object): Reference['faultsOf'] {
  // Read by many processes for a few answers each: nobody waits for quick code, nor for schemas to be judged themselves.
  const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false, code: { optimize: false } })
  formats['default'](ajv)
  ajv.addSchema({ components: { schemas } }, 'document')
  const compiled = new Map<string, ValidateFunction>()
  return (schema, body) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
    const judge = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, judge)
    return judge(body) ? undefined : ajv.errorsText(judge.errors)
  }
}

/** What of an answer the document does not tell. */
function untold(told: Told, reference: Reference, { type, payload }: { type: string; payload: unknown }) {
  const content = told.content ?? {}
  if (payload === '' || payload === null || payload === undefined)
    return Object.keys(content).length > 0 && !('*/*' in content) ? 'is empty' : undefined
  const said = content[type] ?? content['*/*']
  if (said === undefined) return `comes as ${type}`
  const isJson = typeof payload === 'string' && type.endsWith('json')
  return isJson ? untoldInBody(told, said.schema, reference.faultsOf, JSON.parse(payload)) : undefined
}

function untoldInBody(told: Told, schema: object, faultsOf: Reference['faultsOf'], body: { readonly code?: string }) {
  const codes = told['x-codes']
  if (codes && !codes.includes(body.code ?? '')) return `does not have ${body.code}`
  return faultsOf(schema, body)
}

async function judge(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const known = await (reference ??= openReference(routes))
  const { method, routeOptions } = request
  const operation = known.find(method, (routeOptions.url ?? '').replaceAll(/:([^/]+)/g, '{$1}'))
  if (operation === undefined) return undefined
  const told = operation.responses[reply.statusCode]
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';', 1)
  // The answer to HEAD is nothing but its headers.
  const fault = told ? method !== 'HEAD' && untold(told, known, { type, payload }) : 'is not told'
  return fault ? `${operation.operationId}, ${reply.statusCode}: ${fault}` : undefined
}

/**
 * Holds every answer of a server against the OpenAPI document: its status, its type, its code and its shape. What it
 * met that is not so stands in the list it gives.
 */
export function checkAgainstOpenApi(app: FastifyInstance, routes: readonly Route[]): readonly string[] {
  const faults: string[] = []
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = await judge(routes, request, reply, payload)
    if (fault !== undefined) faults.push(fault)
    return payload
  })
  return faults
}
