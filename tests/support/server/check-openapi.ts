import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#server/platform/http/route.ts'
import { describeEndpoints } from '#server/http/openapi/describe-endpoints.ts'

type Content = { readonly [type: string]: { readonly schema: object } }
type DocumentedResponse = { readonly content?: Content; readonly 'x-codes'?: readonly string[] }
type Operation = { readonly operationId: string; readonly responses: { readonly [status: string]: DocumentedResponse } }

type Reference = {
  readonly find: (method: string, path: string) => Operation | undefined
  /** Returns the differences between a response body and its schema. */
  readonly faultsOf: (schema: object, body: unknown) => string | undefined
}

/** Cached across tests, because all of them use the same endpoints. */
let reference: Promise<Reference> | undefined

async function openReference(routes: readonly Route[]): Promise<Reference> {
  const { paths, schemas } = await describeEndpoints(routes)
  const places: { readonly [path: string]: { readonly [method: string]: Operation } } = JSON.parse(
    `{${paths.join(',')}}`,
  )
  const checker = openApiChecker(JSON.parse(`{${schemas.join(',')}}`))
  return { find: (method, path) => places[path]?.[method.toLowerCase()], faultsOf: checker }
}

/** Compiles validators for the schemas in an OpenAPI document. */
export function openApiChecker(schemas: object): Reference['faultsOf'] {
  // Each process validates only a few responses, so optimizing the generated code and validating the schemas would cost
  // more time than it saves.
  const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false, code: { optimize: false } })
  formats['default'](ajv)
  ajv.addSchema({ components: { schemas } }, 'document')
  const compiled = new Map<string, ValidateFunction>()
  return (schema, body) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
    const checker = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, checker)
    return checker(body) ? undefined : ajv.errorsText(checker.errors)
  }
}

/** The parts of a response that don't match the OpenAPI document. */
function differencesOf(
  documented: DocumentedResponse,
  reference: Reference,
  { type, payload }: { type: string; payload: unknown },
) {
  const content = documented.content ?? {}
  if (payload === '' || payload === null || payload === undefined)
    return Object.keys(content).length > 0 && !('*/*' in content) ? 'is empty' : undefined
  const media = content[type] ?? content['*/*']
  if (media === undefined) return `comes as ${type}`
  const isJson = typeof payload === 'string' && type.endsWith('json')
  return isJson ? bodyDifferences(documented, media.schema, reference.faultsOf, JSON.parse(payload)) : undefined
}

function bodyDifferences(
  documented: DocumentedResponse,
  schema: object,
  faultsOf: Reference['faultsOf'],
  body: { readonly code?: string },
) {
  const codes = documented['x-codes']
  if (codes && !codes.includes(body.code ?? '')) return `does not have ${body.code}`
  return faultsOf(schema, body)
}

async function checker(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const known = await (reference ??= openReference(routes))
  const { method, routeOptions } = request
  const operation = known.find(method, (routeOptions.url ?? '').replaceAll(/:([^/]+)/g, '{$1}'))
  if (operation === undefined) return undefined
  const documented = operation.responses[reply.statusCode]
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';', 1)
  // HEAD responses have no body.
  const fault = documented
    ? method !== 'HEAD' && differencesOf(documented, known, { type, payload })
    : 'is undocumented'
  return fault ? `${operation.operationId}, ${reply.statusCode}: ${fault}` : undefined
}

/**
 * Checks the status, content type, problem code and body of every response against the OpenAPI document. Returns a list
 * that collects the differences.
 */
export function checkAgainstOpenApi(app: FastifyInstance, routes: readonly Route[]): readonly string[] {
  const faults: string[] = []
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = await checker(routes, request, reply, payload)
    if (fault !== undefined) faults.push(fault)
    return payload
  })
  return faults
}
