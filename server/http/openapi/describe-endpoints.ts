import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ALL_ENDPOINTS, NAMED_SCHEMAS, type NamedEndpoint } from '#api/all-endpoints.ts'
import { type Endpoint, problemBody } from '#api/endpoint.ts'
import { referenceOf, exampleBody } from '#api/reference.ts'
import { type ProblemCode, PROBLEMS } from '#domain/shared/problem.ts'
import type { Access } from '#server/platform/http/access.ts'
import { isAllowedWhileImpersonated, isSignInPath, READING_METHODS } from '#server/platform/http/guard.ts'
import type { Route } from '#server/platform/http/route.ts'
import { describeParameters } from './describe-parameters.ts'
import { createExample } from './examples.ts'
import { inJson, type Json, membersOf, refTo } from './json-schema.ts'
import { valuesInput } from '#api/records.ts'
import { presetValue } from '#api/roles.ts'

/** The input and output types of a schema differ in defaults and in values parsed from text. */
type Direction = 'input' | 'output'

/** Schemas by their name in the document. */
type EndpointSchemas = {
  readonly schemas: Json
  readonly nameOf: (way: Direction, schema: z.ZodType) => string | undefined
}

const PROBLEM = 'problem'

const SCHEMA_PREFIX = '#/components/schemas/'
/** Where Zod puts named schemas. */
const DEFINITIONS = '#/$defs/'

/** Generates the schemas of all endpoints, yielding to the event loop between them. */
async function endpointSchemas(): Promise<EndpointSchemas> {
  const registries = { input: registryOf('input'), output: registryOf('output') }
  return {
    schemas: { ...(await schemasOf('output', registries.output)), ...(await schemasOf('input', registries.input)) },
    nameOf: (way, schema) => registries[way].get(schema)?.id,
  }
}

type Registry = ReturnType<typeof z.registry<{ readonly id: string }>>

function registryOf(way: Direction): Registry {
  const registry: Registry = z.registry()
  for (const [schema, id] of namedOf(way)) if (!registry.has(schema)) registry.add(schema, { id })
  return registry
}

/** Yields every schema with its names, its own name first. */
function* namedOf(way: Direction): Generator<readonly [schema: z.ZodType, name: string]> {
  for (const { name, schema } of NAMED_SCHEMAS) yield [schema, way === 'input' ? `${name}.in` : name]
  for (const { name, endpoint } of ALL_ENDPOINTS) {
    const [schema, part] = way === 'input' ? [endpoint.body, 'body'] : [endpoint.response, 'answer']
    if (schema instanceof z.ZodType) yield [schema, `${name}.${part}`]
  }
  if (way === 'output') yield [problemBody, PROBLEM]
}

/** Generates the schemas, including referenced ones. */
async function schemasOf(way: Direction, registry: Registry): Promise<Json> {
  const known: { [name: string]: unknown } = {}
  for (const [schema, name] of namedOf(way)) {
    if (registry.get(schema)?.id !== name || name in known) continue
    const { $defs } = z.toJSONSchema(schema, {
      io: way,
      unrepresentable: 'any',
      metadata: registry,
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema === valuesInput) Object.assign(jsonSchema, { type: 'object', additionalProperties: {} })
        // Omits the type, because client generators don't support the recursive type of arbitrary JSON.
        if (zodSchema === presetValue) delete jsonSchema.anyOf
        // The default must match the schema, including nested defaults.
        if (zodSchema instanceof z.ZodPrefault) jsonSchema.default = zodSchema.parse(undefined)
      },
    })
    Object.assign(known, JSON.parse(JSON.stringify($defs).replaceAll(DEFINITIONS, SCHEMA_PREFIX)))
    await setImmediate()
  }
  return known
}

/** The parts of the document that are identical for all users, as JSON members. */
export type Described = { readonly paths: readonly string[]; readonly schemas: readonly string[] }

/** Yields to the event loop between endpoints. */
export async function describeEndpoints(routes: readonly Route[]): Promise<Described> {
  const known = await endpointSchemas()
  const accessOf = new Map(routes.map(({ endpoint, access }) => [endpoint, access]))
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const named of ALL_ENDPOINTS) {
    const access = accessOf.get(named.endpoint)
    if (access === undefined) continue
    const path = named.endpoint.path.replaceAll(/:([^/]+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.endpoint.method.toLowerCase()]: operationOf(named, access, known) }
    await setImmediate()
  }
  return { paths: membersEach(paths), schemas: membersEach(known.schemas) }
}

const membersEach = (object: Json): readonly string[] =>
  Object.entries(object).map(([name, member]) => membersOf({ [name]: member }))

function operationOf({ name, area, endpoint }: NamedEndpoint, access: Access, known: EndpointSchemas): Json {
  const parameters = describeParameters(endpoint)
  return {
    operationId: name,
    tags: [area],
    summary: endpoint.summary,
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(endpoint, known),
    responses: { ...answersOf(endpoint, known), ...problemResponses(access, endpoint) },
    ...accessSchema(access, endpoint),
  }
}

/** `x-permission` names the required permission; `x-by-hand` means that API tokens are not accepted. */
export function accessSchema(access: Access, { problems }: Endpoint): Json {
  // Signed URLs don't require a token.
  if (access.type === 'open') return { security: problems.includes('token-missing') ? [{ bearer: [] }, {}] : [] }
  return {
    ...(access.type === 'can' && { 'x-permission': access.permission }),
    ...(access.byHand === true && { 'x-by-hand': true }),
  }
}

function bodyOf(endpoint: Endpoint, { schemas, nameOf }: EndpointSchemas): Json {
  const { body } = endpoint
  if (body === 'none') return {}
  if (!(body instanceof z.ZodType)) return { requestBody: { content: bytesOf(endpoint) } }
  const schema = refTo(nameOf('input', body) ?? '')
  const example = exampleBody(endpoint) ?? createExample(schema, schemas)
  return { requestBody: { required: true, content: inJson(schema, example) } }
}

function bytesOf(endpoint: Endpoint): Json {
  const { bytes } = referenceOf(endpoint)
  if (bytes === undefined) return { 'application/octet-stream': { schema: {} } }
  const { type, example, part, isFile } = bytes
  if (part === undefined) return { [type]: { schema: {}, example } }
  const schema = isFile ? { contentMediaType: 'application/octet-stream' } : { type: 'string' }
  return { [type]: { schema: { type: 'object', properties: { [part]: schema } }, example: { [part]: example } } }
}

function answersOf(endpoint: Endpoint, { nameOf }: EndpointSchemas): Json {
  const { response: answer, status, summary, contentTypes: sends } = endpoint
  const headers = headersOf(endpoint)
  if (answer === 'empty') return { [status]: { description: 'Success, no content.', ...headers } }
  const schema = answer instanceof z.ZodType ? refTo(nameOf('output', answer) ?? '') : {}
  const types = answer instanceof z.ZodType ? { [status]: 'application/json', ...sends } : sends
  const reported = (type: string | null): Json => ({
    description: summary,
    ...headers,
    ...(type !== null && { content: { [type]: { schema } } }),
  })
  return Object.fromEntries(Object.entries(types).map(([code, type]) => [code, reported(type)]))
}

function headersOf(endpoint: Endpoint): Json {
  const { responseHeaders: answers } = referenceOf(endpoint)
  const reported = (description: string): Json => ({ description, schema: { type: 'string' } })
  const each = Object.entries(answers ?? {}).map(([name, about]) => [name, reported(about)])
  return each.length === 0 ? {} : { headers: Object.fromEntries(each) }
}

/** Problems that every endpoint can return. */
const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'invalid-request',
  'unknown-parameter',
  'time-zone-unknown',
  'too-many-requests',
  'too-many-at-once',
  'internal-error',
  'overloaded',
  'database-damaged',
  'not-ready',
]
/** Includes problems caused by impersonation, and by pages whose user is no longer signed in. */
const SIGNED_IN_PROBLEMS: readonly ProblemCode[] = [
  'second-factor-needed',
  'token-missing',
  'token-expired',
  'token-invalid',
  'session-ended',
  'user-changed',
  'view-as-ended',
  'forbidden',
]
const JSON_PROBLEMS: readonly ProblemCode[] = ['too-large', 'wrong-content-type', 'values-invalid']

const STREAM_PROBLEMS: readonly ProblemCode[] = ['wrong-content-type']

function commonProblems(access: Access, { method, path, body, problems }: Endpoint): readonly ProblemCode[] {
  const reads = READING_METHODS.has(method) ? [] : body === 'stream' ? STREAM_PROBLEMS : JSON_PROBLEMS
  return [
    ...COMMON_PROBLEMS,
    ...reads,
    ...(access.type === 'open' && !problems.includes('token-missing') ? [] : SIGNED_IN_PROBLEMS),
    ...(isSignInPath(path) ? ['forbidden' as const] : []),
    ...(isAllowedWhileImpersonated(access, method) ? [] : ['view-as-read-only' as const]),
  ]
}

export function problemResponses(access: Access, endpoint: Endpoint): Json {
  const byStatus: { [status: number]: ProblemCode[] } = {}
  for (const code of new Set([...commonProblems(access, endpoint), ...endpoint.problems]))
    byStatus[PROBLEMS[code]] = [...(byStatus[PROBLEMS[code]] ?? []), code]
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, those]) => [
      status,
      { ...problemResponse(those), ...(RETRYABLE_STATUSES.has(status) && { headers: RETRY_AFTER }) },
    ]),
  )
}

const RETRYABLE_STATUSES: ReadonlySet<string> = new Set(['429', '503'])
const RETRY_AFTER: Json = {
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
}

const problemResponse = (codes: readonly ProblemCode[]): Json => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  content: { 'application/problem+json': { schema: refTo(PROBLEM) } },
  'x-codes': codes,
})
